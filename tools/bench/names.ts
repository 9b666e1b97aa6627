/** Company names a second that are linked to developers, by the index and by comparing each with every known name. */
import type { KnownDeveloper } from "../../libs/names/known-names.ts";
import { normaliseName } from "../../libs/names/normalise.ts";
import { createResolver } from "../../libs/names/resolve.ts";
import { jaroWinkler, trigramSimilarity } from "../../libs/names/similarity.ts";
import { interleave, median, timed } from "./measure.ts";
import type { Row } from "./report.ts";
import type { Bench } from "./system.ts";

const aliasesEach = 4;
/** So many names suffice to know the speed of the scan. */
const scannedCount = 50;

export async function measureNames({ size }: Bench, say: (line: string) => void): Promise<Row[]> {
	const developers = madeUpDevelopers(size.count(4_000));
	const nameCount = size.count(10_000);
	const names = madeUpNames(developers, nameCount);
	const turns = size.turns(5);
	const building: number[] = [];
	for (let round = 0; round < turns.rounds; round++) building.push(await timed(async () => createResolver(developers)));
	const resolver = createResolver(developers);
	const keys = developers.flatMap(({ canonical, aliases }) =>
		[canonical, ...aliases.map(({ alias }) => alias)].map((name) => normaliseName(name).fullKey),
	);
	let linked = 0;
	const resolveAll = async () => {
		linked = names.filter((name) => resolver.resolve(name).kind === "matched").length;
	};
	const scanSome = async () => {
		for (const name of names.slice(0, scannedCount)) closestByScan(keys, normaliseName(name).fullKey);
	};
	const { ours, baseline } = await interleave(
		turns,
		async () => (1000 * nameCount) / (await timed(resolveAll)),
		async () => (1000 * scannedCount) / (await timed(scanSome)),
	);
	say("names: done");
	const note = `${nameCount} names, ${keys.length} known, ${Math.round((1000 * nameCount) / median(ours))} ms, ${linked} linked`;
	return [
		{ measure: "link names / compare with every name", unit: "names/s", ours, baseline, note },
		{ measure: "index the known names", unit: "ms", ours: building, baseline: [] },
	];
}

function closestByScan(keys: readonly string[], key: string): number {
	let best = 0;
	for (const known of keys) {
		const similarity = jaroWinkler(known, key);
		if (similarity >= 0.8) best = Math.max(best, similarity + trigramSimilarity(known, key));
	}
	return best;
}

const starts = "b br c d f g gr h k l m n p r s st t tr v w".split(" ");
const vowels = "a e i o u ea".split(" ");
const ends = " l n r s ck rd nt".split(" ");
const businesses = ["Energy", "Renewables", "Power", "Clean Energy", "Solar", "Wind Development", "Resources"];
const tails = ["LLC", "Inc.", "Holdings, LLC", "L.P.", "Corporation"];

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length];

/** A word of two or three syllables; the same for the same number. */
function word(number: number): string {
	let rest = (number * 7919) % 500_000;
	let made = "";
	for (const parts of [starts, vowels, ends, starts, vowels]) {
		made += pick(parts, rest) ?? "";
		rest = Math.floor(rest / parts.length);
	}
	return `${made.charAt(0).toUpperCase()}${made.slice(1)}`;
}

function madeUpDevelopers(count: number): KnownDeveloper[] {
	return Array.from({ length: count }, (_, id) => {
		const brand = `${word(id * 7 + 600)} ${word(id)}`;
		const aliases = businesses
			.slice(0, aliasesEach)
			.map((_, at) => ({ alias: `${brand} ${pick(businesses, id + at + 1)}`, ambiguous: false }));
		return { id, canonical: `${brand} ${pick(businesses, id)}`, ambiguous: false, aliases, prefixes: [brand] };
	});
}

/** Names in turn: a known name with a legal form, a sponsor's project, a typing error, an unknown company, an unknown company's project. */
function madeUpNames(developers: readonly KnownDeveloper[], count: number): string[] {
	return Array.from({ length: count }, (_, at) => {
		const { canonical = "", prefixes = [] } = developers[(at * 13) % developers.length] ?? {};
		const stranger = `${word(at * 11 + 5000)} ${word(at * 3 + 900)}`;
		const tail = pick(tails, at);
		const kinds = [
			`${canonical}, ${tail}`,
			`${prefixes[0]} ${word(at)} Solar ${(at % 9) + 1}, ${tail}`,
			`${canonical.slice(0, 5)}${canonical.slice(6)} ${tail}`,
			`${stranger} ${pick(businesses, at)} ${tail}`,
			`${stranger} Solar II, ${tail}`,
		];
		return pick(kinds, at) ?? "";
	});
}
