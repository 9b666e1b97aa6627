/** One job a pipeline, in one replica at a time: none waits for another, and which part of it is due stands in the database. */
import type { Sql } from "#libs/postgres/connect.ts";
import { tryLock } from "#libs/postgres/lock.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";
import { type Pipeline, pipelineNames } from "../domain/pipelines.ts";
import { type Hosts, hosts as publishers } from "../http/hosts.ts";
import type { Policy } from "../http/policies.ts";
import { politeClient } from "../http/polite.ts";
import { schema } from "../migrate.ts";
import { eightKParts } from "./refresh-8-k.ts";
import { formDParts } from "./refresh-form-d.ts";
import { newsParts } from "./refresh-news.ts";
import { type Look, takeTurn } from "./take-turn.ts";
import type { Part } from "./turn.ts";

export interface RefreshOptions {
	log: Pick<Logger, "debug" | "info" | "warn" | "error">;
	now: () => Date;
	/** Organisation and e-mail, for SEC; without it SEC is not asked. */
	contact?: string | undefined;
	hosts?: Hosts;
	policy?: (host: string) => Policy;
	/** How often it is asked whether a part is due (ms). */
	everyMs?: number;
}

const usualEveryMs = 60_000;
/** The client name where none is configured. */
const program = "energy-infrastructure-data-service/1.0";

const partsOf: Record<Pipeline, readonly Part[]> = { "form-d": formDParts, "8-k": eightKParts, news: newsParts };

/** Does its publisher, SEC, ask every program to say who runs it? */
export const needsContact = (pipeline: Pipeline): boolean => pipeline !== "news";

export function refreshJobs(sql: Sql, options: RefreshOptions): AsyncDisposable[] {
	const { log, contact, everyMs = usualEveryMs } = options;
	if (contact === undefined) log.info("CONTACT is not set: SEC is not asked for Form D and 8-K");
	return pipelineNames
		.filter((pipeline) => contact !== undefined || !needsContact(pipeline))
		.map((pipeline) =>
			schedule({
				name: jobOf(pipeline),
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

/** By hand: every part of a pipeline, due or not. Undefined when a replica is at it. */
export async function refreshNow(
	sql: Sql,
	pipeline: Pipeline,
	options: RefreshOptions,
	signal: AbortSignal,
): Promise<Look[] | undefined> {
	await using lock = await tryLock(sql, `job:${schema}:${jobOf(pipeline)}`);
	if (lock === undefined) return undefined;
	return await refresh(sql, pipeline, options, AbortSignal.any([signal, lock.lost]), { due: false });
}

const jobOf = (pipeline: Pipeline): string => `refresh-${pipeline}`;

function refresh(
	sql: Sql,
	pipeline: Pipeline,
	{ log, now, contact, hosts = publishers, policy }: RefreshOptions,
	signal: AbortSignal,
	which: { due: boolean },
): Promise<Look[]> {
	const userAgent = contact ?? program;
	const polite = politeClient({ sql, userAgent, signal, ...(policy && { policy }) });
	return takeTurn({ pipeline, sql, polite, hosts, now, signal, log }, partsOf[pipeline], which);
}
