/**
 * Loads Berkeley Lab's yearly list for history, for comparison, and as evidence of operating plants for which an operator files no status. Only
 * requests of utilities become projects, as lists of the utilities' regions; requests of operators never do.
 */

import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { wakeRelay } from "#libs/postgres/events/outbox.ts";
import { addHash, archive, type IncomingFile, recordReport } from "../../sources/archive.ts";
import { dateInName, parseTime, savedOn, toTheSecond } from "../../sources/as-of.ts";
import { closeAttempt, noteApplied } from "../../sources/file-report.ts";
import { insertRows } from "../../sources/insert-rows.ts";
import { lockGroup, lockWriters } from "../../sources/locks.ts";
import { readMappedWords } from "../../sources/vocabulary.ts";
import { partialSources } from "../sources/index.ts";
import { lbnl } from "../sources/lbnl.ts";
import { followEvidence } from "./apply-evidence.ts";
import type { Applied } from "./apply-list.ts";
import { parseLists, type ReadFile } from "./files/parse-file.ts";
import { ingestSnapshot } from "./ingest-snapshot.ts";
import { ingestLate } from "./late-lists.ts";
import type { PrintedResult } from "./list-files.ts";
import { noChanges } from "./record-attempt.ts";

/** An edition with less than this share of the previous edition's requests is refused. */
const collapseShare = 0.6;

/** An edition that is older than the loaded one only adds to the history of the utilities' requests. */
export async function loadLbnl(sql: Sql, incoming: IncomingFile, now: Date): Promise<PrintedResult> {
	const file = addHash(incoming);
	const parts = partialSources.map(({ feed }) => feed);
	const [appliedEdition] = await sql<{ as_of: string }[]>`
		select iso(applied_as_of) as as_of from feeds where feed = 'lbnl' and applied_sha256 = ${file.sha256}`;
	if (appliedEdition !== undefined)
		return { region: "LBNL", as_of: appliedEdition.as_of, outcome: "unchanged", ...noChanges, reason: null };
	const id = await archive(sql, "LBNL", now.toISOString(), [file]);
	try {
		if (!lbnl.recognises(file)) throw new StructureError(`${file.name}: not recognized as a Queued Up file`);
		const statedDay = dateInName(file.path) ?? (await savedOn(file.bytes));
		const asOf = parseTime(statedDay ?? "") ?? now.toISOString();
		const mapped = await readMappedWords(sql, "lbnl");
		const { name, path, bytes } = file;
		const feeds = ["lbnl", ...parts] as const;
		let lists = await parseLists({ name, path, bytes, asOf, mapped }, feeds);
		const newest = statedDay === null && lists[0] !== undefined ? newestDate(lists[0]) : null;
		// Parses the file again, because statuses depend on the day of the list.
		if (newest !== null) lists = await parseLists({ name, path, bytes, asOf: newest, mapped }, feeds);
		const [parsed] = lists;
		if (parsed === undefined) throw new Error(`${name}: the parser returned no list`);
		await recordReport(sql, id, file.sha256, parsed);
		const [newer] = await sql`select from feeds where feed = 'lbnl' and applied_as_of > ${parsed.asOf}`;
		const outcome = newer === undefined ? "applied" : "backfilled";
		const [previous] = await sql<{ n: number }[]>`select count(*) as n from lbnl_requests`;
		if (outcome === "applied" && parsed.requests.length < collapseShare * (previous?.n ?? 0))
			throw new StructureError(`rows collapsed from ${previous?.n} to ${parsed.requests.length}`);
		const counts = await loadUtilities(sql, incoming, lists, outcome, now);
		if (outcome === "applied") await replaceRequests(sql, id, parsed, file.sha256, now);
		else
			await sql`update snapshots set outcome = ${outcome}, as_of = ${parsed.asOf}, finished_at = now() where id = ${id}`;
		const rows = parsed.requests.length;
		return { region: "LBNL", as_of: toTheSecond(parsed.asOf), outcome, ...counts, rows, reason: null };
	} catch (error) {
		const outcome = error instanceof StructureError ? "quarantined" : "failed";
		const reason = error instanceof Error ? error.message : String(error);
		await closeAttempt(sql, id, { outcome, reason });
		return { region: "LBNL", as_of: null, outcome, ...noChanges, reason };
	}
}

/** Loads the utilities' requests by region, for regions in this or an earlier edition. The guards judge the edition as a whole, not its parts. */
async function loadUtilities(
	sql: Sql,
	file: IncomingFile,
	lists: readonly ReadFile[],
	outcome: "applied" | "backfilled",
	now: Date,
): Promise<Applied> {
	const loaded = await sql<{ feed: string }[]>`select feed from feeds where applied_as_of is not null`;
	const total = { ...noChanges };
	for (const { feed, region } of partialSources) {
		const list = lists.find((one) => one.feed === feed);
		if (region === null || list === undefined) continue;
		if (list.requests.length === 0 && !loaded.some((one) => one.feed === feed)) continue;
		const files = [{ ...file, feed }];
		const request = { region, files, parsedLists: [list], asOf: list.asOf, accept: true, now: () => now };
		const result = await (outcome === "applied" ? ingestSnapshot : ingestLate)(sql, request);
		if (result.outcome === "failed" || result.outcome === "quarantined")
			throw new StructureError(`${region}: ${result.reason}`);
		for (const key of Object.keys(total) as (keyof Applied)[]) total[key] += result[key];
	}
	return total;
}

/** Returns the day of the newest event, which dates an edition that has no date. */
function newestDate(file: ReadFile): string | null {
	const days = file.requests.flatMap(({ queueDate, withdrawnDate, iaDate }) => [queueDate, withdrawnDate, iaDate]);
	const newest = days.reduce(
		(latest, day) => (day !== null && day > (latest ?? "") && day < file.asOf ? day : latest),
		null,
	);
	return parseTime(newest ?? "");
}

async function replaceRequests(sql: Sql, id: number, file: ReadFile, sha256: string, now: Date): Promise<void> {
	const repeats = new Map<string, number>();
	const rows = file.requests.map((request) => {
		const name = `${request.unit}\n${request.number}`;
		const repeat = (repeats.get(name) ?? 0) + 1;
		repeats.set(name, repeat);
		return {
			entity: request.unit ?? "",
			q_id: request.number,
			repeat,
			lbnl_region: request.raw.region ?? null,
			key: request.key,
			status_std: request.statusStd,
			request,
		};
	});
	await sql.begin(async (tx) => {
		await lockGroup(tx, "LBNL");
		await tx`delete from lbnl_requests`;
		await insertRows(tx, "lbnl_requests", rows);
		const state = tx`
			select ${file.asOf}::timestamptz as newest, null::date as published_on, ${rows.length}::integer as stored, ${sha256} as sha256`;
		await noteApplied(tx, "lbnl", state, now);
		await tx`
			update snapshot_files set as_of = ${file.asOf}, tables = ${JSON.stringify(file.tables)}::text::jsonb
			where snapshot_id = ${id} and sha256 = ${sha256}`;
		await tx`update snapshots set outcome = 'applied', as_of = ${file.asOf}, rows = ${rows.length}, finished_at = now() where id = ${id}`;
		await lockWriters(tx);
		await followEvidence(tx, { snapshotId: id, asOf: file.asOf });
		await raiseDataVersion(tx);
		await wakeRelay(tx);
	});
}
