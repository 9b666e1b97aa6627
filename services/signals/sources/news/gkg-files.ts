/** Which GKG bulk files there are: the list of the newest, and names that can be computed. Pure. */
import { StructureError } from "#libs/files/structure-error.ts";

/** Where the bulk files lie; the first is the publisher's own address, the second the storage behind it, without throttling. */
export const gkgDirectories = [
	"http://data.gdeltproject.org/gdeltv2/",
	"https://storage.googleapis.com/data.gdeltproject.org/gdeltv2/",
];

const quarterHour = 15 * 60_000;
/** A hundred days, the reach of the DOC interface. */
const maxNames = 9_600;

/** One of the three lines of `lastupdate.txt`. */
export interface ListedFile {
	/** Bytes. */
	size: number;
	md5: string;
	url: string;
}

/**
 * The newest GKG file of `lastupdate.txt` (`size md5 url` for export, mentions and GKG). Throws `StructureError` when
 * the text is another: an error page, or a list without a GKG line.
 */
export function readLastUpdate(bytes: Uint8Array, name: string): ListedFile {
	const lines = new TextDecoder().decode(bytes.subarray(0, 16_384)).split(/\r?\n/);
	for (const line of lines) {
		const found = /^(\d{1,12}) ([0-9a-f]{32}) (https?:\/\/\S{1,500}\/\d{14}\.gkg\.csv\.zip)$/i.exec(line.trim());
		const [, size = "", md5 = "", url = ""] = found ?? [];
		if (found) return { size: Number(size), md5: md5.toLowerCase(), url };
	}
	throw new StructureError(`${name}: lists no .gkg.csv.zip`);
}

/**
 * Names of the files from one moment up to, not including, another: `20260918031500.gkg.csv.zip`, one for each quarter
 * of an hour (UTC) in between. Some never appear: the caller skips those. Throws `RangeError` for what is no moment,
 * and for more than a hundred days.
 */
export function gkgNames(fromIso: string, toIso: string): string[] {
	const from = Date.parse(fromIso);
	const to = Date.parse(toIso);
	if (Number.isNaN(from) || Number.isNaN(to)) throw new RangeError(`no moments: ${fromIso}, ${toIso}`);
	const first = Math.ceil(from / quarterHour) * quarterHour;
	if ((to - first) / quarterHour > maxNames) throw new RangeError(`${fromIso} to ${toIso} is more than a hundred days`);
	const names: string[] = [];
	for (let at = first; at < to; at += quarterHour) {
		names.push(`${new Date(at).toISOString().slice(0, 19).replace(/\D/g, "")}.gkg.csv.zip`);
	}
	return names;
}
