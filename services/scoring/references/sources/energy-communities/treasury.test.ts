import { describe, expect, it } from "vitest";
import type { Table } from "#libs/files/table.ts";
import { coalSheet, stateCounties, treasurySheet } from "../../../../../test/scoring/support/sample-lists.ts";
import { csv, workbook } from "../../../../../test/support/file-formats.ts";
import { readEnergyCommunities } from "../index.ts";
import type { EnergyCommunities, ReferenceFile } from "../reference.ts";
import { readCoalTracts, readTreasuryCounties } from "./treasury.ts";

const file = (name: string, content: string | Uint8Array): ReferenceFile => ({ name, bytes: Buffer.from(content) });
const book = async (name: string, ...sheets: Table[]) => file(name, await workbook(sheets));
const qualifying = (list: EnergyCommunities) =>
	list.counties.filter(({ statistical }) => statistical).map(({ fips }) => fips);
const accounted = (list: EnergyCommunities) =>
	list.dropped.reduce((sum, { count }) => sum + count, list.counties.length);

describe("Treasury's county workbook", () => {
	const name = "EC_MSA_FFE_U2025_AllCounties.xlsx";

	it("decides about every county, by either delineation", async () => {
		const list = await readEnergyCommunities(await book(name, treasurySheet(867)));
		expect(list).toMatchObject({
			notice: "2026-39",
			validFrom: "2026-06-10",
			complete: true,
			rowsIn: stateCounties.length,
		});
		expect(list.counties).toHaveLength(stateCounties.length);
		expect(qualifying(list)).toHaveLength(867);
		expect(list.counties.slice(0, 3).map(({ vintage, area }) => [vintage, area])).toEqual([
			["1", "Area 0 of 2020"],
			["2", "Area 1 of 2023"],
			["1 and 2", "Area 2 of 2020"],
		]);
		expect(list.counties.at(-1)).toMatchObject({ fips: "56045", statistical: false, vintage: null });
	});

	it("with the rates of the previous year is the list of the earlier notice", () => {
		const list = readTreasuryCounties("EC_MSA_FFE_U2024.xlsx", treasurySheet(880, 2024));
		expect(list).toMatchObject({ notice: "2025-31", validFrom: "2025-06-23" });
	});

	it("is read by column names in any order, and by county codes of three or five digits", () => {
		const sheet = treasurySheet(867);
		const [title, blank, header = [], ...rows] = sheet.rows;
		const five = rows.map(([state, county, ...rest]) => [state, Number(state) * 1000 + Number(county), ...rest]);
		const turned = [title ?? [], blank ?? [], ...[header, ...five].map((row) => [...row].reverse())];
		const list = readTreasuryCounties(name, { name: "Any", rows: turned });
		expect(qualifying(list)).toHaveLength(867);
	});

	const changed = (change: (rows: Table["rows"]) => void): Table => {
		const sheet = treasurySheet(867);
		change(sheet.rows);
		return sheet;
	};
	const set = (row: number, column: number, cell: string | number | null) =>
		changed((rows) => {
			(rows[row] ?? [])[column] = cell;
		});

	it.each<[string, Table, string]>([
		[
			"another number of qualifying counties",
			treasurySheet(866),
			"866 qualifying counties, but Notice 2026-39 lists 867",
		],
		["a year without a notice", treasurySheet(867, 2031), "matches no known notice"],
		["half of its rows", changed((rows) => rows.splice(1500)), "1497 counties, but a complete list has at least 3000"],
		["no column of a vintage", set(2, 8, "Remark"), "required column missing"],
		["columns of two years", set(2, 8, "2024 Energy Community (Vintage 2) (0/1)"), "matches no known notice"],
		["a flag that is none", set(10, 7, "yes"), "neither 0 nor 1"],
		["an empty flag", set(10, 8, null), "neither 0 nor 1"],
		["a contradiction", set(3, 9, 0), "contradicts"],
		["a county twice", set(4, 1, 1), "a second time"],
		["no header", changed((rows) => rows.splice(2, 1)), "required column missing"],
	])("with %s is refused", (_what, sheet, reason) => {
		expect(() => readTreasuryCounties(name, sheet)).toThrow(reason);
	});

	it("drops a footnote, which is not a county", () => {
		const sheet = changed((rows) => rows.push(["Note: rates are annual averages."]));
		const list = readTreasuryCounties(name, sheet);
		expect(list.dropped).toMatchObject([{ reason: "no county has this code", count: 1 }]);
		expect(accounted(list)).toBe(list.rowsIn);
	});

	it("is refused if it is truncated or not a workbook", async () => {
		const { bytes } = await book(name, treasurySheet(867));
		await expect(readEnergyCommunities({ name, bytes: bytes.subarray(0, bytes.length / 2) })).rejects.toThrow(
			"truncated",
		);
		await expect(readEnergyCommunities(file(name, "<html>"))).rejects.toThrow("HTML page");
		await expect(readEnergyCommunities(file(name, ""))).rejects.toThrow("empty");
		const other = book(name, { name: "Sheet1", rows: [["Queue", "State"]] });
		await expect(readEnergyCommunities(await other)).rejects.toThrow("no sheet has the header");
	});
});

