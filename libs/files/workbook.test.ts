import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { storeArchive } from "./archive.ts";
import { StructureError } from "./structure-error.ts";
import { readWorkbook } from "./workbook.ts";

/** The parts of a workbook with one sheet, written by hand. Style 1 is a date format. */
function parts(sheetData: string): Map<string, Buffer> {
	const sheet = `<worksheet><sheetData>${sheetData}</sheetData></worksheet>`;
	const relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
	return new Map(
		Object.entries({
			"xl/workbook.xml": `<workbook xmlns:r="${relation}"><sheets><sheet name=" Queue" sheetId="1" r:id="rId1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": `<Relationships>
				<Relationship Id="rId1" Type="${relation}/worksheet" Target="worksheets/sheet1.xml"/>
				<Relationship Id="rId2" Type="${relation}/styles" Target="styles.xml"/></Relationships>`,
			"xl/styles.xml": `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
			"xl/worksheets/sheet1.xml": sheet,
		}).map(([name, text]) => [name, Buffer.from(text)]),
	);
}

const text = (address: string, value: string) => `<c r="${address}" t="inlineStr"><is><t>${value}</t></is></c>`;
const small = parts(`<row r="1">${text("A1", "Queue Position")}</row><row r="2">${text("A2", " 643AB ")}</row>`);

/** An archive of one deflated entry whose headers state `statedSize` as its size. */
function deflated(name: string, content: Buffer, statedSize: number): Buffer {
	const body = deflateRawSync(content);
	const archive = storeArchive(new Map([[name, body]]));
	const directory = archive.indexOf("PK\x01\x02", 0, "latin1");
	for (const at of [4, directory + 6]) {
		archive.writeUInt16LE(8, at + 4);
		archive.writeUInt32LE(statedSize, at + 18);
	}
	return archive;
}

describe("readWorkbook", () => {
	it("reads every sheet by its name as filed, with text trimmed", async () => {
		expect(await readWorkbook(storeArchive(small))).toEqual([
			{ name: " Queue", rows: [["Queue Position"], ["643AB"]] },
		]);
	});

	it("reads a date as the day shown, without its time of day", async () => {
		const serials = [45_658, 45_658 + 8 / 24, 45_657.999_999_999_9];
		const cells = serials.map((serial, at) => `<c r="${"ABC"[at]}1" s="1"><v>${serial}</v></c>`).join("");
		const [sheet] = await readWorkbook(storeArchive(parts(`<row r="1">${cells}</row>`)));
		const newYear = new Date("2025-01-01T00:00:00Z");
		expect(sheet?.rows[0]).toEqual([newYear, newYear, newYear]);
	});

	it("reads error cells as empty", async () => {
		const row = `<row r="1">${text("A1", "x")}<c r="B1" t="e"><v>#N/A</v></c>${text("C1", "y")}</row>`;
		const [sheet] = await readWorkbook(storeArchive(parts(row)));
		expect(sheet?.rows[0]).toEqual(["x", null, "y"]);
	});

	it("unwraps a zip archive that holds one workbook", async () => {
		const wrapped = storeArchive(new Map([["GIS_Report.xlsx", storeArchive(small)]]));
		expect(await readWorkbook(wrapped)).toHaveLength(1);
	});

	it.each([
		["nothing", Buffer.alloc(0), /empty/],
		["an HTML page", Buffer.from("\n<!DOCTYPE html><html>Just a moment...</html>"), /HTML page/],
		["an old workbook", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), /old \.xls/],
		["a document", storeArchive(new Map([["word/document.xml", Buffer.from("<d/>")]])), /without a workbook.*word/],
		["a workbook cut short", storeArchive(small).subarray(0, 900), /damaged or truncated/],
		["an archive with an unreadable sheet", storeArchive(parts("<row><c></row>")), StructureError],
	])("refuses %s", async (_, bytes, message) => {
		const reading = readWorkbook(bytes);
		await expect(reading).rejects.toThrow(StructureError);
		await expect(reading).rejects.toThrow(message);
	});

	it("stops a zip bomb at the limit, whatever size its headers state", async () => {
		const bomb = Buffer.alloc(20_000_000, " ");
		for (const stated of [bomb.length, 100]) {
			const bytes = deflated("xl/workbook.xml", bomb, stated);
			await expect(readWorkbook(bytes, { maxInflatedBytes: 1_000_000 })).rejects.toThrow(StructureError);
		}
	});

	it("refuses a small sheet that spans a huge rectangle", async () => {
		for (const row of [
			`<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`,
			`<row r="1048576"><c s="&quot;>" r="XFD1"><v>1</v></c></row>`,
			`<row r="1048576"><c s=' r="A1"' r="XFD1"><v>1</v></c></row>`,
			`<row r="99999999999"/>`,
			`<!--<c "--><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`,
		]) {
			await expect(readWorkbook(storeArchive(parts(row)))).rejects.toThrow(StructureError);
		}
	});

	it("refuses a sheet of unclosed tags without delay", async () => {
		const rows = "<c ".repeat(2_000_000);
		await expect(readWorkbook(storeArchive(parts(rows)))).rejects.toThrow(StructureError);
	});

	it("accepts empty formatted cells at the far end of a sheet", async () => {
		const rows = `<row r="1">${text("A1", "x")}<c r="XFD1" s="1"/></row><row r="1048576"><c r="A1048576" s="1"/></row>`;
		const [sheet] = await readWorkbook(storeArchive(parts(rows)));
		expect(sheet?.rows).toEqual([["x"]]);
	});
});
