import { describe, expect, it } from "vitest";
import type { Table } from "#libs/files/table.ts";
import { programSheet, stateCounties } from "../../../../test/scoring/support/sample-lists.ts";
import { workbook } from "../../../../test/support/file-formats.ts";
import { describeRealFiles } from "../../../../test/support/real-files.ts";
import { readReference } from "./index.ts";
import { readProgramSheets } from "./low-income.ts";
import type { LowIncomeTracts, ReferenceFile } from "./reference.ts";

const read = async (file: ReferenceFile): Promise<LowIncomeTracts> => {
	const content = await readReference("low-income", file, "2026-11-20");
	if (content.source !== "low-income") throw new Error(`read as ${content.source}`);
	return content;
};
const json = (body: unknown): ReferenceFile => ({ name: "nmtc.json", bytes: Buffer.from(JSON.stringify(body)) });

/** Tracts of the published layout; each county's first ten. */
const entries = (tracts: number): [string, unknown[]][] =>
	Array.from({ length: tracts }, (_, at) => {
		const county = stateCounties[at % stateCounties.length];
		const tract = `${county?.fips}${100_000 + Math.floor(at / stateCounties.length)}`;
		return [tract, [county?.state, `${county?.name} County`, 24.1, 73.6, 4, 1, 0, "N"]];
	});

describeRealFiles("geography", (open) => {
	const file = () => open("nmtc_tract_eligible.json");

	it("the CDFI list holds 35,167 low-income tracts in 2,833 counties", async () => {
		const list = await read(file());
		expect(list).toMatchObject({ validFrom: "2023-09-01", rowsIn: 35_167, dropped: [] });
		expect(list.tracts).toHaveLength(35_167);
		expect(list.counties).toHaveLength(2_833);
		expect(list.counties.find(({ fips }) => fips === "09003")).toEqual({ fips: "09003", low_income: 87, tracts: null });
		expect(list.tracts[0]).toEqual({ tract: "01001020200", share: 1, file_row: 1, filed: ["0", "1"] });
	});

	it("half of it is refused", async () => {
		const { name, bytes } = file();
		await expect(read({ name, bytes: bytes.subarray(0, bytes.length / 2) })).rejects.toThrow("the file is truncated");
	});
});

describe("low-income tracts as JSON", () => {
	it("with tracts that do not qualify state the number of all tracts of a county, and drop what is no tract with the reason", async () => {
		const rows = entries(31_000);
		rows.push(["01001999999", ["AL", "Autauga County", 5, 120, 3, 0, 0, "N"]]);
		rows.push(["0100102020", []], ["01001999998", ["AL", "Autauga County", 5]]);
		const list = await read(json(Object.fromEntries(rows)));
		expect(list.tracts).toHaveLength(31_000);
		expect(list.counties.find(({ fips }) => fips === "01001")).toEqual({ fips: "01001", low_income: 10, tracts: 11 });
		expect(list.rowsIn).toBe(31_003);
		expect(list.dropped.map(({ reason, count }) => [reason, count])).toEqual([
			["not a census tract", 1],
			["the row does not state whether the tract qualifies", 1],
		]);
	});

	it.each<[string, ReferenceFile, string]>([
		["of one state", json(Object.fromEntries(entries(900))), "covers one state"],
		["too many", json(Object.fromEntries(entries(46_000))), "more than the plausible 45000"],
		["an array", json([1, 2]), "not a JSON object"],
		["of counties", json({ "01001": 1 }), "only 0 low-income tracts"],
		["nothing", { name: "nmtc.json", bytes: new Uint8Array() }, "empty"],
		["a page", { name: "nmtc.json", bytes: Buffer.from("<html>") }, "HTML page"],
	])("%s is refused", async (_what, file, reason) => {
		await expect(read(file)).rejects.toThrow(reason);
	});
});

describe("the 48E(h) program's workbook", () => {
	const name = "1771958807-CleanElectricityLowIncome_Excel_20260217_0.xlsx";
	const notes: Table = { name: "Notes", rows: [["x"]] };
	const parse = (sheet: Table) => readProgramSheets(name, [notes, sheet], "2026-11-20");

	it("is recognised and read by its sheet: a short one is refused", async () => {
		const bytes = await workbook([notes, programSheet(20, 50)]);
		await expect(read({ name, bytes })).rejects.toThrow("only 50 tracts, but a complete list has at least 80000");
	});

	it("states how much of each tract is in category 1, and its day in its name", () => {
		const list = parse(programSheet(36_370, 80_100));
		expect(list).toMatchObject({
			name: "48E(h) category 1 low-income communities (tracts of 2025)",
			validFrom: "2026-02-17",
			rowsIn: 80_100,
		});
		expect(list.tracts).toHaveLength(36_370);
		expect(list.tracts.slice(0, 2).map(({ share }) => share)).toEqual([1, 0.375]);
		expect(list.counties.find(({ fips }) => fips === "01001")).toMatchObject({ low_income: 12, tracts: 26 });
	});

	it("may write percentages as fractions, and drops invalid ones", () => {
		const { name: title, rows } = programSheet(36_370, 80_100);
		const fractions = rows.map(([tract, percent]) => [tract, typeof percent === "number" ? percent / 100 : percent]);
		const list = readProgramSheets(
			"Category1.xlsx",
			[{ name: title, rows: [...fractions, ["01001999999", "N/A"]] }],
			"2026-11-20",
		);
		expect(list.validFrom).toBe("2026-11-20");
		expect(list.tracts.slice(0, 2).map(({ share }) => share)).toEqual([1, 0.375]);
		expect(list.dropped).toMatchObject([{ reason: "not a percentage", count: 1 }]);
	});

	it.each<[string, Table, string]>([
		["no low-income tract", programSheet(0, 80_100), "only 0 low-income tracts"],
		[
			"no such sheet",
			{ name: "Sheet1", rows: [["Census tract GEOID 2025", "Percent in category 1"]] },
			'no sheet "Tract percentages"',
		],
		["another header", { name: "Tract percentages", rows: [["GEOID", "Percent"]] }, "required column missing"],
	])("with %s is refused", (_what, sheet, reason) => {
		expect(() => parse(sheet)).toThrow(reason);
	});
});
