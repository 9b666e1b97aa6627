import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RawFile } from "../../sources/source.ts";
import { partialSources, sourceOf } from "./index.ts";
import { entityOf, lbnlDate, numberOf, utilityRegionOf } from "./lbnl/values.ts";
import { lbnl } from "./lbnl.ts";

const csv = (text: string, name = "queues.csv"): RawFile => ({ name, bytes: new TextEncoder().encode(text) });

const edition2026 = `q_id,q_status,q_date,prop_date,on_date,wd_date,ia_date,IA_phase_raw,IA_phase_clean,county,state,fips_code,poi_name,region,project_name,utility,entity,developer,cluster,service,project_type,type_1,type_2,type_3,type_clean,mw_1,mw_2,mw_3,q_year,prop_year
c011,active,2020-07-17,2027-12-31,,,2024-05-01,Executed LGIA,IA Executed,yellowstone,MT,30111,Broadview,West,Big Sky,NWE,PacifiCorp,Acme Renewables LLC,C1,NRIS,Generation,Solar,Battery,,Solar+Battery,300,150,,2020,2027
C011,withdrawn,,,,2019-03-01,,,Facility Study,autauga,AL,1001,,Southeast,,,SOCO,,,,Upgrade,Gas,,,Gas,45,,,2015,
`;

const edition2024 = `q_id,q_status,q_date,q_year,ia_date,wd_date,on_date,entity,project_name,developer,utility,county_1,county_2,county_3,state,region,service,poi_name,prop_date,prop_year,IA_status_raw,IA_status_clean,type_clean,type1,type2,type3,mw1,mw2,mw3,mw_total
0517,operational,7/13/99,1999,"March 10, 2015",,2016-01-05,NYISO,Salt Rush,,NM-NG,lewis,jefferson,,NY,NYISO,ERIS,Line 1,12/1/2014 &6/1/2015,2015,,weird word,Wind,Wind,,,80,,,80
`;

describe("lbnl", () => {
	it("reads the edition of 2026, with columns without a field in raw", async () => {
		const { requests, rowsIn, unknownColumns, unknownValues } = await lbnl.parse(csv(edition2026));
		expect(rowsIn).toBe(2);
		expect(unknownColumns).toEqual([]);
		expect(unknownValues).toEqual([]);
		expect(requests[0]).toMatchObject({
			number: "c011",
			unit: "PacifiCorp",
			name: "Big Sky",
			developer: "Acme Renewables LLC",
			county: "yellowstone",
			type: "Solar+Battery",
			typeStd: "Solar + Storage",
			statusStd: "Active",
			capacityMw: 300,
			queueDate: "2020-07-17",
			cod: "2027-12-31",
			iaDate: "2024-05-01",
			iaStatusFiled: "Executed LGIA",
			studyPhase: "IA Executed",
			evidence: { stage: "late", basis: "lbnl", contradictory: false },
			raw: { entity: "PacifiCorp", region: "West", fips: "30111", project_type: "Generation" },
		});
		expect(requests[1]).toMatchObject({
			statusStd: "Withdrawn",
			studyPhase: null,
			queueDate: "2015-07-01",
			withdrawnDate: "2019-03-01",
			raw: { fips: "01001", project_type: "Upgrade" },
		});
	});

	it("reads older editions by their column names, and counts unknown values", async () => {
		const { requests, unknownValues, unknownColumns } = await lbnl.parse(csv(edition2024));
		expect(unknownColumns).toEqual([]);
		expect(unknownValues).toEqual([{ field: "ia_phase", value: "weird word", count: 1 }]);
		expect(requests[0]).toMatchObject({
			number: "0517",
			county: "lewis, jefferson",
			statusStd: "Operational",
			queueDate: "1999-07-13",
			cod: "2015-06-01",
			actualCod: "2016-01-05",
			iaDate: "2015-03-10",
		});
	});

	it("names the columns that are missing", async () => {
		await expect(lbnl.parse(csv("q_id,q_status\n1,active\n"))).rejects.toThrow("entity, state, type_clean, mw_1");
	});

	it("recognises its own files and no operator's", () => {
		expect(lbnl.recognises(csv(edition2026))).toBe(true);
		const zip = (name: string): RawFile => ({ name, bytes: Uint8Array.of(0x50, 0x4b, 3, 4) });
		expect(lbnl.recognises(zip("LBNL_Ix_Queue_Data_File_thru2025.xlsx"))).toBe(true);
		expect(lbnl.recognises(zip("lbnlisoqueues_2020.xlsx"))).toBe(true);
		expect(lbnl.recognises(zip("QueueReport.xlsx"))).toBe(false);
		expect(lbnl.recognises(csv("Position,Type\n1,G\n"))).toBe(false);
	});

	it("compares numbers without case and surrounding space", () => {
		expect(lbnl.key(" c011 ")).toBe("C011");
	});
});

