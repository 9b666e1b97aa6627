import { describe, expect, test } from "vitest";
import { HeadedTable } from "#libs/files/table.ts";
import type { Cell } from "#libs/files/values.ts";
import { layoutOf, megawatts, text, word } from "../filed-cells.ts";
import { findDrift } from "./drift.ts";
import { layoutHash, structureOf, type TableStructure } from "./structure.ts";

const headers = ["Queue Number", "Status", "MW", "Notes"];
const rowsOf = (count: number, row: (at: number) => Cell[]): Cell[][] =>
	Array.from({ length: count }, (_, at) => row(at));
const usual = (at: number): Cell[] => [
	`Q${at}`,
	at % 3 === 0 ? "Active" : "Withdrawn",
	10 + at,
	at % 2 === 0 ? "none" : "see study",
];

/** A sheet in which the first three columns are read. */
function sheet(name: string, names = headers, rows = rowsOf(40, usual)): TableStructure {
	const table = new HeadedTable({ name, rows: [names, ...rows] }, [["Queue Number"]]);
	const [described] = structureOf([layoutOf(table, { number: text(0), status: word(1), capacity_mw: megawatts(2) })]);
	if (described === undefined) throw new Error("no table");
	return described;
}
const between = (before: TableStructure[], after: TableStructure[]) =>
	findDrift({ tables: before, unknown: [] }, { tables: after, unknown: [] });

describe("the structure of a table", () => {
	test("contains the types, the share of filled cells and the coded values of each column", () => {
		const { columns, ...rest } = sheet("Queue");
		expect(rest).toEqual({ sheet: "Queue", rows: 40 });
		expect(columns).toEqual([
			{ header: "Queue Number", fields: ["number"], filled: 1, kinds: { text: 40 }, words: null },
			{ header: "Status", fields: ["status"], filled: 1, kinds: { text: 40 }, words: ["Active", "Withdrawn"] },
			{ header: "MW", fields: ["capacity_mw"], filled: 1, kinds: { number: 40 }, words: null },
			{ header: "Notes", fields: [], filled: 0.5, kinds: { text: 20 }, words: null },
		]);
	});
	test("has the same layout in any spelling of the headers, and another layout with another header", () => {
		expect(layoutHash([sheet("Queue", ["Queue Number", " STATUS", "mw:", "Notes"])])).toBe(
			layoutHash([sheet("Queue")]),
		);
		expect(layoutHash([sheet("Queue", ["Queue Number", "State", "MW", "Notes"])])).not.toBe(
			layoutHash([sheet("Queue")]),
		);
	});
});

describe("drift between two lists", () => {
	test("is empty if only rows are added and removed", () => {
		expect(between([sheet("Queue")], [sheet("Queue", headers, rowsOf(44, usual))])).toEqual([]);
	});

	test("a new header in the same place is a renaming: an error for a column that is read, else a notice", () => {
		const at = { sheet: "Queue", before: "MW", after: "MW Size", column: "MW Size" };
		const [before, after] = [sheet("Queue"), sheet("Queue", ["Queue Number", "Status", "MW Size", "Notes"])];
		expect(between([before], [after])).toEqual([{ class: "column_renamed", severity: "warning", ...at }]);
		const unread = after.columns.map((column) => (column.header === "MW Size" ? { ...column, fields: [] } : column));
		expect(between([before], [{ ...after, columns: unread }])).toEqual([
			{ class: "column_renamed", severity: "error", ...at },
		]);
		expect(between([before], [sheet("Queue", ["Queue Number", "Status", "MW", "Remarks"])])).toEqual([
			{
				class: "column_renamed",
				severity: "notice",
				sheet: "Queue",
				column: "Remarks",
				before: "Notes",
				after: "Remarks",
			},
		]);
	});

	test("a removed column is an error if a field was read from it, and a new one is a notice", () => {
		const narrow = sheet(
			"Queue",
			headers.slice(0, 2),
			rowsOf(40, (at) => usual(at).slice(0, 2)),
		);
		expect(between([sheet("Queue")], [narrow])).toEqual([
			{ class: "column_gone", severity: "error", sheet: "Queue", column: "MW", before: "MW", after: null },
			{ class: "column_gone", severity: "notice", sheet: "Queue", column: "Notes", before: "Notes", after: null },
		]);
		expect(between([narrow], [sheet("Queue")]).map(({ class: named, severity }) => [named, severity])).toEqual([
			["column_new", "notice"],
			["column_new", "notice"],
		]);
	});

	test("a dropped sheet is an error; a new or renamed one is a warning", () => {
		const both = [sheet("Queue"), sheet("Withdrawn")];
		expect(between(both, both.slice(0, 1))).toEqual([
			{ class: "sheet_gone", severity: "error", sheet: "Withdrawn", column: null, before: "Withdrawn", after: null },
		]);
		expect(between(both.slice(0, 1), both)).toMatchObject([{ class: "sheet_new", severity: "warning" }]);
		expect(between(both, [sheet("Queue"), sheet("Withdrawn Projects")])).toEqual([
			{
				...{ class: "sheet_renamed", severity: "warning", sheet: "Withdrawn Projects", column: null },
				...{ before: "Withdrawn", after: "Withdrawn Projects" },
			},
		]);
	});

	test("a value outside the vocabulary is reported once, not for each list", () => {
		const tables = [sheet("Queue")];
		const paused = { field: "status", value: "Paused" };
		expect(findDrift({ tables, unknown: [] }, { tables, unknown: [paused] })).toEqual([
			{ class: "word_new", severity: "warning", sheet: null, column: "status", before: null, after: "Paused" },
		]);
		expect(findDrift({ tables, unknown: [paused] }, { tables, unknown: [paused] })).toEqual([]);
	});

	test("a column that became empty is an error if a field is read from it", () => {
		const emptied = sheet(
			"Queue",
			headers,
			rowsOf(40, (at) => [`Q${at}`, usual(at)[1], null, ""]),
		);
		expect(between([sheet("Queue")], [emptied])).toEqual([
			{
				...{ class: "nulls_jumped", severity: "error", sheet: "Queue", column: "MW" },
				...{ before: "100.0 % filled", after: "0.0 % filled" },
			},
			{
				...{ class: "nulls_jumped", severity: "notice", sheet: "Queue", column: "Notes" },
				...{ before: "50.0 % filled", after: "0.0 % filled" },
			},
		]);
	});

	test("a column of numbers mostly written as text has another type", () => {
		const asText = (share: number) =>
			sheet(
				"Queue",
				headers,
				rowsOf(40, (at) => (at < 40 * share ? usual(at).with(2, String(10 + at)) : usual(at))),
			);
		for (const share of [1, 0.75])
			expect(between([sheet("Queue")], [asText(share)])).toEqual([
				{
					class: "type_changed",
					severity: "warning",
					sheet: "Queue",
					column: "MW",
					before: "number",
					after: "number_as_text",
				},
			]);
		expect(between([sheet("Queue")], [asText(0.25)])).toEqual([]);
	});

	test("losing half of the rows is a warning; a few more rows are not reported", () => {
		expect(
			between([sheet("Queue", headers, rowsOf(200, usual))], [sheet("Queue", headers, rowsOf(100, usual))]),
		).toEqual([
			{ class: "rows_jumped", severity: "warning", sheet: "Queue", column: null, before: "200", after: "100" },
		]);
		expect(between([sheet("Queue", headers, rowsOf(26, usual))], [sheet("Queue", headers, rowsOf(48, usual))])).toEqual(
			[],
		);
	});
});
