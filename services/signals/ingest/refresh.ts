/** Polls the publishers with one job per pipeline, in one replica at a time. The database records which steps are due. */
import type { Sql } from "#libs/postgres/connect.ts";
import { tryLock } from "#libs/postgres/lock.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";
import { eightKSteps } from "../filings/poll.ts";
import { schema } from "../migrate.ts";
import { newsSteps } from "../news/poll.ts";
import { type Hosts, type Policy, hosts as publishers } from "../polling/hosts.ts";
import { createPoliteClient } from "../polling/polite.ts";
import {
	type Ingested,
	type IngestOptions,
	type PollResult,
	runSteps,
	type Step,
	type StepRun,
} from "../polling/poll.ts";
import { formDSteps } from "../raises/poll.ts";
import { type Content, type Pipeline, pipelineNames, type SourceFile } from "../records/records.ts";
import { createReport, recordFile } from "../records/source-files.ts";
import { describeUnknown, recognizeKind } from "./find-files.ts";
import { readGroups } from "./read-files.ts";
import { storeContent } from "./store.ts";

export interface RefreshOptions {
	log: Pick<Logger, "debug" | "info" | "warn" | "error">;
	now: () => Date;
	/** Organization and e-mail address. SEC is polled only with a contact. */
	contact?: string | undefined;
	hosts?: Hosts;
	policy?: (host: string) => Policy;
	/** Interval between checks for due steps (ms). */
	everyMs?: number;
}

const defaultEveryMs = 60_000;
/** The user agent if no contact is set. */
const program = "energy-infrastructure-data-service/1.0";

const steps: Record<Pipeline, readonly Step[]> = { "form-d": formDSteps, "8-k": eightKSteps, news: newsSteps };

/** SEC requires every program to name its operator. */
export const needsContact = (pipeline: Pipeline): boolean => pipeline !== "news";

export function refreshJobs(sql: Sql, options: RefreshOptions): AsyncDisposable[] {
	const { log, contact, everyMs = defaultEveryMs } = options;
	if (contact === undefined) log.info("CONTACT is not set: Form D and 8-K are not polled");
	return pipelineNames
		.filter((pipeline) => contact !== undefined || !needsContact(pipeline))
		.map((pipeline) =>
			schedule({
				name: jobName(pipeline),
				everyMs,
				jitterMs: everyMs / 10,
				sql,
				log,
				async run(signal) {
					await refresh(sql, pipeline, options, signal, { due: true });
				},
			}),
		);
}

/** Runs every step of a pipeline, even if it is not due. Returns undefined if another process is running the job. */
export async function refreshNow(
	sql: Sql,
	pipeline: Pipeline,
	options: RefreshOptions,
	signal: AbortSignal,
): Promise<PollResult[] | undefined> {
	await using lock = await tryLock(sql, `job:${schema}:${jobName(pipeline)}`);
	if (lock === undefined) return undefined;
	return await refresh(sql, pipeline, options, AbortSignal.any([signal, lock.lost]), { due: false });
}

const jobName = (pipeline: Pipeline): string => `refresh-${pipeline}`;

function refresh(
	sql: Sql,
	pipeline: Pipeline,
	{ log, now, contact = program, hosts = publishers, policy }: RefreshOptions,
	signal: AbortSignal,
	selection: { due: boolean },
): Promise<PollResult[]> {
	const client = createPoliteClient({ sql, userAgent: contact, signal, ...(policy && { policy }) });
	const poll = { pipeline, sql, client, hosts, now, signal, log, ingest: ingestDownloads };
	return runSteps(poll, steps[pipeline], selection);
}

/**
 * Reads downloaded files in a thread, stores their records together, and records the files if anything was new. An unreadable file is
 * recorded as refused, and the others are stored. Throws if the database or the reader fails.
 */
async function ingestDownloads(
	run: StepRun,
	files: readonly SourceFile[],
	{ always, select }: IngestOptions,
): Promise<Ingested | null> {
	const { pipeline } = run.poll;
	const groups = files.map((file) => [file]);
	const contents = await readGroups({ source: pipeline, groups, now: run.now().toISOString() });
	const acceptedFiles: SourceFile[] = [];
	const acceptedContents: Content[] = [];
	for (const [at, file] of files.entries()) {
		// The readers of filings skip files of an unknown kind, but an unknown download is an error.
		const isUnknown = pipeline !== "news" && recognizeKind(pipeline, file) === null;
		const content = isUnknown ? { refused: `${file.name}: ${describeUnknown(file).reason}` } : contents[at];
		if (content === undefined) throw new Error(`${file.name}: the reader returned no content`);
		if ("refused" in content) await run.refuse(file, content.refused);
		else {
			acceptedFiles.push(file);
			acceptedContents.push(content);
		}
	}
	if (acceptedFiles.length === 0) return null;
	const joinedContent = joinContents(acceptedContents);
	const content = select?.(joinedContent) ?? joinedContent;
	const stored = await storeContent(run.sql, content);
	run.accepted++;
	run.stored += stored.stored;
	run.known += stored.known;
	if (stored.stored > 0 || always)
		await recordFile(run.sql, pipeline, createReport(acceptedFiles, content, stored), run.now());
	return { ...stored, rowsIn: content.rowsIn };
}

const joinContents = (contents: readonly Content[]): Content => ({
	rowsIn: contents.reduce((sum, { rowsIn }) => sum + rowsIn, 0),
	dropped: contents.flatMap(({ dropped }) => dropped),
	notes: contents.flatMap(({ notes }) => notes),
	articles: contents.flatMap(({ articles }) => articles),
	raises: contents.flatMap(({ raises }) => raises),
	index: contents.flatMap(({ index }) => index),
	filings: contents.flatMap(({ filings }) => filings),
});
