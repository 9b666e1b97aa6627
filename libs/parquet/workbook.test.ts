import readSheets from "read-excel-file/node";
import { expect, test } from "vitest";
import type { Column } from "#libs/contract/exports/columns.ts";
import { writeWorkbook } from "./workbook.ts";

const columns: Column[] = [{ name: "name", type: "string", nullable: true, unit: null, description: '=1 "&<\u0001' }];
const task = { name: "rows", columns, notes: { "Filter q": "=cmd()" }, generatedAt: "2026-06-30T12:00:00Z" };

async function* rows(...texts: string[]) {
	for (const text of texts) yield Buffer.from(text);
}
const written = async (source: AsyncIterable<Uint8Array>) =>
	Buffer.concat(await Array.fromAsync(writeWorkbook(task, source)));

test("a workbook has its rows, and notes that are no formulas; the same rows make the same bytes", async () => {
	const row = '<row r="2"><c r="A2" t="inlineStr"><is><t>a</t></is></c></row>\n';
	const bytes = await written(rows(row.slice(0, 9), row.slice(9)));
	expect((await written(rows(row))).equals(bytes)).toBe(true);
	const [first, second] = await readSheets(bytes);
	expect([first?.sheet, first?.data]).toEqual(["rows", [["name"], ["a"]]]);
	expect(second?.data).toEqual(
		expect.arrayContaining([
			["Filter q", "=cmd()", null, null],
			["name", "string", null, '=1 "&<'],
		]),
	);
});

test("more rows than a sheet of Excel can have are refused, and a broken source breaks the file", async () => {
	await expect(written(rows("\n".repeat(1_048_575), "\n"))).rejects.toMatchObject({ status: 422 });
	const broken = (async function* () {
		yield Buffer.from("\n");
		throw new Error("the session was lost");
	})();
	await expect(written(broken)).rejects.toThrow("the session was lost");
});
