import { expect, it } from "vitest";
import type { Cell } from "#libs/files/values.ts";
import { csv, workbook } from "../../../../test/support/file-formats.ts";
import { queueFile, queueRows } from "../../../../test/support/queue-files.ts";
import { accountedRows } from "../../../../test/support/real-files.ts";
import { standardise } from "../standardise.ts";
import { operator } from "./bpa.ts";

const [bpa] = operator.lists;
if (bpa === undefined) throw new Error("no list");

const header = ["id", "project_name", "queue_id", "status", "location", "capacity_mw", "poi_substation", "source_row"];
const derived = async (...rows: Cell[][]) => {
	const named = rows.map((row) => [`BPA-${row[1]}`, ...row, "9"]);
	return bpa.parse({ name: "bpa.csv", bytes: csv([header, ...named]) });
};

it("reads a load's several lines, two counties, and a county before its state", async () => {
	const parsed = await derived(
		["Dry Creek", "L0705", "RECEIVED", "Adams", "3300.0", "Hanford No 1\nAshe No 1"],
		["Heron Data Center", "L0673", "STUDY", "Benton, WA", "2750.0", "Ashe 500 kV Substation"],
		["Tidwell", "L0674", "CONST AGRMT EXE", "Umatilla and Morrow", "0", "Ashe"],
	);
	const located = parsed.requests.map((request) => standardise(request, { operator, asOf: "2026-09-28T00:00:00Z" }));
	expect(located).toMatchObject([
		// Washington and Idaho each have a county of this name.
		{
			number: "L0705",
			county: "Adams",
			state: null,
			capacityMw: 3300,
			poi: "Hanford No 1; Ashe No 1",
			studyPhase: "Not Started",
		},
		{ number: "L0673", county: "Benton", state: "WA", fips: "53005", studyPhase: "SIS", constructionStage: "early" },
		{
			counties: ["Umatilla", "Morrow"],
			state: "OR",
			capacityMw: null,
			studyPhase: "IA Executed",
			constructionStage: "late",
		},
	]);
	expect(parsed.requests.every(({ kind, typeStd }) => kind === "load" && typeStd === "Load")).toBe(true);
});

it.each([
	["Longhorn-McNary 230 kV Loop", "transmission"],
	["Juan de Fuca HVDC (Port Angeles)", "transmission"],
	["Tidwell Line", "transmission"],
	["Tap Line for Heron Data Center", "load"],
	["Keeler Substation", "load"],
	[null, "load"],
])("%s is of kind %s", async (name, kind) => {
	const { requests } = await derived([name, "L0001", "STUDY", "Benton, WA", "100", "Ashe"]);
	expect(requests).toMatchObject([{ kind, typeStd: kind === "load" ? "Load" : "Transmission" }]);
});

it.each([
	["E&P EXECUTED", "Active", "GIA"],
	["ENERGIZED", "Operational", "IA Executed"],
	["STUDY COMPLETED", "Active", "Facilities"],
	["WITHDRAWN", "Withdrawn", null],
	["BPA COMPLETED", "Unknown", null],
	["PAUSED", "Unknown", null],
])("a request that is %s is %s, in phase %s", async (status, statusStd, studyPhase) => {
	const parsed = await derived(["Heron", "L0001", status, "Benton, WA", "100", "Ashe"]);
	expect(parsed.requests).toMatchObject([{ status, statusStd, studyPhase }]);
	expect(parsed.unknownValues.map(({ value }) => value)).toEqual(status === "PAUSED" ? ["PAUSED"] : []);
});

it("reads Bonneville's workbook as of the day above its header, without its generation requests", async () => {
	const [row, ...rows] = queueRows("bpa-line-load", { count: 3 });
	if (row === undefined) throw new Error("no row");
	const file = await queueFile("bpa-line-load", [{ ...row, number: "G0001" }, ...rows], { layout: "xlsx" });
	expect(bpa.recognises(file)).toBe(true);
	const parsed = await bpa.parse(file);
	expect(parsed).toMatchObject({ publishedOn: "2026-07-20", rowsIn: 3, unknownColumns: [], unknownValues: [] });
	expect(parsed.requests.map(({ number }) => number)).toEqual(["L0002", "L0003"]);
	expect(parsed.requests[0]).toMatchObject({
		developer: rows[0]?.developer,
		queueDate: rows[0]?.queueDate,
		cod: rows[0]?.cod,
	});
	expect(parsed.dropped).toEqual([{ reason: "a generation request", count: 1, examples: ["G0001"] }]);
	expect(accountedRows(parsed)).toBe(3);
	const other = { name: "x.xlsx", bytes: await workbook([{ name: "Sheet1", rows: [["Request Number"]] }]) };
	await expect(bpa.parse(other)).rejects.toThrow("no sheet has the columns of the queue");
});
