/** Writes Excel workbooks (ECMA-376): PostgreSQL writes the rows as XML, and yazl compresses them as they arrive. */
import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import { about } from "#libs/contract/documents/about.ts";
import { invalid } from "#libs/contract/errors.ts";
import type { Column } from "#libs/contract/exports/columns.ts";
import { formulaStart } from "#libs/contract/exports/formulas.ts";

export interface WorkbookTask {
	/** Name of the sheet with the rows. */
	name: string;
	columns: readonly Column[];
	/** Facts about the file, for the sheet of notes. */
	notes: Record<string, string>;
	/** The timestamp of every part of the archive, so that equal rows give equal bytes. */
	generatedAt: string;
}

/** Maximum rows of a sheet in Excel, without the header. */
const maxRows = 1_048_575;
/** Maximum text of a cell in Excel (characters). */
const maxCellCharacters = 32_767;

/** Cell formats by their position in `styles`. */
const style = { date: 1, time: 2, text: 3, header: 4 };
const styles = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf xfId="0"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/><xf xfId="0" numFmtId="165" applyNumberFormat="1"/><xf xfId="0" quotePrefix="1"/><xf xfId="0" fontId="1" applyFont="1"/></cellXfs></styleSheet>`;

/** SQL that writes a row as XML, from the columns of `r` and the row number `r.row`. Cells without a value are omitted. */
export function sheetRow(columns: readonly Column[]): string {
	const cells = columns.map(({ name, type }, at) => {
		const [attributes, content] = cellOf[type](`r.${name}`);
		return `coalesce('<c r="${letters(at)}' || r.row || '"' || ${attributes} || '>' || ${content} || '</c>', '')`;
	});
	return `'<row r="' || r.row || '">' || ${cells.join(" || ")} || '</row>'`;
}

type Cell = [attributes: string, content: string];

const value = (expression: string, attributes = ""): Cell => [`'${attributes}'`, `'<v>' || ${expression} || '</v>'`];

/** Excel never executes an inline string as a formula. `quotePrefix` keeps it a text when the cell is edited. */
function textCell(expression: string): Cell {
	const text = `translate(left(${expression}, ${maxCellCharacters}), ${unwritable}, '')`;
	const escaped = `replace(replace(replace(replace(${text}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), chr(10), '&#10;')`;
	const marked = `case when ${expression} ~ '^${formulaStart}' then ' s="${style.text}"' else '' end`;
	return [`' t="inlineStr"' || ${marked}`, `'<is><t xml:space="preserve">' || ${escaped} || '</t></is>'`];
}

/** Characters that XML 1.0 cannot contain, and the carriage return. */
const unwritable = `E'${[...Array(32).keys()]
	.filter((code) => code > 0 && code !== 9 && code !== 10)
	.map((code) => `\\x${code.toString(16).padStart(2, "0")}`)
	.join("")}\\uFFFE\\uFFFF'`;

const number = (column: string) => value(column);
const cellOf: Record<Column["type"], (column: string) => Cell> = {
	string: (column) => textCell(`${column}::text`),
	list: (column) => textCell(`array_to_string(${column}, '; ')`),
	double: number,
	int32: number,
	int64: number,
	boolean: (column) => value(`${column}::int`, ' t="b"'),
	date: (column) => {
		const [dayCell, earlyCell] = [
			value(`(${column} - date '1899-12-30')`, ` s="${style.date}"`),
			textCell(`${column}::text`),
		];
		// Excel has no dates before 1900, and counts February 29, 1900, which did not exist: earlier days are written as text.
		const either = (at: 0 | 1) =>
			`case when ${column} >= date '1900-03-01' then ${dayCell[at]} else ${earlyCell[at]} end`;
		return [either(0), either(1)];
	},
	timestamp: (column) =>
		value(`(extract(epoch from date_trunc('second', ${column})) / 86400 + 25569)::float8`, ` s="${style.time}"`),
};

/** The name of a column by its index: `A` for 0, `Z` for 25, `AA` for 26. */
const letters = (at: number): string =>
	(at < 26 ? "" : letters(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26));

const prolog = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packaged = "http://schemas.openxmlformats.org/package/2006";
const partType = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The workbook's parts other than the sheets, by path. */
const parts = (name: string): Record<string, string> => ({
	"[Content_Types].xml": `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${partType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${partType}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${partType}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${partType}.worksheet+xml"/></Types>`,
	"_rels/.rels": `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
	"xl/workbook.xml": `<workbook ${main} xmlns:r="${relations}"><bookViews><workbookView/></bookViews><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/><sheet name="notes" sheetId="2" r:id="rId2"/></sheets></workbook>`,
	"xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId3" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
	"xl/styles.xml": styles,
});

/** Yields the workbook. `rows` has one `sheetRow` per line. @throws AppError 422 if there are more rows than a sheet can have */
export async function* writeWorkbook(
	{ name, columns, notes, generatedAt }: WorkbookTask,
	rows: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
	const zip = new ZipFile();
	const options = { mtime: new Date(generatedAt), mode: 0o100644 };
	for (const [path, xml] of Object.entries(parts(name))) zip.addBuffer(Buffer.from(prolog + xml), path, options);
	const source = Readable.from(rowSheet(columns, rows), { objectMode: false });
	const file = zip.outputStream as Readable;
	source.once("error", (error) => file.destroy(error));
	zip.addReadStream(source, "xl/worksheets/sheet1.xml", options);
	zip.addBuffer(Buffer.from(noteSheet(columns, notes)), "xl/worksheets/sheet2.xml", options);
	zip.end();
	try {
		yield* file;
	} finally {
		source.destroy();
	}
}

async function* rowSheet(
	columns: readonly Column[],
	rows: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
	const pane =
		'<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';
	const header = rowOf(
		1,
		columns.map((column) => column.name),
		style.header,
	);
	yield Buffer.from(`${prolog}<worksheet ${main}>${pane}<sheetData>${header}`);
	let count = 0;
	for await (const bytes of rows) {
		for (let at = bytes.indexOf(lineEnd); at !== -1; at = bytes.indexOf(lineEnd, at + 1)) count++;
		if (count > maxRows) throw tooManyRows();
		yield bytes;
	}
	yield Buffer.from("</sheetData></worksheet>");
}

const lineEnd = 0x0a;

const tooManyRows = () =>
	invalid([{ loc: ["query", "format"], msg: `xlsx has at most ${maxRows} rows: narrow the filters, or choose csv` }]);

function noteSheet(columns: readonly Column[], notes: Record<string, string>): string {
	const lines: [cells: string[], style?: number][] = [
		[["Source", about.name]],
		...Object.entries(notes).map(([name, text]): [string[]] => [[name, text]]),
		[["License", "Each publisher's data is under its own terms: see /catalog/data"]],
		[[]],
		[["Column", "Type", "Unit", "Description"], style.header],
		...columns.map(({ name, type, unit, description }): [string[]] => [[name, type, unit ?? "", description ?? ""]]),
	];
	const rows = lines.map(([cells, styled], at) => rowOf(at + 1, cells, styled)).join("");
	return `${prolog}<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`;
}

function rowOf(row: number, texts: readonly string[], styled = style.text): string {
	const cells = texts.map(
		(text, at) =>
			`<c r="${letters(at)}${row}" t="inlineStr" s="${styled}"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`,
	);
	return `<row r="${row}">${cells.join("")}</row>`;
}

const escaped = (text: string): string =>
	text
		.replaceAll(/[\p{Cc}\p{Cs}\u{FFFE}\u{FFFF}]/gu, "")
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll(">", "&gt;");
