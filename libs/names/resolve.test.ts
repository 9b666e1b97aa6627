import { describe, expect, it } from "vitest";
import { createResolver, type KnownDeveloper, type Resolution } from "./resolve.ts";
import { readSeed } from "./seed.ts";

const { resolve } = createResolver(readSeed().map((developer, at) => ({ id: at + 1, ...developer })));
const outcomeOf = (found: Resolution) =>
	found.kind === "matched" ? `${found.canonical} by ${found.method}` : found.kind;
const linked = (name: string) => {
	const found = resolve(name);
	return found.kind === "matched" ? found.canonical : null;
};

const known = (id: number, canonical: string): KnownDeveloper => {
	return { id, canonical, ambiguous: false, aliases: [], prefixes: [] };
};
/** In a register of one developer that has no other name. */
const against = (canonical: string, name: string) => createResolver([known(1, canonical)]).resolve(name).kind;

describe("pairs on each rung of the ladder", () => {
	it.each([
		["Pine Gate Renewables", "Pinegate Renewables"],
		["Cypress Creek Renewables", "Cypress Creek Energy"],
		["Lightsource bp", "Lightsource bp Renewable Energy"],
		["Orsted", "Ørsted"],
		["Oglethorpe Power", "Ogelthorpe Power Corporation"],
	])("%s is %s by spelling alone", (canonical, name) => {
		expect(against(canonical, name)).toBe("matched");
	});

	it.each([
		["NextEra Energy Resources", "NextEra Energy"],
		["Swift Current Energy", "Swift Current"],
		["Cypress Creek Renewables", "Cypress Creek"],
		["Pattern Energy", "Pattern Development"],
		["Deriva Energy", "Duke Energy Renewables"],
		["Geronimo Power", "National Grid Renewables"],
		["EDF power solutions North America", "EDF Renewables"],
		["Avantus", "8minute"],
	])("%s is %s by an alias", (canonical, name) => {
		expect(outcomeOf(resolve(name))).toBe(`${canonical} by developer_alias`);
	});

	it.each([
		["Apex Clean Energy", "Apex Energy Storage"],
		["Clearway Energy", "Clearlight Energy"],
		["Clearway Energy", "Clearway Signs"],
		["Silicon Ranch", "Silicon Ridge"],
		["Origis", "Oriden"],
		["Avantus", "Arevon"],
		["Apex Clean Energy", "Apex"],
		["Invenergy", "Inenergy"],
		["Alliant Energy", "Alliance Energy"],
		["Enbridge Solar", "Elbridge Solar"],
		["Ares Power", "Aries Power"],
	])("%s is not %s", (canonical, name) => {
		expect(against(canonical, name)).not.toBe("matched");
	});

	it("similar names are left for manual review, with both similarity measures", () => {
		const found = createResolver([known(7, "Invenergy")]).resolve("Inenergy, LLC");
		expect(found).toMatchObject({ kind: "review", reason: "alike", candidates: [{ developerId: 7 }] });
		if (found.kind !== "review") return;
		expect(found.candidates[0]?.jaroWinkler).toBeCloseTo(0.97, 3);
		expect(found.candidates[0]?.trigram).toBeCloseTo(0.583, 3);
	});

	it("two equally close developers are a tie", () => {
		const both = createResolver([known(1, "Brightfield Power"), known(2, "Brightfields Power")]);
		expect(both.resolve("Brightfeild Power")).toMatchObject({ kind: "review", reason: "tie" });
	});
});

describe("a sponsor's name at the start", () => {
	it.each([
		["Invenergy Nelson LLC", "Invenergy"],
		["NextEra Energy Seabrook LLC", "NextEra Energy Resources"],
		["FPL Energy Oliver County Wind II LLC", "NextEra Energy Resources"],
		["TalenEnergy Montour LLC", "Talen Energy"],
		["Next Era Energy Foo Wind, LLC", "NextEra Energy Resources"],
		["KCE NY 41, LLC", "Key Capture Energy"],
		["Duke Energy Renewables Solar, LLC", "Deriva Energy"],
		["Duke Energy One, Inc.", "Duke Energy"],
		["NRG Renew Canal 1 LLC", "Clearway Energy Group"],
		["Pattern Gulf Wind", "Pattern Energy"],
		["Constellation Solar Maryland II LLC", "Constellation Energy"],
		["Tenasca Foo Partners LP", null],
		["Greanbacker Foo Solar LLC", "Greenbacker"],
		["Clearwey Energy Foo LLC", null],
		["Tenuska Foo Partners LP", null],
		["Nexamp School Street Solar, LLC", "Nexamp"],
		["Dominion Energy Gas Holdings", "Dominion Energy"],
		["PSEG Gas", "PSEG"],
		["Pattern Creek Associates", null],
		["Calpine University", null],
		["DTE Employees Credit Union", null],
		["East Point Energy Center, LLC", null],
		["Black Rock Solar LLC", null],
		["Shell Rock Solar LLC", null],
		["Apex Nevada Solar, LLC", null],
		["Ohio Power Partners LLC", null],
	])("%s is of %s", (name, canonical) => {
		expect(linked(name)).toBe(canonical);
	});

	it.each([
		["Hectate Energy Harley Hand Solar LLC", "Hecate Energy"],
		["Avantis Energy", "Avantus"],
		["Aventus Solar", "Avantus"],
		["Nexterra Energy", "NextEra Energy Resources"],
	])("%s, a mistyped short word, is left for manual review", (name, canonical) => {
		expect(resolve(name)).toMatchObject({ kind: "review", reason: "alike", candidates: [{ canonical }] });
	});

	it("the result states that it is a shell, and its family", () => {
		expect(resolve("Hecate Energy Albany Solar 2 LLC")).toEqual({
			kind: "matched",
			developerId: expect.any(Number),
			canonical: "Hecate Energy",
			method: "developer_prefix",
			confidence: 0.9,
			matchedText: "Hecate",
			isShell: true,
			family: "hecate energy albany solar",
		});
	});
});