describe("Treasury's coal-closure tracts", () => {
	it("have eleven digits and the day from which they qualify", async () => {
		const list = await readEnergyCommunities(await book("EC_CC_V5.xlsx", coalSheet(4477)));
		expect(list).toMatchObject({ kind: "coal-tracts", notice: "2026-39", complete: true, rowsIn: 4477, counties: [] });
		expect(list.coalTracts).toHaveLength(4477);
		expect(list.coalTracts[0]).toEqual({
			tract: "01001950000",
			tract_type: "Mine Closure",
			eligible_from: "2023-01-01",
			file_row: 2,
			filed: ["1001950000", "Mine Closure", "Jan. 1, 2023"],
		});
	});

	it.each<[string, string, Table, string]>([
		["fewer tracts", "EC_CC_V5.xlsx", coalSheet(4476), "4476 coal-closure tracts, but Notice 2026-39 lists 4477"],
		["half of them", "EC_CC_V5.xlsx", coalSheet(900), "a complete list has at least 1000"],
		["another version", "EC_CC_V9.xlsx", coalSheet(4477), "does not contain a known version"],
		["another name", "tracts.xlsx", coalSheet(4477), "does not contain a known version"],
	])("with %s are refused", (_what, name, sheet, reason) => {
		expect(() => readCoalTracts(name, sheet)).toThrow(reason);
	});
});

describe("the tracts of the notices' appendices", () => {
	const sources = ["2023-29 App C", "2023-47 App 3", "2024-48 App 2"];
	const rows = (count: number) =>
		coalSheet(count)
			.rows.slice(1)
			.map(([, , tract], at) => [`${tract}`, "01001", "Mine closure", sources[at % 3] ?? ""]);
	const header = ["tract_geoid_2020", "county_fips", "tract_types", "notice"];
	const table = (cells: string[][]) => readEnergyCommunities(file("coal_tracts.csv", csv([header, ...cells])));

	it("form a list of the newest notice among them", async () => {
		const list = await table(rows(4325));
		expect(list).toMatchObject({ kind: "coal-tracts", notice: "2024-48", validFrom: "2024-06-07", complete: true });
		expect(list.coalTracts).toHaveLength(4325);
		expect(list.coalTracts[0]).toMatchObject({ tract_type: "Mine closure", eligible_from: null, file_row: 2 });
	});

	it("are refused if some are missing, or no notice is known", async () => {
		await expect(table(rows(4324))).rejects.toThrow("4324 coal-closure tracts, but Notice 2024-48 lists 4325");
		await expect(table([["01001020100", "01001", "", "2020-01 App A"]])).rejects.toThrow("begins with a known notice");
	});
});
