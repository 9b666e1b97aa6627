/**
 * Computes what is marked: developers first, because scores look at them, then requests, a batch of each a transaction. What is
 * computed depends on nothing but the copies, the reference lists and the day, so that the order in which events came is forgotten.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { isDatabaseUnavailable } from "#libs/postgres/connection-errors.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";
import { type RunBatch, startListening } from "#libs/service/worker.ts";
import type { Basis } from "../domain/assess.ts";
import { schema } from "../migrate.ts";
import { loadReferences } from "../references/current.ts";
import { enqueueAll, recomputeChannel } from "../tables/recompute-queue.ts";
import { rateDevelopers } from "./rate-developers.ts";
import { type Run, scoreProjects } from "./score-projects.ts";

export interface Scoring {
	now: () => Date;
	notice_2025_42: Basis["notice_2025_42"];
	log: Pick<Logger, "error">;
}

/** Most requests that one transaction computes. */
const batchSize = 500;
/** As many marks at once are a list that is coming: events arrive in batches of 500, of which a third of the requests may be open. */
const loadMarks = 100;
/** So long (ms) nothing is marked after a load. */
const quietMs = 500;
/** Looks at a load that does not end, `quietMs` apart. */
const mostLooks = 120;

export const startScoring = (sql: Sql, scoring: Scoring): Promise<AsyncDisposable> =>
	startListening(sql, recomputeChannel(schema), {
		name: "keep-scored",
		run: (signal, runBatch) => scoreTouched(sql, scoring, signal, runBatch),
		onFailure: (err) => scoring.log.error({ err }, "what is marked could not be scored"),
	});

/** Everything that is marked is computed when it resolves. */
export async function scoreTouched(
	sql: Sql,
	scoring: Scoring,
	signal?: AbortSignal,
	runBatch: RunBatch = (batch) => batch(),
): Promise<void> {
	const compute = async (share?: Share): Promise<boolean> => {
		signal?.throwIfAborted();
		try {
			return await runBatch(() => scoreBatch(sql, scoring, share));
		} catch (error) {
			if (isDatabaseUnavailable(error)) throw error;
			scoring.log.error({ err: error }, "a batch could not be scored: each of it is tried alone");
			await scoreAlone(sql, scoring);
			return true;
		}
	};
	for (;;) {
		if (await letLoadThrough(sql, signal)) {
			while (await compute({ developers: batchSize, projects: 0 }));
			while (await compute({ developers: 0, projects: batchSize }));
		}
		if (!(await compute())) return;
	}
}

/**
 * While a list is coming that marks many, nothing is computed, and then all of its developers before any request: nearly
 * all of them would be rated with every batch of requests, and what was scored by such a rating scored again. Answers whether one came.
 */
async function letLoadThrough(sql: Sql, signal?: AbortSignal): Promise<boolean> {
	let before: number | null = null;
	for (let looks = 0; looks < mostLooks; looks++) {
		const [seen] = await sql<{ marks: number; newest: number | null }[]>`
			select count(*) as marks, max(mark) as newest
			from (select mark from project_recompute_queue order by mark desc limit ${loadMarks}) as latest`;
		if (seen === undefined || seen.marks < loadMarks) return false;
		if (seen.newest === before) return true;
		before = seen.newest;
		await pause(quietMs, undefined, { signal });
	}
	return true;
}

/** Is nothing left to compute? */
export async function isScored(sql: Sql): Promise<boolean> {
	const rows = await sql`
		select from (select from project_recompute_queue union all select from developer_recompute_queue) t limit 1`;
	return rows.count === 0;
}

/** Most that one transaction takes of each. */
interface Share {
	developers: number;
	projects: number;
}

/** Developers are counted over all their requests, which takes longer. */
const someOfEach: Share = { developers: 50, projects: batchSize };

/** One batch; answers whether there was one. One replica at a time: what two computed side by side could look past each other. */
export function scoreBatch(sql: Sql, scoring: Scoring, share = someOfEach): Promise<boolean> {
	return sql.begin(async (tx) => {
		await lockScoring(tx);
		const run = await settle(tx, scoring);
		const developers = await takeDevelopers(tx, share.developers);
		const rated = await rateDevelopers(tx, developers, run.now, scoring.log);
		const projects = await takeProjects(tx, share.projects);
		const scored = await scoreProjects(tx, projects, run, scoring.log);
		if (rated || scored) await raiseDataVersion(tx);
		return developers.length + projects.length > 0;
	});
}

/** Of a request or a developer the marks up to the latest that was seen. */
interface Mark {
	id: string | number;
	seen: number;
}

