import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Cell } from "#libs/files/values.ts";
import { readGenerators, readOwners, readPlants, readUtilities } from "./read-schedules.ts";

const title = ["2024 Form EIA-860 Data - Schedule 4, 'Generator Ownership' (Jointly or Third-Party Owned Only)"];
const early = ["These data are preliminary: EARLY RELEASE"];
const ownerHeader = [
	...["Utility ID", "Utility Name", "Plant Code", "Plant Name", "State", "Generator ID", "Status"],
	...["Owner Name", "Owner Street Address", "Owner City", "Owner State", "Owner Zip", "Ownership ID", "Percent Owned"],
];
const owner = (generator: Cell, name: string, share: Cell, plant: Cell = 60001): Cell[] => [
	...[501, "Larkspur Operating LLC", plant, "Larkspur Ridge", "CO", generator, "OP"],
	...[name, "1 Main St", "Pueblo", "CO", 1007, 700, share],
];
const owners = (...rows: Cell[][]) => readOwners({ name: "Ownership", rows: [title, ownerHeader, ...rows] });
const accounted = ({ records, dropped }: { records: unknown[]; dropped: { count: number }[] }) =>
	records.length + dropped.reduce((sum, { count }) => sum + count, 0);

describe("schedule 4", () => {
	it("states the share as a fraction, whatever its column is called", () => {
		const { records } = owners(owner("1", "Alpha Power", 0.6), owner("1", "Beta Power", 0.4));
		expect(records.map((row) => [row.owner_name, row.fraction, row.position])).toEqual([
			["Alpha Power", 0.6, 1],
			["Beta Power", 0.4, 2],
		]);
		expect(records[0]).toMatchObject({ owner_id: 700, owner_zip: "01007", utility_id: 501, state: "CO" });
	});

	it("reads percentages in years whose shares sum to 100", () => {
		const { records, notes } = owners(
			owner("1", "Alpha Power", 60),
			owner("1", "Beta Power", 40),
			owner("2", "Gamma", 0.5),
		);
		expect(records.map((row) => row.fraction)).toEqual([0.6, 0.4, 0.005]);
		expect(notes).toEqual([
			{ reason: "shares of its generator do not sum to 1", count: 1, examples: ["60001 2: 0.005"] },
		]);
	});

	it("keeps shares that do not sum to 1, with a warning", () => {
		const { records, notes } = owners(owner("CT5", "Alpha", 1), owner("CT5", "Beta", 0.5), owner("1", "Gamma", 0.99));
		expect(records).toHaveLength(3);
		expect(notes).toEqual([
			{ reason: "shares of its generator do not sum to 1", count: 2, examples: ["60001 CT5: 1.500"] },
		]);
	});

	it("keeps zeros and spaces in a generator id, and an id that elsewhere means no value", () => {
		const { records } = owners(owner("001", "A", 1), owner("GEN 1", "A", 1), owner(1, "A", 1), owner("NA", "A", 1));
		expect(records.map((row) => row.generator_id)).toEqual(["001", "GEN 1", "1", "NA"]);
	});

	it("accounts for every row: notes, repeats, and rows without an owner, a plant or a valid share", () => {
		const read = owners(
			owner("1", "Alpha", 1),
			owner("1", "Alpha", 1),
			owner("2", "", 1),
			owner("3", "Alpha", 1, null),
			owner("4", "Alpha", -0.1),
			owner("5", "Alpha", null),
			["NOTE: Shares are as reported by the respondents of the survey.", ...Array(13).fill(null)],
		);
		expect(read.rowsIn).toBe(7);
		expect(accounted(read)).toBe(7);
		expect(read.dropped.map(({ reason }) => reason)).toEqual([
			"exact repeat of another row",
			"no owner named",
			"no plant code",
			"a share below 0 or above the whole",
			"a note, no row of the table",
		]);
		expect(read.records.map((row) => row.fraction)).toEqual([1, null]);
	});

	it("is read below two lines in an early release, in any order of columns, and with the headers of 2008", () => {
		const turned = [early, title, [...ownerHeader].reverse(), [...owner("1", "Alpha", 1)].reverse()];
		expect(readOwners({ name: "Ownership", rows: turned }).records[0]).toMatchObject({
			plant_id: 60001,
			owner_name: "Alpha",
		});
		const old = [
			[
				"UTILCODE",
				"UTILNAME",
				"PLNTCODE",
				"PLNTNAME",
				"GENCODE",
				"STATUS",
				"OWNERSHIP_ID",
				"OWNERNAME",
				"PERCENT_OWNED",
			],
			[501, "Larkspur Op", 60001, "Larkspur", "1", "OP", 700, "Alpha", 100],
		];
		expect(readOwners({ name: "OwnerY08", rows: old }).records[0]).toMatchObject({ utility_id: 501, fraction: 1 });
	});

	it("is refused without a required column", () => {
		const cut = ownerHeader.slice(0, -1);
		expect(() => readOwners({ name: "Ownership", rows: [title, cut] })).toThrow(StructureError);
	});

	it("accepts at most 200 owners of one generator", () => {
		const read = owners(...Array.from({ length: 250 }, (_, at) => owner("1", `Owner ${at}`, 0.004)));
		expect(read.records).toHaveLength(200);
		expect(read.dropped).toEqual([expect.objectContaining({ reason: "more than 200 owners", count: 50 })]);
	});
});

