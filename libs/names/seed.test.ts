import { describe, expect, it } from "vitest";
import { normaliseName } from "./normalise.ts";
import { parseSeed, readSeed } from "./seed.ts";

const header = "canonical|aliases|tier|hq|parent|certainty|ambiguous|contact_published";
const prefixHeader = "canonical|prefixes";
const parse = (...lines: string[]) => parseSeed([header, ...lines].join("\n"), prefixHeader);
const line = "Foo Energy|Foo;Foo Power|mid_platform|TX|Foo Group|K|Foo|false";

describe("the bundled register", () => {
	const seed = readSeed();
	const find = (canonical: string) => seed.find((developer) => developer.canonical === canonical);
	const alias = (canonical: string, name: string) => find(canonical)?.aliases.find((known) => known.alias === name);

	it("contains all 229 developers, each name once", () => {
		expect(seed).toHaveLength(229);
		expect(new Set(seed.map((developer) => normaliseName(developer.canonical).fullKey)).size).toBe(229);
	});

	it("marks ordinary words and shared acronyms", () => {
		expect(alias("Pattern Energy", "Pattern")?.ambiguous).toBe(true);
		expect(alias("American Electric Power", "PSO")?.ambiguous).toBe(true);
		expect(alias("Portland General Electric", "PGE")?.ambiguous).toBe(true);
		expect(find("Eolian")?.ambiguous).toBe(true);
		expect(find("Invenergy")?.ambiguous).toBe(false);
	});

	it("has no headquarters for --, and publishes no contact", () => {
		expect(find("Clearlight Energy")?.headquarters).toBeNull();
		expect(find("AIP Management")?.headquarters).toBe("DK");
		expect(seed.some((developer) => developer.contactPublished)).toBe(false);
	});

	it("has no prefix that equals another developer's name", () => {
		const spelled = (name: string) => normaliseName(name).words.join(" ");
		const bearers = new Map(
			seed.flatMap(({ canonical, aliases }) =>
				[canonical, ...aliases.map((known) => known.alias)].map((name) => [spelled(name), canonical] as const),
			),
		);
		const unrelated = seed.flatMap(({ canonical, prefixes }) =>
			prefixes.filter((prefix) => (bearers.get(spelled(prefix)) ?? canonical) !== canonical),
		);
		expect(unrelated).toEqual([]);
	});
});

describe("parseSeed", () => {
	it("reads a line and its prefixes", () => {
		const [developer] = parseSeed(`${header}\r\n${line}\n`, `${prefixHeader}\nFoo Energy|Foo Energy;FooCo\n`);
		expect(developer).toEqual({
			canonical: "Foo Energy",
			ambiguous: false,
			aliases: [
				{ alias: "Foo", ambiguous: true },
				{ alias: "Foo Power", ambiguous: false },
			],
			prefixes: ["Foo Energy", "FooCo"],
			tier: "mid_platform",
			headquarters: "TX",
			parent: "Foo Group",
			certainty: "K",
			contactPublished: false,
		});
	});

	it.each([
		["a|b", "line 2: has 2 columns instead of 8"],
		[line.replace("mid_platform", "big"), 'line 2: "big" is not a tier'],
		[line.replace("|TX|", "|Texas|"), 'the headquarters must be two letters or --, not "Texas"'],
		[line.replace("|K|", "|X|"), 'certainty must be V or K, not "X"'],
		[line.replace("|Foo|false", "|Bar|false"), '"Bar" is ambiguous, but neither'],
		[line.replace("false", "no"), 'contact_published must be true or false, not "no"'],
		[line.replace("Foo;", "Foo Energy;"), '"Foo Energy" occurs twice'],
		[line.replace("|Foo Group|", "||"), "the parent is empty"],
		[`,${line.slice(10)}`, "the canonical name is empty"],
	])("refuses %s", (bad, reason) => {
		expect(() => parse(bad)).toThrow(reason);
	});

	it("refuses a name of two developers unless both mark it as ambiguous", () => {
		const bar = "Bar Energy|FOO, LLC|mid_platform|TX|Bar Group|K||false";
		expect(() => parse(line, bar)).toThrow('"FOO, LLC" is a name of both Foo Energy and Bar Energy');
		expect(parse(line, bar.replace("||false", "|FOO, LLC|false"))).toHaveLength(2);
		expect(() => parse(line, line)).toThrow("twice");
	});

	it("refuses a prefix of an unlisted developer, and another header", () => {
		expect(() => parseSeed(`${header}\n${line}`, `${prefixHeader}\nBar|Bar`)).toThrow(
			'prefixes.psv: line 2: developers.psv has no "Bar"',
		);
		expect(() => parseSeed(`x\n${line}`, prefixHeader)).toThrow("developers.psv: line 1 must be");
	});
});
