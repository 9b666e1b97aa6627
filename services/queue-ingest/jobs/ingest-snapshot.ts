/** Takes in one snapshot of one region: archive, parse, guard, compare, write. Whole or not at all. */
import type { Region } from "#libs/contract/vocabulary.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { wakeRelay } from "#libs/postgres/outbox.ts";
import { type Feed, feeds, StructureError } from "../sources/source.ts";
import { applyFile } from "./apply-file.ts";
import type { Applied } from "./apply-list.ts";
import { type ArchivedFile, archive, hashed, recordReport } from "./archive.ts";
import { parseFile, type StandardFile } from "./parse-file.ts";
import { recognise } from "./recognise.ts";
import {
	type IngestRequest,
	type IngestResult,
	nothing,
	recordUnchanged,
	settle,
	withoutFraction,
} from "./record-attempt.ts";

/** Never throws for what is wrong with a file: that is an outcome. Throws when the database fails. */
export async function ingestSnapshot(sql: Sql, request: IngestRequest): Promise<IngestResult> {
	const now = request.now ?? (() => new Date());
	const progress = request.onProgress ?? (() => {});
	const files = request.files.map(hashed);
	const fresh = await changedFiles(sql, request.region, files);
	if (fresh.length === 0) return recordUnchanged(sql, request, files, now());
	progress("archive", 0.05);
	const startedAsOf = request.asOf ?? now().toISOString();
	const id = await archive(sql, request.region, startedAsOf, fresh);
	let parsed: StandardFile[] = [];
	try {
		parsed = await parseAll(sql, id, request, fresh, progress);
		const asOf =
			parsed
				.map((file) => file.asOf)
				.sort()
				.at(-1) ?? startedAsOf;
		const result = await applyAll(sql, id, request, parsed, asOf, now(), progress);
		progress("done", 1);
		return result;
	} catch (error) {
		return settle(sql, id, request, fresh, parsed, error, now());
	}
}

/** Files that are not, byte for byte, the list that their feed last accepted. */
async function changedFiles(sql: Sql, region: Region, files: ArchivedFile[]): Promise<ArchivedFile[]> {
	const rows = await sql<{ sha256: string }[]>`
		select applied_sha256 as sha256 from feeds where region = ${region} and applied_sha256 is not null`;
	const applied = new Set(rows.map((row) => row.sha256));
	return files.filter((file) => !applied.has(file.sha256));
}

async function parseAll(
	sql: Sql,
	id: number,
	request: IngestRequest,
	files: ArchivedFile[],
	progress: (step: string, share: number) => void,
): Promise<StandardFile[]> {
	refuseRepeats(request);
	const parsed: StandardFile[] = [];
	for (const [at, file] of files.entries()) {
		const source = recognise(request.region, file);
		progress(`read ${file.name}`, 0.1 + (0.4 * at) / files.length);
		const standard = await parseFile({
			feed: source.feed,
			name: file.name,
			path: file.path,
			bytes: file.bytes,
			asOf: request.asOf,
		});
		await recordReport(sql, id, file.sha256, standard);
		parsed.push({ ...standard, sha256: file.sha256 });
	}
	// Cycle before serial: what a higher list states is known when the lower one is compared.
	return parsed.sort((a, b) => feeds.indexOf(a.feed) - feeds.indexOf(b.feed));
}

/** A snapshot holds a list once. Files that are applied already count: beside them another file of their list is one too many. */
function refuseRepeats({ region, files }: IngestRequest): void {
	const seen = new Set<Feed>();
	for (const file of files) {
		const { feed, title } = recognise(region, file);
		if (seen.has(feed)) throw new StructureError(`${file.name}: a second file of ${title}`);
		seen.add(feed);
	}
}

async function applyAll(
	sql: Sql,
	id: number,
	request: IngestRequest,
	files: StandardFile[],
	asOf: string,
	now: Date,
	progress: (step: string, share: number) => void,
): Promise<IngestResult> {
	const { region } = request;
	const total = { ...nothing };
	let applied = 0;
	await sql.begin(async (tx) => {
		// A list is joined and sorted as a whole, which at the server's default would go through files.
		await tx`set local work_mem = '64MB'`;
		// One snapshot of a region at a time: what it is compared with stays still.
		await tx`select pg_advisory_xact_lock(hashtext('queue-ingest'), hashtext(${region}))`;
		for (const [at, file] of files.entries()) {
			const step = (name: string, share: number) =>
				progress(`${name} ${file.feed}`, 0.5 + (0.4 * (at + share)) / files.length);
			const counts = await applyFile(tx, id, request, file, now, step);
			if (counts === undefined) continue;
			applied++;
			for (const key of Object.keys(total) as (keyof Applied)[]) total[key] += counts[key];
		}
		if (request.retract !== undefined) await markRetracted(tx, id, region);
		await tx`
			update snapshots set outcome = ${applied > 0 ? "applied" : "unchanged"}, as_of = ${asOf}, rows = ${total.rows},
				new = ${total.new}, changed = ${total.changed}, status_changes = ${total.status_changes},
				withdrawn = ${total.withdrawn}, disappeared = ${total.disappeared}, finished_at = now(),
				retraction = ${request.retract !== undefined}
			where id = ${id}`;
		if (applied > 0) await raiseDataVersion(tx);
		await wakeRelay(tx);
	});
	const outcome = applied > 0 ? "applied" : "unchanged";
	return { region, as_of: withoutFraction(asOf), outcome, ...total, reason: null };
}

/** The newest snapshot that still counted is the one that was taken back. */
async function markRetracted(tx: Transaction, id: number, region: Region): Promise<void> {
	await tx`
		update snapshots set outcome = 'retracted' where id = (
			select max(id) from snapshots
			where region = ${region} and outcome = 'applied' and not retraction and id < ${id})`;
}
