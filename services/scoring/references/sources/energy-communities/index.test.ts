import { describe, expect, it } from "vitest";
import { irsLines, stateCounties } from "../../../../../test/scoring/support/sample-lists.ts";
import { csv } from "../../../../../test/support/file-formats.ts";
import { describeRealFiles } from "../../../../../test/support/real-files.ts";
import { readEnergyCommunities } from "../index.ts";
import type { EnergyCommunities, ReferenceFile } from "../reference.ts";

const file = (name: string, content: string | Uint8Array): ReferenceFile => ({ name, bytes: Buffer.from(content) });
const qualifying = (list: EnergyCommunities) =>
	list.counties.filter(({ statistical }) => statistical).map(({ fips }) => fips);
const accounted = (list: EnergyCommunities) =>
	list.dropped.reduce((sum, { count }) => sum + count, list.counties.length);

describeRealFiles("energy_communities", (read) => {
	it.each([
		["notice_2024-48_appendix_1.tsv", "2024-48", "2024-06-07", 901],
		["energy_communities_2024.tsv", "2024-48", "2024-06-07", 901],
		["energy_communities_2023.tsv", "2023-47 + 2024-30", "2023-01-01", 965],
		["notice_2023-47_appendix_2.tsv", "2023-47", "2023-01-01", 843],
	])("%s is the list of Notice %s from %s, %i counties", async (name, notice, validFrom, counties) => {
		const list = await readEnergyCommunities(read(name));
		expect(list).toMatchObject({
			notice,
			validFrom,
			kind: "counties",
			complete: true,
			sample: false,
			rowsIn: counties,
		});
		expect(list.dropped).toEqual([]);
		expect(new Set(qualifying(list)).size).toBe(counties);
	});

	it("two periods share 789 counties, and 2024-30 adds 122 to 2023-47", async () => {
		const of = async (name: string) => new Set(qualifying(await readEnergyCommunities(read(name))));
		const [early, late] = [await of("energy_communities_2023.tsv"), await of("energy_communities_2024.tsv")];
		expect(early.intersection(late).size).toBe(789);
		expect(early.difference(await of("notice_2023-47_appendix_2.tsv")).size).toBe(122);
		expect(late.has("48201")).toBe(true);
		expect(late.has("12011")).toBe(false);
		// Alaska's parts of 2019, and whole island areas.
		expect(late.has("02063")).toBe(true);
		expect(early.has("78000")).toBe(true);
	});

	it.each([
		["calculated_energy_communities_2025_11months.tsv", "forecast"],
		["fossil_fuel_employment_counties.tsv", "unemployment"],
		["county_to_statistical_area_mapping.tsv", "not whether it qualifies"],
		["notice_2023-29_appendix_b.tsv", "unemployment"],
		["notice_2023-47_appendix_1.tsv", "unemployment"],
		["notice_2024-30_appendix_1.tsv", "unemployment"],
		["notice_2024-30_appendix_2.tsv", "load energy_communities_2023.tsv, which has both"],
		["SOURCE_README.md", "not a list of energy communities"],
		["rmi_energy_communities_counties.parquet", "not a list of energy communities"],
	])("%s is refused: %s", async (name, reason) => {
		await expect(readEnergyCommunities(read(name))).rejects.toThrow(reason);
	});

	it("half of a list is refused, whether truncated within a line or between two", async () => {
		const { name, bytes } = read("notice_2024-48_appendix_1.tsv");
		const half = bytes.subarray(0, bytes.length / 2);
		await expect(readEnergyCommunities({ name, bytes: half })).rejects.toThrow("truncated");
		const lines = half.subarray(0, half.lastIndexOf(10) + 1);
		await expect(readEnergyCommunities({ name, bytes: lines })).rejects.toThrow("a complete list has at least 500");
		const most = bytes.subarray(0, bytes.lastIndexOf(10, bytes.length - 2) + 1);
		await expect(readEnergyCommunities({ name, bytes: most })).rejects.toThrow(
			"900 qualifying counties, but Notice 2024-48 lists 901",
		);
	});

	it("a list under another list's name is refused by its number of counties", async () => {
		const { bytes } = read("notice_2024-48_appendix_1.tsv");
		await expect(readEnergyCommunities({ name: "notice_2026-39_appendix_1.tsv", bytes })).rejects.toThrow(
			"901 qualifying counties, but Notice 2026-39 lists 867",
		);
	});
});

