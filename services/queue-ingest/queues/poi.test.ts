import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import type { ProjectRegion } from "#libs/contract/vocabulary.ts";
import { fillMissingState, findSpellingRule, poiIdOf, poiIdSuffix } from "./poi.ts";

const idOf = (region: ProjectRegion, poi: string, utility: string | null = null, place: object = {}): string | null =>
	poiIdOf({ poi, utility, state: null, county: null, ...place }, region);

describe("spellings of one point have one id", () => {
	it.each<[ProjectRegion, string, string[]]>([
		["CAISO", "CAISO-antelope-230kv", ["Antelope Sub 220kV Bus", "Antelope Substation 230 kV", "ANTELOPE 230 KV"]],
		["CAISO", "CAISO-eldorado-230kv", ["SCE owned Eldorado Bus 230kV", "SCE portion of Eldorado Substation 230 kV"]],
		["CAISO", "CAISO-gates--midway-230kv", ["Midway- Gates 230 kV line", "Gates - Midway 230kV Tap"]],
		[
			"CAISO",
			"CAISO-butte--table-mountain-no2-115kv",
			["Butte-Table Mountain 115kV No. 2", "Table Mtn.-Butte #2 115 kV Line"],
		],
		["PJM", "PJM-grover-34.5kv", ["Grover 34.5 kV II", "Grover 34kV", "Grover 34.5kV #2"]],
		["MISO", "MISO-burr-oak--reynolds-345kv", ["REYNOLDS - BURR OAK 345.0kV", "Reynolds--Burr Oak 345kV line"]],
		[
			"ERCOT",
			"ERCOT-fowlerton--lobo-345kv",
			["Tap 345kV 80219 Lobo - 5709 Fowlerton", "tap 345 kV Lobo (80219) - Fowlerton (5709)"],
		],
		[
			"ERCOT",
			"ERCOT-riley--west-krum-no2-345kv",
			["Tap 345 kV 1730 West Krum - 6111 Riley CKT 2", "Riley (#6111) - West Krum (#1730) 345kV ckt02"],
		],
		[
			"NYISO",
			"NYISO-milliken--wright-avenue-no973-115kv",
			["Milliken to Wright Ave 115 kV line #973", "115kV line # 973 from Milliken to Wright Ave"],
		],
		[
			"MISO",
			"MISO-merom-primary--worthington-primary-345kv",
			["Merom Primary - Worthington Primary 345.0kV", "Worthington Primary - Merom Primary 345 kV line"],
		],
		["SPP", "SPP-montrose-115kv", ["Montrose 115 Substation", "Montrose 115 Sub"]],
		["MISO", "MISO-oneida-138kv", ["Oneida138kV Substation", "Oneida 138K", "ONEIDA 138 SWYD", "Oneida (138 kV bus)"]],
		[
			"MISO",
			"MISO-heron-138kv",
			["Heron 138 kV Substation (138 kV)", "Heron 138 Substation (69 kV)", "Heron (138 kV)"],
		],
		["MISO", "MISO-gates-230kv", ["Gates 230 kV (500 kV bus)", "Gates (230-kV)"]],
		["MISO", "MISO-heron--swan-345kv", ["Heron - Swan Line 345K", "Swan - Heron 345 kV"]],
		["MISO", "MISO-heron-line-34.5kv", ["Heron Line 34.5 kV", "Heron 34.5kV Line"]],
		["SPP", "SPP-windtalker-230kv", ["Windtalker 230 Switching Station", "Windtalker 230- Sub", "Windtalker 230 k"]],
		["MISO", "MISO-west-point-ms-500kv", ["West Point, MS 500-kV Substation (161-kV)", "West Point MS 500 kV"]],
		["ISO-NE", "ISO-NE-larrabee-road-345kv", ["CMP Larrabee Rd 345 kV Substation", "Larrabee Road station 345 kV"]],
	])("spellings of %s: %s", (region, id, spellings) => {
		expect(spellings.map((poi) => idOf(region, poi))).toEqual(spellings.map(() => id));
	});

	it("an owner is recognised by its first word or an abbreviation of it", () => {
		const [entergy, utility] = ["Entergy", "ENTERGY LOUISIANA, LLC"].map((name) => idOf("MISO", "Addis 230kV", name));
		expect(entergy).toBe(utility);
		for (const [one, other] of [
			["CHG&E", "CenHud"],
			["NM-NG", "NGrid"],
			["SUNC", "SEPC"],
		] as const)
			expect(idOf("NYISO", "Hurley 345kV", one)).toBe(idOf("NYISO", "Hurley 345kV", other));
		expect(idOf("CAISO", "Innovation 230 kV", "VEA")).toBe(idOf("CAISO", "Innovation Substation 230kV", "GLW"));
	});
});