describe("requests of utilities", () => {
	const parts = (source: string) =>
		Promise.all(partialSources.map(async ({ feed, parse }) => [feed, (await parse(csv(source))).requests] as const));

	it("form a list of their region, of kind utility, with the utility as prefix of their numbers", async () => {
		const lists = new Map(await parts(edition2026));
		expect([...lists].map(([feed, requests]) => [feed, requests.length])).toEqual([
			["lbnl-duke", 0],
			["lbnl-soco", 1],
			["lbnl-tva", 0],
			["lbnl-west", 1],
			["lbnl-southeast", 0],
		]);
		expect(lists.get("lbnl-west")).toMatchObject([
			{
				...{ number: "c011", kind: "utility", utility: "PacifiCorp", statusBasis: "other_source" },
				components: [
					{ typeStd: "Solar", capacityMw: 300 },
					{ typeStd: "Storage", capacityMw: 150 },
				],
			},
		]);
		expect(sourceOf("lbnl-west")).toMatchObject({ numbersByUtility: true, utility: "utility" });
		expect(sourceOf("lbnl-duke").key("18124")).toBe(sourceOf("duke-active").key("018124"));
		expect(new Map(await parts(edition2024)).values().every((requests) => requests.length === 0)).toBe(true);
	});

	it("omit operators' requests, and keep the region of a utility's own list", () => {
		expect(["Duke", "DEP", "SOCO", "TVA", "FPL"].map((entity) => utilityRegionOf(entity, "Southeast"))).toEqual([
			...["DUKE", "DUKE", "SOCO", "TVA", "SOUTHEAST"],
		]);
		expect([
			utilityRegionOf("BPA", "West"),
			utilityRegionOf("Duke", "MISO"),
			utilityRegionOf("PJM", undefined),
		]).toEqual(["WEST", null, null]);
		expect(["PSCO", "T-S", "BPA", "SOCO"].map(entityOf)).toEqual(["PSCo", "TSGT", "BPA", "Southern Company"]);
	});

	it.each([
		["2011-03-01 00:00:00", "2011-03-01"],
		["3/1/2011", "2011-03-01"],
		["2020-03-26 07:34:00", "2020-03-26 07:34:00"],
		["12-2033", "12-2033"],
		[null, null],
	])("with the number %j have %j", (cell, number) => {
		expect(numberOf(cell)).toBe(number);
	});
});

describe("lbnlDate", () => {
	it.each<[string | number | Date, string | null]>([
		["31dec2020", "2020-12-31"],
		["March 10, 2015", "2015-03-10"],
		["05/2023", "2023-05-01"],
		["45049", "2023-05-03"],
		[45049, "2023-05-03"],
		[17197, "2007-01-31"],
		["7/13/99", "1999-07-13"],
		["5/17/07", "2007-05-17"],
		["10/15/28", "2028-10-15"],
		[2023, "2023-07-01"],
		["12/1/2025 &12/1/2027", "2027-12-01"],
		[new Date("2020-08-13T00:00:00Z"), "2020-08-13"],
		["In Service", null],
		["TBD", null],
		[0, null],
	])("%s is %s", (cell, day) => {
		expect(lbnlDate(cell)).toBe(day);
	});
});

const dir = join(process.env.REAL_DATA_DIR ?? "../shared/data", "lbnl");
if (!existsSync(dir)) console.warn(`Skipped: LBNL's real files, as ${dir} does not exist (REAL_DATA_DIR).`);

describe.skipIf(!existsSync(dir))("real LBNL files", () => {
	it.each([
		["lbnlisoqueues_2020.xlsx", 14_241, 406],
		["intq.derived.csv", 14_328, 0],
	])(
		"%s: every row is a request or is accounted for",
		async (name, rows, withoutNumber) => {
			const file = { name, bytes: new Uint8Array(readFileSync(join(dir, name))) };
			expect(lbnl.recognises(file)).toBe(true);
			const { requests, dropped, rowsIn, unknownColumns, unknownValues } = await lbnl.parse(file);
			expect(rowsIn).toBe(rows);
			expect(requests.length + dropped.reduce((sum, { count }) => sum + count, 0)).toBe(rows);
			expect(dropped.find(({ reason }) => reason === "no q_id")?.count ?? 0).toBe(withoutNumber);
			expect(unknownColumns).toEqual([]);
			expect(unknownValues).toEqual([]);
			expect(requests.every(({ queueDate }) => queueDate === null || queueDate < "2024-01-01")).toBe(true);
			const ofUtilities = requests.filter(({ raw }) => /^(West|Southeast)$/.test(raw.region ?? ""));
			const parts = await Promise.all(partialSources.map(({ parse }) => parse(file)));
			expect(parts.reduce((sum, part) => sum + part.requests.length, 0)).toBe(ofUtilities.length);
			expect(parts.every((part) => part.rowsIn === part.requests.length)).toBe(true);
		},
		60_000,
	);
});

const tricky = join(dir, "../../data_2026-11/cases/lbnl_2026_tricky_rows.csv");
it.skipIf(!existsSync(tricky))(
	"in rows of 2026 parts have precedence over labels, and missing values are not guessed",
	async () => {
		const { requests, rowsIn } = await lbnl.parse({ name: "queues.csv", bytes: new Uint8Array(readFileSync(tricky)) });
		expect(rowsIn).toBe(9);
		const shown = requests.map(({ number, statusStd, typeStd, capacityMw, state }) => [
			...[number, statusStd, typeStd, capacityMw, state],
		]);
		expect(shown).toEqual([
			["Q225", "Active", "Solar + Storage", 200, "AZ"],
			["2011-03-01", "Active", "Gas", 115, "WY"],
			["L002", "Active", "Other", null, "MN"],
			["1667", "Active", "Solar + Storage", 150, "CA"],
			["R5066", "Active", "Other Storage + Storage", 20.2, "WI"],
			["J4183", "Active", "Other", 99.9, null],
			["1660", "Active", "Wind", 300, "MX"],
			["21INR0029", "Active", "Storage", 50, "TX"],
			["X-UNKNOWN", "Unknown", "Wind", 100, "WA"],
		]);
	},
);
