/**
 * The queues of requests and developers to recompute. A transaction that changes an input adds rows; its commit wakes the worker
 * (`jobs/scoring-worker.ts`).
 */
import type { Transaction } from "#libs/postgres/connect.ts";
import { currentTraceparent } from "#libs/postgres/trace.ts";

export const recomputeChannel = (schema: string): string => `${schema}_recompute`;

export async function enqueueProjects(tx: Transaction, ids: readonly string[]): Promise<void> {
	if (ids.length === 0) return;
	await tx`insert into project_recompute_queue (project_id) select distinct unnest(${[...ids]}::text[])`;
	await wakeScoring(tx);
}

export async function enqueueDevelopers(tx: Transaction, ids: readonly (number | null)[]): Promise<void> {
	const known = ids.filter((id) => id !== null);
	if (known.length === 0) return;
	await tx`insert into developer_recompute_queue (developer_id) select distinct unnest(${known}::integer[])`;
	await wakeScoring(tx);
}

/** Queues the developers with requests of these operators, because their peers' withdrawals have changed. */
export async function enqueuePeers(tx: Transaction, regions: readonly string[]): Promise<void> {
	if (regions.length === 0) return;
	await tx`insert into developer_recompute_queue (developer_id)
		select distinct developer_id from projects where developer_id is not null and region = any(${[...new Set(regions)]}::text[])`;
	await wakeScoring(tx);
}

/** Queues the open requests of these lists and the developers with requests in them, because the day of the list has changed (`judgedOn`). */
export async function enqueueFeeds(tx: Transaction, feeds: readonly string[]): Promise<void> {
	if (feeds.length === 0) return;
	await tx`insert into project_recompute_queue (project_id)
		select project_id from projects where open and feed = any(${[...feeds]}::text[])`;
	await tx`insert into developer_recompute_queue (developer_id)
		select distinct developer_id from projects where developer_id is not null and feed = any(${[...feeds]}::text[])`;
	await wakeScoring(tx);
}

export async function enqueueAll(tx: Transaction): Promise<number> {
	const requests =
		await tx`insert into project_recompute_queue (project_id) select project_id from projects where open`;
	await enqueueAllDevelopers(tx);
	return requests.count;
}

export async function enqueueAllDevelopers(tx: Transaction): Promise<void> {
	await tx`insert into developer_recompute_queue (developer_id) select developer_id from developers`;
	await wakeScoring(tx);
}

export async function wakeScoring(tx: Transaction): Promise<void> {
	await tx`select pg_notify(current_schema() || '_recompute', ${currentTraceparent() ?? ""})`;
}

/** Serializes transactions that compute results, because two concurrent ones would miss each other's results. */
export async function lockScoring(tx: Transaction): Promise<void> {
	await tx`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':score', 0))`;
}

/** Serializes transactions that search the copies for rows to queue (twins, a developer's name). Otherwise they would miss each other's rows. */
export async function lockCopies(tx: Transaction): Promise<void> {
	await tx`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':copy', 0))`;
}
