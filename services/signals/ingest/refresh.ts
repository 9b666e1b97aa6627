/** Polls the publishers: one job for each pipeline, in one replica at a time. The database states which steps are due. */
import type { Sql } from "#libs/postgres/connect.ts";
import { tryLock } from "#libs/postgres/lock.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";
import { eightKSteps } from "../filings/poll.ts";
import { schema } from "../migrate.ts";
import { newsSteps } from "../news/poll.ts";
import { type Hosts, type Policy, hosts as publishers } from "../polling/hosts.ts";
import { politeClient } from "../polling/polite.ts";
import { type PollResult, runSteps, type Step } from "../polling/poll.ts";
import { formDSteps } from "../raises/poll.ts";
import { type Pipeline, pipelineNames } from "../records/records.ts";
import { ingestDownloads } from "./ingest-downloads.ts";

export interface RefreshOptions {
	log: Pick<Logger, "debug" | "info" | "warn" | "error">;
	now: () => Date;
	/** Organisation and e-mail address. SEC is polled only with a contact. */
	contact?: string | undefined;
	hosts?: Hosts;
	policy?: (host: string) => Policy;
	/** Interval between checks for due steps (ms). */
	everyMs?: number;
}

const defaultEveryMs = 60_000;
/** The user agent without a contact. */
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

/** Runs every step of a pipeline, due or not. Undefined if another replica is running the job. */
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
	which: { due: boolean },
): Promise<PollResult[]> {
	const client = politeClient({ sql, userAgent: contact, signal, ...(policy && { policy }) });
	const poll = { pipeline, sql, client, hosts, now, signal, log, ingest: ingestDownloads };
	return runSteps(poll, steps[pipeline], which);
}
