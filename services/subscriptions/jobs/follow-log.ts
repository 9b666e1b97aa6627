/** Follows the change log: updates watchlists, then wakes the dispatcher. Woken by announced changes, requests of accounts and a timer. */
import type { ChangeLog, LoggedChange } from "#libs/bus/requests/change-log.ts";
import type { Filters } from "#libs/contract/filters/meanings.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import type { Logger } from "#libs/service/logger.ts";
import { type RunBatch, startListening } from "#libs/service/worker.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import type { Entry } from "../dispatch/messages.ts";
import { eventOf } from "../domain/changes.ts";
import { type LogHead, Outage } from "../log.ts";
import type { Ask } from "../resources.ts";

interface FollowOptions {
	sql: Sql;
	ask: Ask;
	log: ChangeLog;
	head: LogHead;
}

interface WatchlistRow {
	id: number;
	filters: Filters;
	seq: number | null;
	version: number;
}

/**
 * Brings every watchlist to the end of the log. Those of paid plans come first, and again before each of the free plan: changed filters have
 * a watchlist read anew, and free accounts have many. Several replicas may run at once: each step is written by the first to finish it.
 */
async function followAll(
	options: FollowOptions,
	signal: AbortSignal,
	runBatch: RunBatch = (step) => step(),
): Promise<void> {
	const { sql } = options;
	/** @returns the id after which it continues; undefined when none is left */
	const followNext = async (free: boolean, after: number, limit: number): Promise<number | undefined> => {
		const head = await options.head.seq();
		if (head === undefined) return undefined;
		const rows = await sql<WatchlistRow[]>`
			select id, filters, seq, version from watchlists
			where free = ${free} and id > ${after} and (seq is null or seq < ${head}) order by id limit ${limit}`;
		for (const row of rows) {
			signal.throwIfAborted();
			await runBatch(() => followWatchlist(row, options, signal));
		}
		return rows.at(-1)?.id;
	};
	for (let free: number | undefined = 0; free !== undefined; free = await followNext(true, free, 1))
		for (let paid: number | undefined = 0; paid !== undefined; ) paid = await followNext(false, paid, 100);
}

async function followWatchlist(row: WatchlistRow, options: FollowOptions, signal: AbortSignal): Promise<void> {
	const { sql, log } = options;
	let seq = row.seq ?? (await readMembers(row, options, signal));
	while (seq !== undefined) {
		signal.throwIfAborted();
		const { changes, next } = await log.read(seq);
		if (next === seq || !(await applyPage(sql, row, { seq, next, changes }))) return;
		seq = next;
	}
}

/** Applies a page of the log in one transaction. @returns false if another replica has applied it, or the filters have changed */
function applyPage(
	sql: Sql,
	{ id, filters, version }: WatchlistRow,
	{ seq, next, changes }: { seq: number; next: number; changes: readonly LoggedChange[] },
): Promise<boolean> {
	return sql.begin(async (tx) => {
		const moved = await tx`
			update watchlists set seq = ${next} where id = ${id} and seq = ${seq} and version = ${version}`;
		if (moved.count === 0) return false;
		const ids = [...new Set(changes.flatMap(({ project_id }) => project_id ?? []))];
		const rows = await tx<{ project_id: string }[]>`
			select project_id from watchlist_members where watchlist_id = ${id} and project_id = any(${ids}::text[])`;
		const before = new Set(rows.map(({ project_id }) => project_id));
		const { entries, members } = fold(filters, changes, before);
		await writeEntries(tx, id, entries);
		const gone = [...before].filter((member) => !members.has(member));
		await tx`delete from watchlist_members where watchlist_id = ${id} and project_id = any(${gone}::text[])`;
		await writeMembers(tx, id, [...members]);
		return true;
	});
}

/** The entries of a page of the log for a watchlist with the members `before`, and its members afterwards. Pure. */
export function fold(
	filters: Filters,
	changes: readonly LoggedChange[],
	before: ReadonlySet<string>,
): { entries: Entry[]; members: Set<string> } {
	const members = new Set(before);
	const entries: Entry[] = [];
	for (const change of changes) {
		const { seq, project_id } = change;
		if (project_id === null) continue;
		const event = eventOf(filters, change, members.has(project_id));
		if (event === undefined) continue;
		if (event === "entered") members.add(project_id);
		if (event === "left") members.delete(project_id);
		entries.push({ seq, project_id, event });
	}
	return { entries, members };
}

async function writeEntries(tx: Transaction, id: number, entries: readonly Entry[]): Promise<void> {
	const seqs = entries.map(({ seq }) => seq);
	const ids = entries.map(({ project_id }) => project_id);
	const events = entries.map(({ event }) => event);
	await tx`
		insert into watchlist_entries (watchlist_id, seq, project_id, event)
		select ${id}::bigint, seq, project_id, event
		from unnest(${seqs}::bigint[], ${ids}::text[], ${events}::text[]) as e (seq, project_id, event)`;
}

async function writeMembers(tx: Transaction, id: number, members: readonly string[]): Promise<void> {
	await tx`
		insert into watchlist_members (watchlist_id, project_id)
		select ${id}::bigint, member from unnest(${members}::text[]) as member on conflict do nothing`;
}

/**
 * Reads all requests that match the filters. The newest `seq` is read first: later changes follow from the log, in which an existing member
 * does not enter again.
 * @returns that `seq`; undefined if the filters have changed
 */
async function readMembers(
	{ id, filters, version }: WatchlistRow,
	{ sql, ask, log }: FollowOptions,
	signal: AbortSignal,
): Promise<number | undefined> {
	const seq = await log.head();
	const members: string[] = [];
	for (let cursor: string | null | undefined = "*"; cursor != null; ) {
		signal.throwIfAborted();
		const page: Awaited<ReturnType<typeof ask<"listProjects">>> = await ask("listProjects", {
			...filters,
			cursor,
			per_page: 500,
			fields: ["id"],
		});
		members.push(...page.data.map((project) => project.id));
		cursor = page.meta.next_cursor;
	}
	const isWritten = await sql.begin(async (tx) => {
		const moved = await tx`
			update watchlists set seq = ${seq} where id = ${id} and seq is null and version = ${version}`;
		if (moved.count === 0) return false;
		await tx`delete from watchlist_members where watchlist_id = ${id}`;
		await writeMembers(tx, id, members);
		return true;
	});
	return isWritten ? seq : undefined;
}

export interface FollowingOptions extends FollowOptions {
	dispatcher: Dispatcher;
	logger: Pick<Logger, "error">;
	/** Pause between runs (ms, 2,000 when absent). */
	everyMs?: number;
}

export async function startFollowing(options: FollowingOptions): Promise<AsyncDisposable> {
	const { sql, log, head, dispatcher, logger, everyMs = 2_000 } = options;
	await using stack = new AsyncDisposableStack();
	const outage = new Outage();
	const following = await startListening(sql, "subscriptions_log", {
		name: "follow-log",
		everyMs,
		onFailure: (err) => logger.error({ err }, "the log of changes could not be followed"),
		run: async (signal, runBatch) => {
			await followAll(options, signal, runBatch).then(
				() => outage.end(),
				(error: unknown) => {
					if (!outage.isBrief(error)) throw error;
				},
			);
			dispatcher.wake();
		},
	});
	stack.use(following);
	const due = await sql.listen(
		"subscriptions_due",
		() => dispatcher.wake(),
		() => dispatcher.wake(),
	);
	stack.defer(() => due.unlisten().catch(() => {}));
	stack.use(
		log.watch(() => {
			head.invalidate();
			following.wake();
		}),
	);
	const owned = stack.move();
	return { [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
