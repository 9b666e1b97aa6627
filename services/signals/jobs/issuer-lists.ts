/** The lists of filings of the issuers that are known, one after another, and once each the older pages that a list names. */
import { StructureError } from "#libs/files/structure-error.ts";
import { issuers } from "../domain/issuers.ts";
import { notAskedSince, noteFetched } from "./cursors.ts";
import { takeIn } from "./take-in.ts";
import type { Part, Tally, Turn } from "./turn.ts";

/** Hours between two looks at one list; the feed of the latest filings is quicker. */
const everyHours = 12;
/** Lists of a turn. */
const maxLists = 25;
/** Older pages that one list may name: the most prolific filers have a dozen. */
const maxPages = 40;
/** A page of a thousand filings is half a megabyte. */
const maxBytes = 32 * 1024 * 1024;

export const issuersPart: Part = { name: "issuers", everyMinutes: 15, run: readIssuerLists };

async function readIssuerLists(turn: Turn, tally: Tally): Promise<void> {
	const urls = [...issuers.keys()].map((cik) => `${turn.hosts.data}/submissions/${nameOf(cik)}.json`);
	const since = new Date(turn.now().getTime() - everyHours * 3_600_000);
	for (const url of (await notAskedSince(turn.sql, urls, since, turn.now())).slice(0, maxLists)) {
		turn.signal.throwIfAborted();
		await readList(turn, tally, url);
	}
}

/** The list counts as asked for when its older pages are here too: a turn that ends in between goes on with them. */
async function readList(turn: Turn, tally: Tally, url: string): Promise<void> {
	const got = await download(turn, tally, url, { conditional: true });
	if (got?.kind !== "file") return noteFetched(turn.sql, url, null, turn.now());
	const taken = await takeIn(turn, tally, [{ name: fileOf(url), bytes: got.bytes }]);
	const pages = taken === null ? [] : olderPages(url, got.bytes);
	for (const page of await notAskedSince(turn.sql, pages, new Date(0), turn.now())) {
		turn.signal.throwIfAborted();
		const older = await download(turn, tally, page, { conditional: false });
		if (older?.kind === "file") await takeIn(turn, tally, [{ name: fileOf(page), bytes: older.bytes }]);
		await noteFetched(turn.sql, page, null, turn.now());
	}
	await noteFetched(turn.sql, url, taken === null ? null : got.validators, turn.now());
}

/** Null for an answer that is none: this list's fault alone. */
async function download(turn: Turn, tally: Tally, url: string, { conditional }: { conditional: boolean }) {
	try {
		const got = await turn.polite.get(url, { maxBytes, conditional });
		tally.answered++;
		return got;
	} catch (error) {
		if (!(error instanceof StructureError)) throw error;
		tally.complain(`${fileOf(url)}: ${error.message}`);
		return null;
	}
}

const nameOf = (cik: string): string => `CIK${cik.padStart(10, "0")}`;
const fileOf = (url: string): string => url.slice(url.lastIndexOf("/") + 1);

/** `filings.files[].name`: pages of the same company, beside its list. */
export function olderPages(url: string, list: Uint8Array): string[] {
	const folder = url.slice(0, url.lastIndexOf("/") + 1);
	const company = fileOf(url).slice(0, "CIK0000000000".length);
	const text = new TextDecoder().decode(list);
	const names = [...text.matchAll(/"(CIK\d{10})-submissions-(\d{3})\.json"/g)].filter(([, owner]) => owner === company);
	const pages = new Set(names.map(([, owner, number]) => `${folder}${owner}-submissions-${number}.json`));
	return [...pages].slice(0, maxPages);
}
