/** Decides whether a file of a related dataset may replace the stored rows of its edition. */

import type { Transaction } from "#libs/postgres/connect.ts";
import type { Dataset, DatasetFile } from "../sources/dataset.ts";

export interface StoredEdition {
	edition: string;
	publishedOn: string | null;
	parsed: number;
}

interface Lost {
	known: number;
	vanished: number;
	/** Parts of the list without any row left, such as "area_type region". */
	parts: string[];
}

/** A file with less than this share of the previous rows is broken. */
const collapseShare = 0.6;
/** A file with more than this many times the edition's previous rows contains its list more than once. */
const growthFactor = 1.6;
/** A file that lacks more than this share of the previous ids is truncated between two lines, or is another list. */
const vanishedShare = 0.1;
/** Gaining or losing fewer rows than this does not show that a list is broken. */
const fewRows = 3;
/** A file with more than this share of malformed rows is broken; a single malformed row is a typing error. */
const malformedShare = 0.02;

/** Reasons to hold the file back; none if it is accepted. `stored`: every edition of its feed. `lost`: null if its rows have no ids. */
export function judgeDataset(file: DatasetFile, stored: readonly StoredEdition[], lost: Lost | null): string[] {
	const reasons: string[] = [...(file.warnings ?? [])];
	const rows = file.rows.length;
	if (rows === 0) reasons.push("the file has no row that can be stored");
	const before = findComparable(file.edition, stored);
	if (before !== undefined && rows < collapseShare * before.parsed)
		reasons.push(`rows collapsed from ${before.parsed} (edition ${before.edition}) to ${rows}`);
	else if (lost !== null && lost.vanished >= fewRows && lost.vanished > vanishedShare * lost.known)
		reasons.push(`${lost.vanished} of ${lost.known} records (edition ${file.edition}) vanished`);
	else if (lost !== null && lost.parts.length > 0) reasons.push(`no record is left of ${lost.parts.join(", ")}`);
	const grown = before?.edition === file.edition ? rows - before.parsed : 0;
	if (before !== undefined && grown >= fewRows && rows > growthFactor * before.parsed)
		reasons.push(`rows grew from ${before.parsed} (edition ${before.edition}) to ${rows}`);
	const malformed = file.dropped.filter((entry) => entry.malformed).reduce((sum, entry) => sum + entry.count, 0);
	if (malformed > 1 && malformed > malformedShare * file.rowsIn)
		reasons.push(`${malformed} of ${file.rowsIn} rows are malformed`);
	return reasons;
}

/** The same edition, else the newest other one that spans the same time: a day ("2026-06-04") is not compared with a year ("2018"). */
function findComparable(edition: string, stored: readonly StoredEdition[]): StoredEdition | undefined {
	const same = stored.find((one) => one.edition === edition);
	if (same !== undefined) return same;
	// An export's range ("2024-06-01..2024-08-31 61761") was chosen by a person, so it has no usual length.
	if (edition.includes("..")) return undefined;
	const alike = stored.filter((one) => one.edition.length === edition.length);
	return alike.sort((a, b) => a.edition.localeCompare(b.edition)).at(-1);
}

/** The reason if the applied file of the edition was published later; otherwise null. */
export function explainOlder(file: DatasetFile, stored: readonly StoredEdition[]): string | null {
	const same = stored.find((one) => one.edition === file.edition);
	if (!same?.publishedOn || !file.publishedOn || file.publishedOn >= same.publishedOn) return null;
	return `published on ${file.publishedOn}, before the applied file of ${same.publishedOn}`;
}

export async function findLost(tx: Transaction, { feed, keptIn }: Dataset, file: DatasetFile): Promise<Lost | null> {
	if (keptIn === undefined) return null;
	const { table, part } = keptIn;
	const ids = file.rows.map((row) => (row as { id: string }).id);
	// Without a column of parts, the whole list is one part. An empty file has a separate reason.
	const [lost] = await tx<Lost[]>`
		with stored as (
			select ${part === undefined ? tx`null::text` : tx`${tx(part)}::text`} as part, n.id is null as vanished
			from ${tx(table)} t left join unnest(${ids}::text[]) as n (id) using (id)
			where t.source = ${feed} and t.edition = ${file.edition}),
		parts as (select part, bool_and(vanished) as vanished from stored where part is not null group by part)
		select count(*) as known, count(*) filter (where vanished) as vanished,
			array(select ${part ?? ""} || ' ' || part from parts where vanished order by 1) as parts
		from stored`;
	return lost ?? null;
}
