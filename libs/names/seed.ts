/** The bundled register of developers: `developers.psv`, and the first words of their project companies in `prefixes.psv`. */
import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { type DeveloperTier, developerTiers } from "#libs/contract/vocabulary.ts";
import type { KnownDeveloper } from "./known-names.ts";
import { normaliseName } from "./normalise.ts";

export interface SeedDeveloper extends Omit<KnownDeveloper, "id"> {
	tier: DeveloperTier;
	/** A US state, or else a foreign code ("ON", "DK"); null if unknown. */
	headquarters: string | null;
	parent: string;
	/** V: verified in a source. K: general knowledge. */
	certainty: "V" | "K";
	contactPublished: boolean;
}

const header = "canonical|aliases|tier|hq|parent|certainty|ambiguous|contact_published";
const prefixHeader = "canonical|prefixes";

/** Reads the bundled register. @throws Error with the file and line of an invalid entry */
export function readSeed(): SeedDeveloper[] {
	const read = (file: string): string => readFileSync(new URL(file, import.meta.url), "utf8");
	return parseSeed(read("developers.psv"), read("prefixes.psv"));
}

/** Parses the register from the texts of the two files. @throws like `readSeed` */
export function parseSeed(developers: string, prefixes: string): SeedDeveloper[] {
	const seed = linesOf("developers.psv", developers, header).map(({ cells, fail }) => developerOf(cells, fail));
	const byName = new Map(seed.map((developer) => [developer.canonical, developer]));
	if (byName.size < seed.length) throw new Error("developers.psv: a canonical name occurs twice");
	checkCollisions(seed);
	for (const { cells, fail } of linesOf("prefixes.psv", prefixes, prefixHeader)) {
		const [canonical = "", list = ""] = cells;
		const developer = byName.get(canonical) ?? fail(`developers.psv has no "${canonical}"`);
		developer.prefixes.push(...listOf(list));
	}
	return seed;
}

interface Line {
	cells: string[];
	fail: (why: string) => never;
}

function linesOf(file: string, text: string, expected: string): Line[] {
	const [first, ...lines] = text.replace(/\r/g, "").replace(/\n+$/, "").split("\n");
	if (first !== expected) throw new Error(`${file}: line 1 must be ${expected}`);
	const width = expected.split("|").length;
	return lines.map((line, at) => {
		const fail = (why: string): never => {
			throw new Error(`${file}: line ${at + 2}: ${why}`);
		};
		const cells = line.split("|").map((cell) => cell.trim());
		if (cells.length !== width) fail(`has ${cells.length} columns instead of ${width}`);
		return { cells, fail };
	});
}

function developerOf(cells: string[], fail: Line["fail"]): SeedDeveloper {
	const [canonical = "", aliases = "", tier = "", hq = "", parent = "", certainty = "", ambiguous = "", contact = ""] =
		cells;
	if (normaliseName(canonical).fullKey === "") fail("the canonical name is empty");
	const names = listOf(aliases);
	const repeated = names.find((name, at) => name === canonical || names.indexOf(name) < at);
	if (repeated !== undefined) fail(`"${repeated}" occurs twice`);
	const flagged = new Set(listOf(ambiguous));
	const unknown = [...flagged].find((name) => name !== canonical && !names.includes(name));
	if (unknown !== undefined) fail(`"${unknown}" is ambiguous, but neither the canonical name nor an alias`);
	if (!/^([A-Z]{2}|--)$/.test(hq)) fail(`the headquarters must be two letters or --, not "${hq}"`);
	if (contact !== "true" && contact !== "false") fail(`contact_published must be true or false, not "${contact}"`);
	return {
		canonical,
		ambiguous: flagged.has(canonical),
		aliases: names.map((alias) => ({ alias, ambiguous: flagged.has(alias) })),
		prefixes: [],
		tier: developerTiers.find((known) => known === tier) ?? fail(`"${tier}" is not a tier`),
		headquarters: hq === "--" ? null : hq,
		parent: parent === "" ? fail("the parent is empty") : parent,
		certainty:
			certainty === "V" || certainty === "K" ? certainty : fail(`certainty must be V or K, not "${certainty}"`),
		contactPublished: contact === "true",
	};
}

/** @throws Error if two developers share a name, unless it is marked as ambiguous for both */
function checkCollisions(seed: SeedDeveloper[]): void {
	const developersByKey = new Map<string, { canonical: string; ambiguous: boolean }>();
	for (const developer of seed) {
		const names = [{ alias: developer.canonical, ambiguous: developer.ambiguous }, ...developer.aliases];
		for (const { alias, ambiguous } of names) {
			const key = normaliseName(alias).fullKey;
			const other = developersByKey.get(key);
			if (other && other.canonical !== developer.canonical && !(other.ambiguous && ambiguous))
				throw new Error(
					`developers.psv: "${alias}" is a name of both ${other.canonical} and ${developer.canonical}, but not marked as ambiguous in both`,
				);
			developersByKey.set(key, { canonical: developer.canonical, ambiguous });
		}
	}
}

const listOf = (cell: string): string[] =>
	cell
		.split(";")
		.map((item) => item.trim())
		.filter((item) => item !== "");

/** A hash of all developers and of this folder's code. If it changes, all names must be linked again. */
export function editionOf(seed: readonly SeedDeveloper[]): string {
	const folder = new URL("./", import.meta.url);
	const files = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
	const rules = files.sort().map((name) => readFileSync(new URL(name, folder), "utf8"));
	return hash("sha256", JSON.stringify([seed, rules]), "hex");
}
