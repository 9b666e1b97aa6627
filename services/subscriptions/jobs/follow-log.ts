/** Follows the change log: updates watchlists, then wakes the dispatcher. Runs when the log grows, when a watchlist is changed, and regularly. */
import type { ChangeLog, LoggedChange } from "#libs/bus/requests/change-log.ts";
import type { Filters } from "#libs/contract/filters/meanings.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import type { Logger } from "#libs/service/logger.ts";
import { type RunBatch, startListening } from "#libs/service/worker.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import type { WatchlistEntry } from "../dispatch/messages.ts";
import { findWatchlistEvent } from "../domain/changes.ts";
import { type LogHead, Outage } from "../queue-ingest.ts";
import type { RequestService } from "../resources.ts";

interface FollowOptions {
	sql: Sql;
	requestService: RequestService;
	changeLog: ChangeLog;
	head: LogHead;
}

interface WatchlistRow {
	id: number;
	filters: Filters;
	/** Position in the change log; null if the members have not been read yet. */
	seq: number | null;
	/** Rises when the filters change. */
	version: number;
}

/**
 * Brings every watchlist to the end of the change log: those of paid plans first, and again before each watchlist of the free plan, so that
 * many free watchlists with new filters do not delay paid ones. Replicas may run this concurrently: the first to finish a step writes it.
 */
async function followAll(
	options: FollowOptions,
	signal: AbortSignal,
	runBatch: RunBatch = (step) => step(),
): Promise<void> {
	const { sql } = options;
	/** Follows the next watchlists by id whose position is before `head`. @returns the id of the last of them; undefined if there was none */
	const followNext = async (free: boolean, head: number, after: number, limit: number): Promise<number | undefined> => {
		const rows = await sql<WatchlistRow[]>`
			select id, filters, seq, version from watchlists
			where free = ${free} and id > ${after} and (seq is null or seq < ${head}) order by id limit ${limit}`;
		for (const row of rows) {
			signal.throwIfAborted();
			await runBatch(() => followWatchlist(row, options, signal));
		}
		return rows.at(-1)?.id;
	};
	let lastFree: number | undefined = 0;
	while (lastFree !== undefined) {
		// Both plans use the same head: with a newer one, a free watchlist could be chosen for changes that paid ones have not reached.
		const head = await options.head.seq();
		if (head === undefined) return;
		let lastPaid: number | undefined = 0;
		while (lastPaid !== undefined) lastPaid = await followNext(false, head, lastPaid, 100);
		lastFree = await followNext(true, head, lastFree, 1);
	}
}

async function followWatchlist(row: WatchlistRow, options: FollowOptions, signal: AbortSignal): Promise<void> {
	const { sql, changeLog } = options;
	let seq = row.seq ?? (await storeMembers(row, options, signal));
	while (seq !== undefined) {
		signal.throwIfAborted();
		const { changes, next } = await changeLog.read(seq);
		if (next === seq || !(await applyPage(sql, row, { seq, next, changes }))) return;
		seq = next;
	}
}

/** Applies a page of the change log to a watchlist. @returns false if another replica has applied it, or the filters have changed */
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
		const previousMembers = new Set(rows.map(({ project_id }) => project_id));
		const { entries, members } = foldChanges(filters, changes, previousMembers);
		await writeEntries(tx, id, entries);
		const removedMembers = [...previousMembers].filter((member) => !members.has(member));
		await tx`delete from watchlist_members where watchlist_id = ${id} and project_id = any(${removedMembers}::text[])`;
		await writeMembers(tx, id, [...members]);
		return true;
	});
}

/** Computes the entries that a page of the change log adds to a watchlist with the members `previousMembers`, and its members afterwards. Pure. */
export function foldChanges(
	filters: Filters,
	changes: readonly LoggedChange[],
	previousMembers: ReadonlySet<string>,
): { entries: WatchlistEntry[]; members: Set<string> } {
	const members = new Set(previousMembers);
	const entries: WatchlistEntry[] = [];
	for (const change of changes) {
		const { seq, project_id } = change;
		if (project_id === null) continue;
		const event = findWatchlistEvent(filters, change, members.has(project_id));
		if (event === undefined) continue;
		if (event === "entered") members.add(project_id);
		if (event === "left") members.delete(project_id);
		entries.push({ seq, project_id, event });
	}
	return { entries, members };
}

async function writeEntries(tx: Transaction, id: number, entries: readonly WatchlistEntry[]): Promise<void> {
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
 * Stores all interconnection requests that match the filters as members. Reads the newest `seq` first, so a change recorded meanwhile is
 * applied again later; this is harmless, because a member does not enter twice.
 * @returns the `seq`; undefined if the filters have changed
 */
async function storeMembers(
	{ id, filters, version }: WatchlistRow,
	{ sql, requestService, changeLog }: FollowOptions,
	signal: AbortSignal,
): Promise<number | undefined> {
	const seq = await changeLog.head();
	const members: string[] = [];
	for (let cursor: string | null | undefined = "*"; cursor != null; ) {
		signal.throwIfAborted();
		const page: Awaited<ReturnType<typeof requestService<"listProjects">>> = await requestService("listProjects", {
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

interface FollowingOptions extends FollowOptions {
	dispatcher: Dispatcher;
	log: Pick<Logger, "error">;
	/** Maximum time from one run to the next (ms; default: 2,000). */
	everyMs?: number;
}

export async function startFollowing(options: FollowingOptions): Promise<AsyncDisposable> {
	const { sql, changeLog, head, dispatcher, log, everyMs = 2_000 } = options;
	await using stack = new AsyncDisposableStack();
	const outage = new Outage();
	const following = await startListening(sql, "subscriptions_log", {
		name: "follow-log",
		everyMs,
		onFailure: (err) => log.error({ err }, "the change log could not be followed"),
		run: async (signal, runBatch) => {
			await followAll(options, signal, runBatch).then(
				() => outage.end(),
				(error: unknown) => {
					if (!outage.tolerate(error)) throw error;
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
		changeLog.watch(() => {
			head.invalidate();
			following.wake();
		}),
	);
	const owned = stack.move();
	return { [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
