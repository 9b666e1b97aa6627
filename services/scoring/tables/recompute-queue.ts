/**
 * The queues of requests and developers to compute again. They are filled in the transaction that changed an input, and wake the worker
 * (`jobs/scoring-worker.ts`) at commit.
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

/** Developers with requests of these operators, because the withdrawals of their peers have changed. */
export async function enqueuePeers(tx: Transaction, regions: readonly string[]): Promise<void> {
	if (regions.length === 0) return;
	await tx`insert into developer_recompute_queue (developer_id)
		select distinct developer_id from projects where developer_id is not null and region = any(${[...new Set(regions)]}::text[])`;
	await wakeScoring(tx);
}

/** Every open request of these lists and every developer with requests in them, because their dates are judged by another day. */
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

/** Serializes transactions that compute: two at once would miss each other's results. */
export async function lockScoring(tx: Transaction): Promise<void> {
	await tx`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':score', 0))`;
}

/** Serializes transactions whose marks follow from others' copies (twins, a developer's name): two at once would miss each other's rows. */
export async function lockCopies(tx: Transaction): Promise<void> {
	await tx`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':copy', 0))`;
}
