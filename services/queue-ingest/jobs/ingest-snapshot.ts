/** Takes in one snapshot of one region: archive, parse, guard, compare, write. Whole or not at all. */
import type { Region } from "#libs/contract/vocabulary.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { wakeRelay } from "#libs/postgres/outbox.ts";
import { confirmingHours, confirms, judge, type Measures } from "../domain/guards.ts";
import { sourceOf, sourcesOf } from "../sources/index.ts";
import { type Feed, feeds, type Source, StructureError } from "../sources/source.ts";
import { type Applied, applyList } from "./apply-list.ts";
import { type ArchivedFile, archive, hashed, type IncomingFile, notReplaced, recordReport } from "./archive.ts";
import { compare, measure } from "./compare-list.ts";
import { leaveSample, sampleUrl } from "./leave-sample.ts";
import { parseFile, type StandardFile } from "./parse-file.ts";
import {
	Held,
	type IngestRequest,
	type IngestResult,
	nothing,
	recordUnchanged,
	settle,
	withoutFraction,
} from "./record-attempt.ts";
import { stageList } from "./stage-list.ts";

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
		if (parsed.some((other) => other.feed === standard.feed))
			throw new StructureError(`${file.name}: a second file of ${source.title}`);
		parsed.push(standard);
	}
	// Cycle before serial: what a higher list states is known when the lower one is compared.
	return parsed.sort((a, b) => feeds.indexOf(a.feed) - feeds.indexOf(b.feed));
}

function recognise(region: Region, file: IncomingFile): Source {
	const candidates = sourcesOf(region);
	const tooLarge = candidates.every((source) => file.bytes.length > source.maxBytes);
	if (tooLarge) throw new StructureError(`${file.name}: ${file.bytes.length} bytes are no file of ${region}`);
	const source = candidates.find((candidate) => candidate.recognises(file));
	if (source === undefined)
		throw new StructureError(`${file.name}: not recognised as a file of ${region} (${kindOf(file.bytes)})`);
	return source;
}

/** What a file that is not the expected one looks like, for the reason. */
function kindOf(bytes: Uint8Array): string {
	const head = new TextDecoder("latin1").decode(bytes.subarray(0, 512)).trimStart().toLowerCase();
	if (bytes.length === 0) return "it is empty";
	if (head.startsWith("<!doctype html") || head.startsWith("<html")) return "it is an HTML page";
	if (head.startsWith("pk")) return "a zip archive";
	if (head.startsWith("{") || head.startsWith("[")) return "JSON";
	return head.startsWith("<") ? "XML" : "text or unknown";
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
	await sql.begin(async (tx) => {
		// A list is joined and sorted as a whole, which at the server's default would go through files.
		await tx`set local work_mem = '64MB'`;
		// One snapshot of a region at a time: what it is compared with stays still.
		await tx`select pg_advisory_xact_lock(hashtext('queue-ingest'), hashtext(${region}))`;
		for (const [at, file] of files.entries()) {
			const step = (name: string, share: number) =>
				progress(`${name} ${file.feed}`, 0.5 + (0.4 * (at + share)) / files.length);
			const counts = await applyFile(tx, id, request, file, asOf, now, step);
			for (const key of Object.keys(total) as (keyof Applied)[]) total[key] += counts[key];
		}
		await tx`
			update snapshots set outcome = 'applied', as_of = ${asOf}, rows = ${total.rows}, new = ${total.new},
				changed = ${total.changed}, status_changes = ${total.status_changes}, withdrawn = ${total.withdrawn},
				disappeared = ${total.disappeared}, finished_at = now()
			where id = ${id}`;
		await raiseDataVersion(tx);
		await wakeRelay(tx);
	});
	return { region, as_of: withoutFraction(asOf), outcome: "applied", ...total, reason: null };
}

