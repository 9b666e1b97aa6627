/**
 * Recomputes the queued developers and requests, a batch of each in one transaction: developers first, because scores depend on their
 * ratings. A result depends only on the copies, the reference lists and the day, never on the order in which events arrived.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { isDatabaseUnavailable } from "#libs/postgres/connection-errors.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";
import { type RunBatch, startListening } from "#libs/service/worker.ts";
import type { Basis } from "../domain/assess.ts";
import { currentVersion } from "../domain/score/version.ts";
import { schema } from "../migrate.ts";
import { loadReferences } from "../references/current.ts";
import { enqueueAll, lockScoring, recomputeChannel } from "../tables/recompute-queue.ts";
import { rateDevelopers } from "./rate-developers.ts";
import { type Run, scoreProjects } from "./score-projects.ts";

export interface Scoring {
	now: () => Date;
	notice_2025_42: Basis["notice_2025_42"];
	log: Pick<Logger, "error">;
}

const batchSize = 500;
/** This many queued requests or more mean that a list is being copied: events arrive in batches of 500, about a third of them for open requests. */
const bulkLoadSize = 100;
/** A bulk load has ended if nothing was queued for this long (ms). */
const quietMs = 500;
/** Maximum number of pauses (of `quietMs`) for one bulk load. */
const maxPauses = 120;
const dayMs = 86_400_000;

export const startScoring = (sql: Sql, scoring: Scoring): Promise<AsyncDisposable> =>
	startListening(sql, recomputeChannel(schema), {
		name: "compute-scores",
		run: (signal, runBatch) => scoreQueued(sql, scoring, signal, runBatch),
		onFailure: (err) => scoring.log.error({ err }, "the recompute queues could not be processed"),
	});

/** Wakes the worker when a day begins (UTC), because the age of requests, overdue dates and the counted events depend on the day. */
export const startNewDays = (sql: Sql, log: Logger, now: () => Date): AsyncDisposable =>
	schedule({
		name: "notice-new-day",
		nextAt: (after) => new Date((Math.floor(after.getTime() / dayMs) + 1) * dayMs),
		sql,
		log,
		now,
		run: async () => {
			await sql.notify(recomputeChannel(schema), "");
		},
	});

export async function scoreQueued(
	sql: Sql,
	scoring: Scoring,
	signal?: AbortSignal,
	runBatch: RunBatch = (batch) => batch(),
): Promise<void> {
	const compute = async (sizes?: BatchSizes): Promise<boolean> => {
		signal?.throwIfAborted();
		try {
			return await runBatch(() => scoreBatch(sql, scoring, sizes));
		} catch (error) {
			if (isDatabaseUnavailable(error)) throw error;
			scoring.log.error({ err: error }, "a batch could not be scored; its members are retried one by one");
			await scoreOneByOne(sql, scoring);
			return true;
		}
	};
	for (;;) {
		if (await waitForBulkLoad(sql, signal)) {
			while (await compute({ developers: batchSize, projects: 0 }));
			while (await compute({ developers: 0, projects: batchSize }));
		}
		if (!(await compute())) return;
	}
}

/**
 * Waits while a list is being copied, so that all of its developers are rated before any request is scored. Otherwise each batch would rate
 * nearly every developer and score its requests again. @returns whether there was a bulk load
 */
async function waitForBulkLoad(sql: Sql, signal?: AbortSignal): Promise<boolean> {
	let previousNewest: number | null = null;
	for (let pauses = 0; pauses < maxPauses; pauses++) {
		const [queued] = await sql<{ marks: number; newest: number | null }[]>`
			select count(*) as marks, max(mark) as newest
			from (select mark from project_recompute_queue order by mark desc limit ${bulkLoadSize}) as latest`;
		if (queued === undefined || queued.marks < bulkLoadSize) return false;
		if (queued.newest === previousNewest) return true;
		previousNewest = queued.newest;
		await pause(quietMs, undefined, { signal });
	}
	return true;
}

export async function isQueueEmpty(sql: Sql): Promise<boolean> {
	const rows = await sql`
		select from (select from project_recompute_queue union all select from developer_recompute_queue) t limit 1`;
	return rows.count === 0;
}

interface BatchSizes {
	developers: number;
	projects: number;
}

/** Fewer developers than requests, because rating a developer counts all of its requests. */
const defaultSizes: BatchSizes = { developers: 50, projects: batchSize };

/** Computes one batch, in one replica at a time. @returns false if the queues were empty */
export function scoreBatch(sql: Sql, scoring: Scoring, sizes = defaultSizes): Promise<boolean> {
	return sql.begin(async (tx) => {
		await lockScoring(tx);
		const run = await prepareRun(tx, scoring);
		const developers = await dequeue<number>(
			tx,
			"developer_recompute_queue",
			"developer_id",
			sizes.developers,
			tx`distinct`,
		);
		const rated = await rateDevelopers(tx, developers, run.now, scoring.log);
		const projects = await dequeue<string>(tx, "project_recompute_queue", "project_id", sizes.projects, tx``);
		const scored = await scoreProjects(tx, projects, run, scoring.log);
		if (rated || scored) await raiseDataVersion(tx);
		return developers.length + projects.length > 0;
	});
}

