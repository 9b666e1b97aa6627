/** SEC's quarterly Form D data sets: what was filed before the indexes that are read begin. */
import { refuse, takeIn } from "./take-in.ts";
import type { Part, Tally, Turn } from "./turn.ts";

const maxListingBytes = 4 * 1024 * 1024;
/** A set is 3 MB. */
const maxSetBytes = 64 * 1024 * 1024;

export const dataSetsPart: Part = { name: "data-sets", everyMinutes: 60, run: loadDataSet };

/** One set a turn, the oldest that is missing. One that could not be used is left alone for a day. */
async function loadDataSet(turn: Turn, tally: Tally): Promise<void> {
	const listing = `${turn.hosts.sec}/data-research/sec-markets-data/form-d-data-sets`;
	const page = await turn.polite.get(listing, { maxBytes: maxListingBytes });
	tally.answered++;
	if (page.kind !== "file") return tally.complain("the list of Form D data sets is not where it was");
	const sets = dataSetLinks(page.bytes, listing);
	if (sets.length === 0) return tally.complain("the list of Form D data sets names none");
	const seen = await seenSets(turn);
	const next = sets.find(({ name }) => !seen.has(name));
	if (next === undefined) return;
	const got = await turn.polite.get(next.url, { maxBytes: maxSetBytes });
	tally.answered++;
	if (got.kind === "file") await takeIn(turn, tally, [{ name: next.name, bytes: got.bytes }], { always: true });
	else await refuse(turn, tally, { name: next.name, bytes: new Uint8Array() }, `${next.name} is listed and not there`);
}

export interface DataSetLink {
	/** 2026q1_d.zip */
	name: string;
	url: string;
}

const setLink = /href\s{0,3}=\s{0,3}["']([^"'\s<>]{1,500}?\/(\d{4}q[1-4]_d(?:_\d)?\.zip))["']/gi;

/** The sets that a page links to on its own site, the oldest first. Their folders have changed before: only the page knows them. */
export function dataSetLinks(page: Uint8Array, pageUrl: string): DataSetLink[] {
	const links = new Map<string, DataSetLink>();
	const { origin } = new URL(pageUrl);
	const text = new TextDecoder().decode(page);
	for (const [, href = "", file = ""] of text.matchAll(setLink)) {
		const url = URL.parse(href, pageUrl);
		const name = file.toLowerCase();
		if (url?.origin === origin) links.set(name, { name, url: url.href });
	}
	return [...links.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** By hand or by this job. */
async function seenSets({ sql, now }: Turn): Promise<Set<string>> {
	const yesterday = new Date(now().getTime() - 86_400_000).toISOString();
	const rows = await sql<{ name: string }[]>`
		select distinct name from source_files
		where source = 'form-d' and name like '%.zip' and (outcome <> 'refused' or received_at > ${yesterday}::timestamptz)`;
	return new Set(rows.map(({ name }) => name.toLowerCase()));
}
