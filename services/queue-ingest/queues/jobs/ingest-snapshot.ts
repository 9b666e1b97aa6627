/** Ingests one snapshot of one region: archive, parse, guard, compare, write. A snapshot is ingested completely or not at all. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { wakeRelay } from "#libs/postgres/events/outbox.ts";
import { type ArchivedFile, addHash, archive, recordReport } from "../../sources/archive.ts";
import { newestOf, toTheSecond } from "../../sources/as-of.ts";
import type { LoadOutcome } from "../../sources/file-report.ts";
import { withGroupLock } from "../../sources/locks.ts";
import type { Feed, ListGroup, Source } from "../../sources/source.ts";
import { recordStructure } from "../../sources/structure/record-structure.ts";
import { readMappedWords } from "../../sources/vocabulary.ts";
import { sourceOf, sourcesOf } from "../sources/index.ts";
import { applyFile, listRegion } from "./apply-file.ts";
import type { Applied } from "./apply-list.ts";
import { parseFile, type StandardFile } from "./files/parse-file.ts";
import { recognise } from "./files/recognise.ts";
import {
	type IngestRequest,
	type IngestResult,
	noChanges,
	recordRejection,
	recordUnchanged,
} from "./record-attempt.ts";

/** Reports a faulty file as an outcome. Throws if the database fails. */
export async function ingestSnapshot(sql: Sql, request: IngestRequest): Promise<IngestResult> {
	const now = request.now ?? (() => new Date());
	const progress = request.onProgress ?? (() => {});
	const files = request.files.map(addHash);
	const applied = await readAppliedFeeds(sql, request.region);
	const newFiles = files.filter((file) => !applied.has(file.sha256));
	if (newFiles.length === 0) {
		const feeds = files.flatMap((file) => applied.get(file.sha256) ?? []);
		const asOf = await recordUnchanged(sql, request.region, feeds, request.asOf ?? request.fetchedAt ?? null, now());
		return { region: request.region, as_of: asOf, outcome: "unchanged", ...noChanges, reason: null };
	}
	progress("archive", 0.05);
	const startedAsOf = request.asOf ?? request.fetchedAt ?? now().toISOString();
	const id = await archive(sql, request.region, startedAsOf, newFiles);
	let parsed: StandardFile[] = [];
	try {
		const lists = (await recogniseEach(request.region, files)).filter(({ file }) => newFiles.includes(file));
		parsed = await parseAll(sql, id, request, lists, progress);
		const asOf = newestOf(parsed.map((file) => file.asOf)) ?? startedAsOf;
		const result = await applyAll(sql, id, request, parsed, asOf, now(), progress);
		progress("done", 1);
		return result;
	} catch (error) {
		return recordRejection(sql, id, request, newFiles, parsed, error, now());
	}
}

/** Feeds by the hash of their last accepted list. */
async function readAppliedFeeds(sql: Sql, region: ListGroup): Promise<Map<string, Feed>> {
	const rows = await sql<{ feed: Feed; sha256: string }[]>`
		select feed, applied_sha256 as sha256 from feeds where region = ${region} and applied_sha256 is not null`;
	return new Map(rows.map((row) => [row.sha256, row.feed]));
}

interface RecognisedList {
	file: ArchivedFile;
	source: Source;
}

/** Finds the list of each file. A snapshot may have only one file per list, including files that are already applied. */
async function recogniseEach(region: ListGroup, files: ArchivedFile[]): Promise<RecognisedList[]> {
	const lists: RecognisedList[] = [];
	for (const file of files) {
		const source = await recognise(region, file);
		if (lists.some((list) => list.source === source))
			throw new StructureError(`${file.name}: a second file of ${source.title}, but a snapshot can have only one`);
		lists.push({ file, source });
	}
	return lists;
}

async function parseAll(
	sql: Sql,
	id: number,
	request: IngestRequest,
	lists: RecognisedList[],
	progress: (step: string, share: number) => void,
): Promise<StandardFile[]> {
	const parsed: StandardFile[] = [];
	for (const [at, { file, source }] of lists.entries()) {
		progress(`read ${file.name}`, 0.1 + (0.4 * at) / lists.length);
		const { name, path, bytes } = file;
		const mapped = await readMappedWords(sql, source.partOf ?? source.feed);
		const { asOf, fetchedAt } = request;
		const standard =
			request.parsedLists?.find(({ feed }) => feed === source.feed) ??
			(await parseFile({ feed: source.feed, name, path, bytes, asOf, fetchedAt, mapped }));
		await recordReport(sql, id, file.sha256, standard);
		await recordStructure(sql, id, file.sha256, { ...standard, region: listRegion(source) });
		parsed.push({ ...standard, sha256: file.sha256 });
	}
	// Lists of higher precedence come first, because the others are compared with their values.
	const precedence = ({ feed }: StandardFile) => sourcesOf(request.region).indexOf(sourceOf(feed));
	return parsed.sort((a, b) => precedence(a) - precedence(b));
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
	const total = { ...noChanges };
	let outcome: LoadOutcome = "unchanged";
	await withGroupLock(sql, region, async (tx) => {
		for (const [at, file] of files.entries()) {
			const step = (name: string, share: number) =>
				progress(`${name} ${file.feed}`, 0.5 + (0.4 * (at + share)) / files.length);
			const counts = await applyFile(tx, id, request, file, now, step);
			if (counts === undefined) continue;
			outcome = "applied";
			for (const key of Object.keys(total) as (keyof Applied)[]) total[key] += counts[key];
		}
		await tx`
			update snapshots set outcome = ${outcome}, as_of = ${asOf}, rows = ${total.rows},
				new = ${total.new}, changed = ${total.changed}, status_changes = ${total.status_changes},
				withdrawn = ${total.withdrawn}, disappeared = ${total.disappeared}, finished_at = now()
			where id = ${id}`;
		if (outcome === "applied") await raiseDataVersion(tx);
		await wakeRelay(tx);
	});
	return { region, as_of: toTheSecond(asOf), outcome, ...total, reason: null };
}
