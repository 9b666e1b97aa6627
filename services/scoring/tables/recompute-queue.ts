/** Enqueues what has to be computed again, in the transaction that changed what it is computed from. */
import type { Transaction } from "#libs/postgres/connect.ts";
import { currentTraceparent } from "#libs/postgres/trace.ts";

/** Wakes the computing worker. Suffixed with the schema. */
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

/** Developers with requests of these operators: what their peers withdrew is another. */
export async function enqueuePeers(tx: Transaction, regions: readonly string[]): Promise<void> {
	if (regions.length === 0) return;
	await tx`insert into developer_recompute_queue (developer_id)
		select distinct developer_id from projects where developer_id is not null and region = any(${[...new Set(regions)]}::text[])`;
	await wakeScoring(tx);
}

/** Every open request of these lists, and every developer: the day that their dates are judged by is another. */
export async function enqueueFeeds(tx: Transaction, feeds: readonly string[]): Promise<void> {
	if (feeds.length === 0) return;
	await tx`insert into project_recompute_queue (project_id)
		select project_id from projects where open and feed = any(${[...feeds]}::text[])`;
	await tx`insert into developer_recompute_queue (developer_id)
		select distinct developer_id from projects where developer_id is not null and feed = any(${[...feeds]}::text[])`;
	await wakeScoring(tx);
}

/** Everything that is scored or rated. Answers how many requests. */
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

/** Takes effect at commit. */
export async function wakeScoring(tx: Transaction): Promise<void> {
	await tx`select pg_notify(current_schema() || '_recompute', ${currentTraceparent() ?? ""})`;
}

/**
 * To be taken by a transaction that enqueues what follows from others' copies (twins of a request, a developer's name): two that do so at once
 * would each miss what the other is about to commit.
 */
export async function lockCopies(tx: Transaction): Promise<void> {
	await tx`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':copy', 0))`;
}