describe("points that may differ have different ids", () => {
	it.each<[string, string | null, string | null]>([
		["owners", idOf("CAISO", "Mesa 230 kV", "PGAE"), idOf("CAISO", "Mesa 230KV", "SCE")],
		[
			"states",
			idOf("PJM", "Franklin 138 kV", "APS", { state: "PA" }),
			idOf("PJM", "Franklin 138 kV", "APS", { state: "WV" }),
		],
		["voltages", idOf("CAISO", "Midway 230 kV"), idOf("CAISO", "Midway 500 kV")],
		[
			"counties, without a voltage",
			idOf("MISO", "Yankee", "NSP", { county: "Lincoln" }),
			idOf("MISO", "Yankee", "NSP", { county: "Mower" }),
		],
		[
			"one circuit and both",
			idOf("ERCOT", "Tap 345kV Camp - Moss CKT #01 and #02"),
			idOf("ERCOT", "Camp - Moss 345kV Ckt 1"),
		],
		["circuits", idOf("NYISO", "Moses-Willis 230kV (MW1)"), idOf("NYISO", "Moses-Willis 230 kV (MW2)")],
		["a nominal voltage and a number that is not one", idOf("ISO-NE", "Amherst 69K"), idOf("ISO-NE", "Amherst 17K")],
		["a voltage and the number of a request", idOf("MISO", "Heron 230 kV"), idOf("MISO", "Heron Q230 kV")],
		[
			"the number of a road and a voltage",
			idOf("MISO", "US Highway 69 (county road)"),
			idOf("MISO", "US Highway (county road) 69 kV"),
		],
		["a station and its tap", idOf("PJM", "Gratz 69 kV"), idOf("PJM", "Gratz Tap 69 kV")],
	])("%s", (_, one, other) => {
		expect(one).not.toBeNull();
		expect(one).not.toBe(other);
	});

	it("a text that names no single point has no id", () => {
		for (const poi of [
			"",
			"TBD 12 kV",
			"Other_",
			"J3064",
			"Farragut 345kV, Rainey 345kV",
			"Sobrante-A and Sobrante-B 230 kV lines",
			"NGrid 115kV",
			"NYIS-PJM",
			"Mystic 115 and 345 kV Stations",
			"Primary National Grid Brayton Point 345kV",
			"115 kV Brayton Point Station (Primary)",
		])
			expect([poi, idOf("NYISO", poi)]).toEqual([poi, null]);
	});
});

it("a point without a state has the id of its only namesake in the list", () => {
	const filed = (
		poi: string,
		state: string | null,
		county: string | null = null,
		utility: string | null = "Ameren",
	) => {
		const point = { poi, utility, state, county };
		return { ...point, poiId: poiIdOf(point, "MISO") };
	};
	const joined = fillMissingState(
		[
			filed("Sioux", "MO", "St. Charles"),
			filed("SIOUX", null, "St. Charles"),
			filed("Sioux", null, "Cole"),
			filed("Sioux", null),
			filed("Big Stone 345 kV", "SD"),
			filed("Big Stone 345 kV", "MN"),
			filed("Big Stone 345 kV", null),
			filed("Heron 138 kV", "IL"),
			filed("Heron 138kV Substation", null),
			filed("Heron 345 kV", null),
			filed("Heron 138 kV", null, null, "METC"),
			filed("Heron 138 kV", "IL", null, null),
			filed("Heron 138 kV", null, null, null),
		],
		"MISO",
	);
	expect(joined.map(({ poiId }) => poiId)).toEqual([
		"MISO-ameren-mo-sioux-st-charles",
		"MISO-ameren-mo-sioux-st-charles",
		"MISO-ameren-sioux-cole",
		"MISO-ameren-sioux",
		"MISO-ameren-sd-big-stone-345kv",
		"MISO-ameren-mn-big-stone-345kv",
		"MISO-ameren-big-stone-345kv",
		"MISO-ameren-il-heron-138kv",
		"MISO-ameren-il-heron-138kv",
		"MISO-ameren-heron-345kv",
		"MISO-metc-heron-138kv",
		"MISO-il-heron-138kv",
		"MISO-heron-138kv",
	]);
});

it("a search finds a point by its name and voltage", () => {
	expect([poiIdSuffix("Midway 500 kV"), poiIdSuffix("Gates - Midway 230kV line"), poiIdSuffix("Midway")]).toEqual([
		"midway-500kv",
		"gates--midway-230kv",
		null,
	]);
});

it("each spelling names the rule that maps it to the point", () => {
	const rules = ["GATES 230kV", "230 kV Gates", "Gates Substation 230 kV", "Gates 220 kV"].map((spelling) =>
		findSpellingRule(spelling, "Gates 230 kV"),
	);
	expect(rules).toEqual([
		"case, spaces and punctuation",
		"order of the words",
		"abbreviations, or words beside the name (kind of station, owner, bus, request)",
		"nominal voltage",
	]);
});

type Side = "first" | "second";
type Pair = Record<`${Side}_${"poi" | "utility" | "state" | "county"}` | "region" | "verdict", string>;

/** Drawn at random by operator among requests of one point with different spellings, and read by a person with both names and counties. */
const pairs: Pair[] = parse(readFileSync(new URL("../../../tools/truth/pois-by-hand.csv", import.meta.url)), {
	columns: true,
});

it("at least 97 % of 200 hand-checked pairs have one id", () => {
	const pointOf = (pair: Pair, side: Side) =>
		poiIdOf(
			{
				poi: pair[`${side}_poi`],
				utility: pair[`${side}_utility`] || null,
				state: pair[`${side}_state`] || null,
				county: pair[`${side}_county`] || null,
			},
			pair.region as ProjectRegion,
		);
	const joined = pairs.filter(
		(pair) => pointOf(pair, "first") !== null && pointOf(pair, "first") === pointOf(pair, "second"),
	);
	expect(pairs).toHaveLength(200);
	expect(joined.length).toBeGreaterThan(190);
	expect(joined.filter(({ verdict }) => verdict === "same").length / joined.length).toBeGreaterThanOrEqual(0.97);
	expect(pairs.filter((pair) => pair.verdict === "different" && joined.includes(pair))).toEqual([]);
});
