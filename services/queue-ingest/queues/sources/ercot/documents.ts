/** Finds ERCOT's reports in its list of documents, which also contains corrections of past months, and reads the day of a report. */
import { z } from "zod";
import { StructureError } from "#libs/files/structure-error.ts";
import { headerKey, type Table } from "#libs/files/table.ts";
import { date, text } from "#libs/files/values.ts";
import type { DownloadedFile, Http } from "../../../sources/source.ts";

export const documentPage = "https://www.ercot.com/mp/data-products/data-product-details?id=pg7-200-er";
export const documentMaxBytes = 16 * 1024 * 1024;

const host = "https://www.ercot.com";
const listUrl = `${host}/misapp/servlets/IceDocListJsonWS?reportTypeId=15933`;

/** Reads the last day of the report's month from sheets with these names: "... change requests as of Oct 31, 2025". */
export function readAsOf(sheets: readonly Table[], names: RegExp): string | null {
	const frontSheets = sheets.filter((sheet) => names.test(headerKey(sheet.name)));
	for (const cell of frontSheets.flatMap((sheet) => sheet.rows.flat())) {
		const [, month, dayOfMonth, year] =
			/\b(?:as of|to) ([a-z]{3})[a-z]* (\d{1,2}), ?(\d{4})\b/i.exec(text(cell) ?? "") ?? [];
		const day = month === undefined ? null : date(`${dayOfMonth}-${month}-${year}`);
		if (day !== null) return day;
	}
	return null;
}

interface ListedDocument {
	name: string;
	id: string;
	published: number;
}

/** Downloads the newest document for the newest month among those whose name matches, because the list contains several reports. */
export async function downloadNewestDocument(http: Http, name: RegExp): Promise<DownloadedFile | "not-modified"> {
	const list = await http.get(listUrl, { isIndex: true });
	if (list === "not-modified") return list;
	const [newest] = readDocuments(list.bytes)
		.filter((document) => name.test(document.name))
		.sort((a, b) => monthOf(b.name).localeCompare(monthOf(a.name)) || b.published - a.published);
	if (!newest)
		throw new StructureError(
			`ERCOT's document list contains no document named ${name.source.replaceAll(/[^\w-]/g, "")}`,
		);
	const url = `${host}/misdownload/servlets/mirDownload?doclookupId=${encodeURIComponent(newest.id)}`;
	const file = await http.get(url, { conditional: true });
	return file === "not-modified" ? file : { ...file, name: `${newest.name}.xlsx` };
}

const documentList = z.object({
	ListDocsByRptTypeRes: z.object({
		DocumentList: z.array(
			z.object({
				Document: z.object({ FriendlyName: z.string(), DocID: z.coerce.string(), PublishDate: z.string() }),
			}),
		),
	}),
});

function readDocuments(bytes: Uint8Array): ListedDocument[] {
	let json: unknown;
	try {
		json = JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		throw new StructureError("ERCOT's document list is not JSON");
	}
	const list = documentList.safeParse(json);
	if (!list.success)
		throw new StructureError(`ERCOT's document list has an unknown format: ${z.prettifyError(list.error)}`);
	return list.data.ListDocsByRptTypeRes.DocumentList.map(({ Document }) => ({
		name: Document.FriendlyName,
		id: Document.DocID,
		published: Date.parse(Document.PublishDate) || 0,
	}));
}

/** Returns the month in the name ("GIS_Report_April_2022_Corrected": 2022-04-01). Names without a month sort first. */
function monthOf(name: string): string {
	const [, month, year] = /_([A-Za-z]{3})[a-z]*_?(\d{4})/.exec(name) ?? [];
	return (month === undefined ? null : date(`1-${month}-${year}`)) ?? "";
}