describe("ambiguous names", () => {
	it.each(["X-Energy LLC", "X-energy Inc."])(
		"%s is the canonical name, which is not flagged although an alias is",
		(name) => {
			expect(outcomeOf(resolve(name))).toBe("X-energy by developer_exact");
		},
	);

	it.each(["Constellation", "Pattern", "NRG", "National Grid"])(
		"%s alone is the company in a list of plant owners",
		(name) => {
			expect(resolve(name).kind).toBe("matched");
		},
	);

	it.each(["Matrix LLC", "Nova Inc.", "EQT Corp", "Shell Holdings"])("%s could be any company", (name) => {
		expect(resolve(name)).toMatchObject({ kind: "review", reason: "ambiguous" });
	});

	it.each(["PGE", "IPL"])("%s is two companies: a tie", (name) => {
		expect(resolve(name)).toMatchObject({ kind: "review", reason: "tie", candidates: [{}, {}] });
	});

	it.each([
		["Constellation", null],
		["Pattern", null],
		["Strata Power Corp", null],
		["Constellation Brands, Inc.", null],
		["KKR Real Estate Finance Trust Inc.", null],
		["Allient Inc", null],
		["AES Corp", "AES"],
		["Constellation Energy Corp", "Constellation Energy"],
		["Hecate Albany Solar LLC", "Hecate Energy"],
		["Carlyle Group Inc.", "Carlyle"],
	])("among companies of all kinds %s is %s", (name, canonical) => {
		const found = resolve(name, "any company");
		expect(found.kind === "matched" ? found.canonical : null).toBe(canonical);
	});
});

describe("several names in one text", () => {
	it.each([
		["Cheyenne Light Fuel & Power d/b/a Black Hills Energy", "Black Hills Energy"],
		["Foo Solar LLC (an affiliate of Invenergy LLC)", "Invenergy"],
		["Foo Solar LLC (Pattern)", null],
		["Vistra Energy/Luminant", "Vistra"],
		["PG&E/Liberty Gen. Co., LLC", null],
		["City of Austin - (TX)", "Austin Energy"],
		["City of Austin - (MN)", null],
		["Northern States Power Co - Minnesota", "Xcel Energy"],
	])("%s is of %s", (name, canonical) => {
		expect(linked(name)).toBe(canonical);
	});

	it("of two developers are a tie", () => {
		expect(resolve("Invenergy LLC/Calpine Corp")).toMatchObject({ kind: "review", reason: "tie" });
	});
});

describe("names of no known developer", () => {
	it.each(["", "  ", "---", "\u0000\u0001", "🌞🌞", "12345", "()"])("%j is blank", (name) => {
		expect(resolve(name)).toEqual({ kind: "none", reason: "blank" });
	});

	it.each(["Confidential", "TBD", "n/a", "To be determined", "MASKED", "Unknown LLC"])(
		"%s is a placeholder, not a name",
		(name) => {
			expect(resolve(name)).toEqual({ kind: "none", reason: "placeholder" });
		},
	);

	it("a project's company without a sponsor is a shell", () => {
		expect(resolve("Gipper Solar Farm II, LLC")).toEqual({ kind: "shell", family: "gipper solar" });
	});

	it("an unknown company is new, with its white space normalised", () => {
		expect(resolve(" Quidditch \t Renewables\u0007 GmbH ")).toEqual({ kind: "new", name: "Quidditch Renewables GmbH" });
		expect(resolve("日本再生可能エネルギー").kind).toBe("new");
	});

	it.each([
		["Hydrostor USA Holdings, Inc , a subsidiary of Hydrostor Inc", "Hydrostor USA Holdings, Inc"],
		["Parkway Generation Operating LLC,Parkway Generation Operating, LLC", "Parkway Generation Operating LLC"],
		["Bear Peak Power LLC_3", "Bear Peak Power LLC"],
	])("%s is shown as %s", (name, shown) => {
		expect(resolve(name)).toEqual({ kind: "new", name: shown });
	});

	it("generic company words never match a known name", () => {
		expect(resolve("Renewable Energy Holdings LLC").kind).toBe("new");
	});
});

describe("hostile names", () => {
	it.each([
		["letters", "a".repeat(1_000_000)],
		["brackets", "(".repeat(1_000_000)],
		["tails", "llc ".repeat(250_000)],
		["letters with marks", "é".repeat(1_000_000)],
		["a known name far behind", `${"x ".repeat(1000)}Invenergy LLC`],
	])("a text of excessive %s is not a name", (_, name) => {
		expect(resolve(name)).toEqual({ kind: "none", reason: "too long" });
	});

	it.each([
		"constructor",
		"__proto__ LLC",
		"Foo / / / / / LLC",
		")(][}{",
		"d/b/a d/b/a d/b/a",
		"\ud800 Solar LLC",
		"ﷺ".repeat(300),
	])("%j gets a result", (name) => {
		expect(["new", "shell", "none", "review"]).toContain(resolve(name).kind);
	});

	it("a known name is found despite excess white space", () => {
		expect(linked(`${" ".repeat(1000)}Invenergy LLC`)).toBe("Invenergy");
	});
});