/** What a batch consisted of, each in a transaction of its own; what fails alone too is put away for people to look at. */
async function scoreAlone(sql: Sql, scoring: Scoring): Promise<void> {
	// What fails here is the fault of none of them.
	await sql.begin((tx) => settle(tx, scoring));
	const alone = async ({ id, seen }: Mark, compute: (tx: Transaction, run: Run) => Promise<boolean>) => {
		try {
			await sql.begin(async (tx) => {
				await lockScoring(tx);
				if (await compute(tx, await settle(tx, scoring))) await raiseDataVersion(tx);
			});
		} catch (error) {
			if (isDatabaseUnavailable(error)) throw error;
			await putAway(sql, { id, seen }, error, scoring.log);
		}
	};
	const developers = await sql<{ id: number; seen: number }[]>`
		select developer_id as id, max(mark) as seen from developer_recompute_queue group by 1 order by 1 limit ${batchSize}`;
	for (const mark of developers)
		await alone(mark, async (tx, { now }) => {
			await tx`delete from developer_recompute_queue where developer_id = ${mark.id} and mark <= ${mark.seen}`;
			return rateDevelopers(tx, [mark.id], now, scoring.log);
		});
	const projects = await sql<{ id: string; seen: number }[]>`
		select project_id as id, max(mark) as seen from project_recompute_queue group by 1 order by 1 limit ${batchSize}`;
	for (const mark of projects)
		await alone(mark, async (tx, run) => {
			await tx`delete from project_recompute_queue where project_id = ${mark.id} and mark <= ${mark.seen}`;
			return scoreProjects(tx, [mark.id], run, scoring.log);
		});
}

/** It keeps what was computed of it before. */
async function putAway(sql: Sql, { id, seen }: Mark, error: unknown, log: Scoring["log"]): Promise<void> {
	log.error({ err: error, id }, "could not be computed");
	const [table, key] =
		typeof id === "number" ? ["developer_recompute_queue", "developer_id"] : ["project_recompute_queue", "project_id"];
	await sql.begin(async (tx) => {
		await tx`delete from ${tx(table)} where ${tx(key)} = ${id} and mark <= ${seen}`;
		await tx`
			insert into dead_letters (reaction, subject, payload, reason)
			values ('keep-scored', ${table}, ${String(id)}, ${String(error)})`;
	});
}

async function takeDevelopers(tx: Transaction, most: number): Promise<number[]> {
	if (most === 0) return [];
	const taken = await tx<{ id: number }[]>`
		with batch as (select distinct developer_id as id from developer_recompute_queue order by 1 limit ${most}),
		taken as (delete from developer_recompute_queue t using batch where t.developer_id = batch.id)
		select id from batch`;
	return taken.map(({ id }) => id);
}

async function takeProjects(tx: Transaction, most: number): Promise<string[]> {
	if (most === 0) return [];
	const taken = await tx<{ id: string }[]>`
		with batch as (
			select distinct id from (select project_id as id from project_recompute_queue order by project_id limit ${most}) as first),
		taken as (delete from project_recompute_queue t using batch where t.project_id = batch.id)
		select id from batch`;
	return taken.map(({ id }) => id);
}

export async function lockScoring(tx: Transaction): Promise<void> {
	await tx`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':score', 0))`;
}

/** What a transaction computes with. A new day, or a new reference list, enqueues everything. */
async function settle(tx: Transaction, { now, notice_2025_42 }: Scoring): Promise<Run> {
	const at = now();
	const today = at.toISOString().slice(0, 10);
	const [settings] = await tx<(Run["settings"] & { due: boolean; lists: number })[]>`
		select active_version, preparing_version, r.version as lists,
			coalesce(computed_on < ${today}::text::date, true) or references_version <> r.version as due
		from settings, reference_versions r`;
	if (settings === undefined) throw new Error("the settings of scoring are missing: migrate");
	if (settings.due) {
		await enqueueAll(tx);
		await tx`update settings set computed_on = ${today}::text::date, references_version = ${settings.lists}`;
	}
	return { settings, basis: { today, references: await loadReferences(tx), notice_2025_42 }, now: at };
}

// MERGED services/scoring/jobs/scoring-worker.ts: Wakes the computing worker when a day begins: ages, dates that pass and windows of events depend on it.
const dayMs = 86_400_000;

export const noticeNewDay = (sql: Sql, log: Logger, now: () => Date): AsyncDisposable =>
	schedule({
		name: "notice-new-day",
		// Days are UTC's, as everywhere.
		nextAt: (after) => new Date((Math.floor(after.getTime() / dayMs) + 1) * dayMs),
		sql,
		log,
		now,
		run: async () => {
			await sql.notify(recomputeChannel(schema), "");
		},
	});
