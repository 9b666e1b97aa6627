/** Decides whether a file of a related dataset may replace the stored rows of its edition. */

import type { Transaction } from "#libs/postgres/connect.ts";
import type { Dataset, DatasetFile } from "../sources/dataset.ts";

export interface StoredEdition {
	edition: string;
	publishedOn: string | null;
	parsed: number;
}

interface LostRecords {
	known: number;
	vanished: number;
	/** Parts of the list that have no row left, such as "area_type region". */
	parts: string[];
}

/** Minimum share of the previous number of rows; a file with fewer is broken. */
const minRowShare = 0.6;
/** Maximum growth of an edition's number of rows; a file with more contains its list more than once. */
const maxGrowthFactor = 1.6;
/** Maximum share of the previous ids that a file may lack; a file that lacks more is truncated at the end of a line, or is a different list. */
const maxVanishedShare = 0.1;
/** Minimum rows gained or lost for a list to be considered broken. */
const minRowDifference = 3;
/** Maximum share of malformed rows; a single malformed row is considered a typing error. */
const maxMalformedShare = 0.02;

/** Returns reasons to hold the file back; none if it is accepted. `stored`: all editions of its feed. `lost`: null if its rows have no ids. */
export function judgeDataset(file: DatasetFile, stored: readonly StoredEdition[], lost: LostRecords | null): string[] {
	const reasons: string[] = [...(file.warnings ?? [])];
	const rows = file.rows.length;
	if (rows === 0) reasons.push("the file has no row that can be stored");
	const previous = findComparable(file.edition, stored);
	if (previous !== undefined && rows < minRowShare * previous.parsed)
		reasons.push(`rows collapsed from ${previous.parsed} (edition ${previous.edition}) to ${rows}`);
	else if (lost !== null && lost.vanished >= minRowDifference && lost.vanished > maxVanishedShare * lost.known)
		reasons.push(`${lost.vanished} of ${lost.known} records (edition ${file.edition}) vanished`);
	else if (lost !== null && lost.parts.length > 0) reasons.push(`no record is left of ${lost.parts.join(", ")}`);
	const addedRows = previous?.edition === file.edition ? rows - previous.parsed : 0;
	if (previous !== undefined && addedRows >= minRowDifference && rows > maxGrowthFactor * previous.parsed)
		reasons.push(`rows grew from ${previous.parsed} (edition ${previous.edition}) to ${rows}`);
	const malformed = file.dropped.filter((entry) => entry.malformed).reduce((sum, entry) => sum + entry.count, 0);
	if (malformed > 1 && malformed > maxMalformedShare * file.rowsIn)
		reasons.push(`${malformed} of ${file.rowsIn} rows are malformed`);
	return reasons;
}

/** Finds the same edition, else the newest one of the same kind of period: a day ("2026-06-04") is not compared with a year ("2018"). */
function findComparable(edition: string, stored: readonly StoredEdition[]): StoredEdition | undefined {
	const same = stored.find((one) => one.edition === edition);
	if (same !== undefined) return same;
	// An export's range ("2024-06-01..2024-08-31 61761") was chosen by a person, so it has no usual length.
	if (edition.includes("..")) return undefined;
	const samePeriod = stored.filter((one) => one.edition.length === edition.length);
	return samePeriod.sort((a, b) => a.edition.localeCompare(b.edition)).at(-1);
}

/** Returns a reason if the applied file of the edition was published later; otherwise null. */
export function explainOlder(file: DatasetFile, stored: readonly StoredEdition[]): string | null {
	const same = stored.find((one) => one.edition === file.edition);
	if (!same?.publishedOn || !file.publishedOn || file.publishedOn >= same.publishedOn) return null;
	return `published on ${file.publishedOn}, before the applied file of ${same.publishedOn}`;
}

export async function findLost(
	tx: Transaction,
	{ feed, keptIn }: Dataset,
	file: DatasetFile,
): Promise<LostRecords | null> {
	if (keptIn === undefined) return null;
	const { table, part } = keptIn;
	const ids = file.rows.map((row) => (row as { id: string }).id);
	// Without a column of parts, only vanished ids are counted.
	const [lost] = await tx<LostRecords[]>`
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
