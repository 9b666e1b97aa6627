/** Takes a publisher's yearly archive apart: its workbooks are kept and read one by one, as when they come alone. */
import { inflateArchive, isZip } from "#libs/files/archive.ts";
import type { IncomingFile } from "./archive.ts";

/** A year of form EIA-860 is 22 MB; its workbooks are compressed already. */
const limits = { maxInflatedBytes: 160 * 1024 * 1024, maxEntries: 2_000 };

/** The workbooks of an archive, or the file itself. Throws `StructureError` for a damaged archive and for one that is too large. */
export async function unpack(file: IncomingFile): Promise<IncomingFile[]> {
	if (!isZip(file.bytes)) return [file];
	const { names, entries } = await inflateArchive(file.bytes, isWorkbook, limits);
	if (names.includes("xl/workbook.xml") || entries.size === 0) return [file];
	return [...entries].map(([path, bytes]) => ({
		name: path.replace(/^.*\//, ""),
		path: `${file.path}/${path}`,
		bytes,
		url: file.url,
		etag: file.etag,
		lastModified: file.lastModified,
	}));
}

/** Excel's lock files ("~$...") and macOS' shadows ("__MACOSX/._...") have the name of one, and are none. */
const isWorkbook = (name: string): boolean => /\.xlsx$/i.test(name) && !/(^|\/)(~\$|\._)|^__MACOSX\//.test(name);