describe("a notice's county list", () => {
	const name = "notice_2026-39_appendix_1.tsv";
	const text = (lines: readonly string[], end = "\n") => lines.join(end) + end;

	it("has a byte order mark and line ends of either kind", async () => {
		const list = await readEnergyCommunities(file(name, `\ufeff${text(irsLines(867), "\r\n")}`));
		expect(list.counties).toHaveLength(867);
		expect(list.counties[0]).toEqual({
			fips: "01001",
			statistical: true,
			area: "Some nonmetropolitan area",
			vintage: null,
			note: null,
			file_row: 1,
			filed: ["001", "01", "Some nonmetropolitan area"],
		});
	});

	it("drops unknown and repeated counties", async () => {
		const list = await readEnergyCommunities(
			file(name, text([...irsLines(867), "01\t001\tAgain", "01\t999\tNowhere"])),
		);
		expect(list.rowsIn).toBe(869);
		expect(accounted(list)).toBe(869);
		expect(list.dropped.map(({ examples }) => examples)).toEqual([["line 868: 01001"], ["line 869: 01999"]]);
	});

	it.each([
		[
			"columns in another order",
			text(irsLines(867).map((line) => line.split("\t").reverse().join("\t"))),
			"line 1 must be state FIPS",
		],
		["a header", text(["State\tCounty\tArea", ...irsLines(867)]), "line 1 must be state FIPS"],
		["commas", text(irsLines(867)).replaceAll("\t", ","), "line 1 must be state FIPS"],
		["codes without their zeros", text(irsLines(867)).replace("01\t001", "1\t1"), "line 1 must be state FIPS"],
		["a line of a page", text([...irsLines(400), "<br>", ...irsLines(867)]), "line 401 must be state FIPS"],
		["nothing", "", "empty"],
		["a page", "<!doctype html><title>Not found</title>", "HTML page"],
		["binary bytes", "01\t001\tA\0\n", "NUL"],
	])("with %s is refused", async (_what, content, reason) => {
		await expect(readEnergyCommunities(file(name, content))).rejects.toThrow(reason);
	});

	it.each([
		"counties.tsv",
		"notice_2026-39_appendix_2.tsv",
		"notice_2030-01_appendix_1.tsv",
		"energy_communities_2027.tsv",
	])("named %s is refused, because the name contains no known notice", async (other) => {
		await expect(readEnergyCommunities(file(other, text(irsLines(867))))).rejects.toThrow(
			"does not contain a known notice",
		);
	});
});

describe("a partial list", () => {
	const header = ["fips", "county", "state", "statistical", "coal_tracts", "vintage", "notice", "note"];
	const list = (...rows: string[][]) => file("places.csv", csv([header, ...rows]));

	it("decides about its counties and no others", async () => {
		const rows = [
			["21059", "Daviess", "KY", "Yes", "", "1", "2026-39", ""],
			["56023", "Lincoln", "WY", "no", "56023978400 56023978500", "", "2026-39", "by letter"],
			["01009", "Blount", "AL", "", "01009050105", "", "2026-39", ""],
		];
		const read = await readEnergyCommunities(list(...rows));
		expect(read).toMatchObject({ kind: "places", notice: "2026-39", complete: false, sample: false, rowsIn: 3 });
		expect(read.counties).toEqual([
			{
				fips: "21059",
				statistical: true,
				area: null,
				vintage: "1",
				note: null,
				file_row: 2,
				filed: ["Yes", "21059", null, "1"],
			},
			{
				fips: "56023",
				statistical: false,
				area: null,
				vintage: null,
				note: "by letter",
				file_row: 3,
				filed: ["no", "56023", "56023978400 56023978500", null],
			},
		]);
		expect(read.coalTracts.map(({ tract }) => tract)).toEqual(["56023978400", "56023978500", "01009050105"]);
	});

	it("is complete if it has all counties", async () => {
		const rows = stateCounties.map(({ fips, state, name }) => [fips, name, state, "no", "", "", "2026-39", ""]);
		expect((await readEnergyCommunities(list(...rows))).complete).toBe(true);
	});

	it("drops rows that are wrong, with the reason", async () => {
		const good = ["21059", "Daviess", "KY", "yes", "", "1", "2026-39", ""];
		const changed = (at: number, cell: string) => good.map((value, index) => (index === at ? cell : value));
		const bad = [
			good,
			changed(0, "21999"),
			changed(2, "TN"),
			changed(3, "maybe"),
			changed(3, ""),
			changed(5, "3"),
			changed(4, "56023978400"),
		];
		const read = await readEnergyCommunities(list(good, ...bad));
		expect(read.counties).toHaveLength(1);
		expect(read.rowsIn).toBe(8);
		expect(read.dropped.map(({ reason, count }) => [reason, count])).toEqual([
			["the county is listed a second time", 1],
			["no county has this code", 1],
			["the county is in another state", 1],
			["statistical is neither yes nor no", 2],
			["vintage is not 1, 2 or both", 1],
			["a tract is not in the county", 1],
		]);
	});

	it.each<[string, ReferenceFile, string]>([
		["no rows", list(), "not a known notice"],
		[
			"an unknown notice",
			list(["21059", "Daviess", "KY", "yes", "", "", "2031-01", ""]),
			'"2031-01" is not a known notice',
		],
		[
			"two notices",
			list(
				["21059", "Daviess", "KY", "yes", "", "", "2026-39", ""],
				["21061", "Edmonson", "KY", "yes", "", "", "2024-48", ""],
			),
			"several notices",
		],
		[
			"rows that are all wrong",
			list(["99999", "Nowhere", "KY", "yes", "", "", "2026-39", ""]),
			"no row names a valid county or tract",
		],
		["a missing column", file("places.csv", "fips,county,state,statistical\n21059,Daviess,KY,yes\n"), "coal_tracts"],
	])("with %s is refused", async (_what, bad, reason) => {
		await expect(readEnergyCommunities(bad)).rejects.toThrow(reason);
	});
});