async function applyFile(
	tx: Transaction,
	id: number,
	request: IngestRequest,
	file: StandardFile,
	asOf: string,
	now: Date,
	progress: (step: string, share: number) => void,
): Promise<Applied> {
	const source = sourceOf(file.feed);
	progress("stage", 0);
	if (request.files.every((incoming) => incoming.url !== sampleUrl)) await leaveSample(tx, request.region, id, file);
	const previous = await feedState(tx, file.feed);
	const elapsedHours = previous === undefined ? 0 : (Date.parse(asOf) - Date.parse(previous.appliedAsOf)) / 3_600_000;
	if (elapsedHours < 0 && !request.retract)
		throw new Held(`${file.feed}: older than the list of ${previous?.appliedAsOf} that is applied`);
	if (previous?.publishedOn && file.publishedOn && file.publishedOn < previous.publishedOn && !request.accept)
		throw new Held(`${file.feed}: states ${file.publishedOn}, the list before stated ${previous.publishedOn}`);
	const { superseded } = await stageList(tx, request.region, file);
	if (superseded > 0) await noteSuperseded(tx, id, file.feed, superseded);
	if (previous === undefined && superseded === file.requests.length)
		throw new Held(`${file.feed}: the list holds no request of its own`);
	progress("compare", 0.4);
	if (previous !== undefined) await guard(tx, source, request, file, elapsedHours, asOf);
	await compare(tx, source, previous === undefined);
	// From here on this schema has one writer: `seq` is given in commit order and no two writers wait for each other.
	await tx`select pg_advisory_xact_lock(hashtext('queue-ingest writes'))`;
	progress("write", 0.6);
	const counts = await applyList(tx, source, {
		id,
		region: request.region,
		asOf,
		previousAsOf: previous?.appliedAsOf ?? null,
		retraction: request.retract === true,
	});
	await tx`
		insert into feeds (feed, region, applied_as_of, applied_sha256, published_on, requests, etag, last_modified,
			last_checked_at, last_success_at, last_changed_at, last_outcome)
		select ${file.feed}, ${request.region}, ${asOf}, f.sha256, ${file.publishedOn}, ${counts.rows}, f.etag, f.last_modified,
			${now.toISOString()}, ${asOf}, ${asOf}, 'applied'
		from snapshot_files f where f.snapshot_id = ${id} and f.feed = ${file.feed}
		on conflict (feed) do update set applied_as_of = excluded.applied_as_of, applied_sha256 = excluded.applied_sha256,
			published_on = excluded.published_on, requests = excluded.requests, etag = excluded.etag,
			last_modified = excluded.last_modified, last_checked_at = excluded.last_checked_at,
			last_success_at = greatest(feeds.last_success_at, excluded.last_success_at),
			last_changed_at = case when ${counts.new + counts.changed + counts.disappeared > 0}
				then excluded.last_changed_at else feeds.last_changed_at end,
			last_outcome = 'applied', last_reason = null`;
	return counts;
}

async function feedState(
	tx: Transaction,
	feed: Feed,
): Promise<{ appliedAsOf: string; publishedOn: string | null } | undefined> {
	const [row] = await tx<{ appliedAsOf: string; publishedOn: string | null }[]>`
		select iso(applied_as_of) as "appliedAsOf", published_on as "publishedOn"
		from feeds where feed = ${feed} and applied_as_of is not null`;
	return row;
}

async function noteSuperseded(tx: Transaction, id: number, feed: Feed, count: number): Promise<void> {
	const note = JSON.stringify([{ reason: "the operator's other list states this request", count, examples: [] }]);
	await tx`update snapshot_files set dropped = dropped || ${note}::text::jsonb where snapshot_id = ${id} and feed = ${feed}`;
}

/** Holds the list back unless it is plausible, was released by hand, or is the second equal look at a sharp change. */
async function guard(
	tx: Transaction,
	source: Source,
	request: IngestRequest,
	file: StandardFile,
	elapsedHours: number,
	asOf: string,
): Promise<void> {
	const malformed = file.dropped.filter((entry) => entry.malformed).reduce((sum, entry) => sum + entry.count, 0);
	const measures = await measure(tx, source, malformed);
	const verdict = judge(source, measures, elapsedHours);
	if (verdict.reasons.length === 0 || request.accept) return;
	if (verdict.holdOnce) {
		const [earlier] = await tx<{ measures: Measures; hours: number }[]>`
			select measures, extract(epoch from ${asOf}::timestamptz - as_of) / 3600 as hours from snapshots f
			where region = ${request.region} and outcome = 'quarantined' and hold_once and measures ->> 'feed' = ${source.feed}
				and as_of <= ${asOf}::timestamptz - make_interval(hours => ${confirmingHours}) and ${notReplaced(tx)}
			order by id desc limit 1`;
		if (earlier !== undefined && confirms(earlier.measures, measures, earlier.hours)) return;
	}
	throw new Held(`${source.feed}: ${verdict.reasons.join("; ")}`, measures, verdict.holdOnce);
}