/**
 * Removes and returns up to `most` ids. With `distinct`, `most` limits ids instead of rows. Use it only for developers: requests have few rows
 * each, and selecting distinct ids would read their whole queue.
 */
async function dequeue<Id>(
	tx: Transaction,
	queue: string,
	key: string,
	limit: number,
	distinct: Fragment,
): Promise<Id[]> {
	if (limit === 0) return [];
	const dequeued = await tx<{ id: Id }[]>`
		with batch as (
			select distinct id from (select ${distinct} ${tx(key)} as id from ${tx(queue)} order by id limit ${limit}) as first),
		taken as (delete from ${tx(queue)} t using batch where t.${tx(key)} = batch.id)
		select id from batch`;
	return dequeued.map(({ id }) => id);
}

/** Recomputes each member of a batch in a separate transaction. A member that fails again becomes a dead letter and retains its last result. */
async function scoreOneByOne(sql: Sql, scoring: Scoring): Promise<void> {
	const { log } = scoring;
	// If preparation fails, no member is the cause, so the error is thrown here before any member becomes a dead letter.
	await sql.begin((tx) => prepareRun(tx, scoring));
	const recomputeEach = async <Id extends string | number>(
		queue: string,
		key: string,
		compute: (tx: Transaction, id: Id, run: Run) => Promise<boolean>,
	) => {
		const marks = await sql<{ id: Id; seen: number }[]>`
			select ${sql(key)} as id, max(mark) as seen from ${sql(queue)} group by 1 order by 1 limit ${batchSize}`;
		for (const { id, seen } of marks) {
			const unmark = (tx: Transaction) => tx`delete from ${tx(queue)} where ${tx(key)} = ${id} and mark <= ${seen}`;
			try {
				await sql.begin(async (tx) => {
					await lockScoring(tx);
					const run = await prepareRun(tx, scoring);
					await unmark(tx);
					if (await compute(tx, id, run)) await raiseDataVersion(tx);
				});
			} catch (error) {
				if (isDatabaseUnavailable(error)) throw error;
				log.error({ err: error, id }, "a queued request or developer could not be computed: recorded as a dead letter");
				await sql.begin(async (tx) => {
					await unmark(tx);
					await tx`
						insert into dead_letters (reaction, subject, payload, reason)
						values ('compute-scores', ${queue}, ${String(id)}, ${String(error)})`;
				});
			}
		}
	};
	await recomputeEach<number>("developer_recompute_queue", "developer_id", (tx, id, { now }) =>
		rateDevelopers(tx, [id], now, log),
	);
	await recomputeEach<string>("project_recompute_queue", "project_id", (tx, id, run) =>
		scoreProjects(tx, [id], run, log),
	);
}

/** Prepares a run. On a new day or with a new reference list, it enqueues everything. */
async function prepareRun(tx: Transaction, { now, notice_2025_42 }: Scoring): Promise<Run> {
	const at = now();
	const today = at.toISOString().slice(0, 10);
	const [settings] = await tx<{ due: boolean; lists: number }[]>`
		select r.version as lists,
			coalesce(computed_on < ${today}::text::date, true) or references_version <> r.version as due
		from settings, reference_versions r`;
	if (settings === undefined) throw new Error("the table settings has no row: run the migrations of scoring");
	if (settings.due) {
		await enqueueAll(tx);
		await tx`update settings set computed_on = ${today}::text::date, references_version = ${settings.lists}`;
	}
	return { basis: { today, references: await loadReferences(tx), notice_2025_42 }, now: at };
}

/** Queues all open requests to be scored again. @returns how many */
export const rescore = (sql: Sql): Promise<number> =>
	sql.begin(async (tx) => {
		await lockScoring(tx);
		// An empty hash differs from every real one, so that unchanged scores are written again, too.
		await tx`update scores set inputs_hash = ''`;
		return enqueueAll(tx);
	});

/**
 * Switches to the score version that this code computes. Scores of other versions are deleted, because they were computed from other inputs:
 * a request has no score until the worker has computed it. Published scores remain in the history.
 */
export const serveCurrentVersion = (sql: Sql): Promise<void> =>
	sql.begin(async (tx) => {
		await lockScoring(tx);
		const changed = await tx`
			update settings set active_version = ${currentVersion} where active_version <> ${currentVersion}`;
		if (changed.count === 0) return;
		await tx`delete from scores where score_version <> ${currentVersion}`;
		await enqueueAll(tx);
		await raiseDataVersion(tx);
	});
