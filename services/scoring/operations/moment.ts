/** Which day, or which place in the order of loading, an answer about the past is of. */
import { invalid } from "#libs/contract/errors.ts";
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import type { Moment } from "../jobs/requests-on.ts";
import type { Resources } from "../resources.ts";

/**
 * A change has the day of the newest list that was loaded until then: dates, the law and ratings are those of its end.
 * @throws AppError 422 for a day in the future and for a change of which nothing was said yet
 */
export async function momentOf(resources: Resources, asked: AsOf): Promise<Moment> {
	if (asked.at_seq !== undefined) await refuseUnknown(resources.sql, asked.at_seq);
	return checkedMomentOf(resources, asked);
}

/** The same of a change that is known to be one, where this service may not have what was said of it yet. */
export async function checkedMomentOf({ sql, now }: Resources, { as_of, at_seq }: AsOf): Promise<Moment> {
	if (at_seq !== undefined) return { day: (await dayOf(sql, at_seq)) ?? todayOf(now()), at_seq };
	if (as_of === undefined) throw new Error("neither a day nor a change is asked for");
	refuseFuture(as_of, now());
	return { day: as_of };
}

async function refuseUnknown(sql: Sql, at_seq: number): Promise<void> {
	const [row] = await sql<{ newest: number }[]>`select seq as newest from newest_change`;
	const newest = row?.newest ?? 0;
	if (at_seq > newest) throw invalid([{ loc: ["query", "at_seq"], msg: `is not yet: the newest change is ${newest}` }]);
}

/** Null where no list was loaded until then. */
async function dayOf(sql: Sql, at_seq: number): Promise<string | null> {
	const [row] = await sql<{ day: string | null }[]>`
		select max(day) as day from lists where seq_from <= ${at_seq}::text::bigint`;
	return row?.day ?? null;
}

/** Throws 422 for a day that has not begun, UTC. */
function refuseFuture(day: string, now: Date): void {
	const today = todayOf(now);
	if (day > today) throw invalid([{ loc: ["query", "as_of"], msg: `is in the future: today is ${today}` }]);
}

const todayOf = (now: Date): string => now.toISOString().slice(0, 10);