const unitHeader = [
	"Utility ID",
	"Plant Code",
	"Plant Name",
	"State",
	"County",
	"Generator ID",
	"Status",
	"Technology",
];
const unit = (generator: string, status = "OP"): Cell[] => [
	501,
	60001,
	"Larkspur",
	"CO",
	"Pueblo",
	generator,
	status,
	"Solar Photovoltaic",
];
const sheet = (name: string, ...rows: Cell[][]) => ({ name, rows: [["2024 Form EIA-860 Data"], unitHeader, ...rows] });

describe("schedule 3", () => {
	it("states by its sheets which generators operate, are planned or retired, each generator once", () => {
		const read = readGenerators([
			sheet("Operable", unit("1")),
			sheet("Proposed", unit("2", "P")),
			sheet("Retired and Canceled", unit("3", "RE"), unit("1", "RE")),
			sheet("Notes", ["as reported"]),
		]);
		expect(read.records.map((row) => [row.generator_id, row.stage])).toEqual([
			["1", "operable"],
			["2", "proposed"],
			["3", "retired"],
		]);
		expect(read.dropped.map(({ reason, count }) => [reason, count])).toEqual([
			["a second row of the same generator", 1],
			["a sheet of another kind", 3],
		]);
		expect(accounted(read)).toBe(read.rowsIn);
	});

	it("is refused without a sheet of operable generators", () => {
		expect(() => readGenerators([sheet("Proposed", unit("2"))])).toThrow(StructureError);
	});
});

it("schedules 1 and 2 yield each utility and plant once, with the plant's location and operator", () => {
	const utilities = readUtilities({
		name: "Utility",
		rows: [
			["title"],
			["Utility ID", "Utility Name", "City", "State", "Zip"],
			[501, "Larkspur Operating LLC", "Pueblo", "CO", 81001],
			[501, "Larkspur again", null, null, null],
			[502, " ", null, null, null],
		],
	});
	expect(utilities.records).toEqual([expect.objectContaining({ utility_id: 501, zip: "81001", entity_type: null })]);
	expect(accounted(utilities)).toBe(3);
	const plants = readPlants({
		name: "Plant",
		rows: [
			["Utility ID", "Utility Name", "Plant Code", "Plant Name", "State", "Latitude", "Longitude"],
			[501, "Larkspur Operating LLC", 60001, "Larkspur Ridge", "CO", 38.2, -104.6],
			[501, "Larkspur Operating LLC", 60002, "Nowhere", "Colorado", 999, "."],
		],
	});
	expect(plants.records.map(({ plant_id, state, lat, lon }) => [plant_id, state, lat, lon])).toEqual([
		[60001, "CO", 38.2, -104.6],
		[60002, null, null, null],
	]);
});
