/** A turn of a live job: every part that is due, one after another. Whatever fails is recorded and ends nothing else. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { writtenAhead } from "#libs/postgres/written-ahead.ts";
import { Busy } from "../http/polite.ts";
import { type Part, Tally, type Turn } from "./turn.ts";

export interface Look {
	/** Pipeline and part: "news/gkg". */
	feed: string;
	outcome: "applied" | "unchanged" | "refused" | "failed" | "busy";
	stored: number;
	known: number;
	reason: string | null;
}

/** Throws when the database fails, and when the turn's signal fires. `due`: only the parts that are. */
export async function takeTurn(turn: Turn, parts: readonly Part[], { due }: { due: boolean }): Promise<Look[]> {
	const looks: Look[] = [];
	const counted: { look: Look; answered: number }[] = [];
	for (const part of parts) {
		turn.signal.throwIfAborted();
		const feed = `${turn.pipeline}/${part.name}`;
		if (due && !(await isDue(turn.sql, feed, part.everyMinutes, turn.now()))) continue;
		const tally = new Tally();
		const look = await lookAt(turn, part, feed, tally);
		await noteLook(turn.sql, look, turn.now());
		if (look.outcome === "failed") turn.log.warn({ ...look }, "a part of a live job failed");
		looks.push(look);
		const excused = part.bestEffort === true && (look.outcome === "failed" || look.outcome === "refused");
		if (!excused) counted.push({ look, answered: tally.answered });
	}
	await notePipeline(turn, counted);
	return looks;
}

async function lookAt(turn: Turn, part: Part, feed: string, tally: Tally): Promise<Look> {
	try {
		await part.run(turn, tally);
		return { feed, outcome: outcomeOf(tally), ...countsOf(tally), reason: tally.problem };
	} catch (error) {
		turn.signal.throwIfAborted();
		const reason = error instanceof Error ? error.message : String(error);
		const outcome = error instanceof Busy ? "busy" : error instanceof StructureError ? "refused" : "failed";
		return { feed, outcome, ...countsOf(tally), reason };
	}
}

const countsOf = ({ stored, known }: Tally) => ({ stored, known });

function outcomeOf({ stored, accepted, answered, problem }: Tally): Look["outcome"] {
	if (stored > 0) return "applied";
	if (problem === null || accepted > 0) return "unchanged";
	return answered > 0 ? "refused" : "failed";
}

/** Asked of the database, so that neither a restart nor another replica looks again too soon. */
async function isDue(sql: Sql, feed: string, everyMinutes: number, now: Date): Promise<boolean> {
	const since = new Date(now.getTime() - everyMinutes * 60_000).toISOString();
	const recent = await sql`
		select from looks where feed = ${feed} and outcome <> 'busy' and looked_at > ${since}::timestamptz
			and not ${writtenAhead(sql, sql`looked_at`, now)}`;
	return recent.count === 0;
}

async function noteLook(sql: Sql, { feed, outcome, reason }: Look, now: Date): Promise<void> {
	await sql`
		insert into looks (feed, looked_at, outcome, reason) values (${feed}, ${now.toISOString()}, ${outcome}, ${reason})
		on conflict (feed) do update set (looked_at, outcome, reason) = (excluded.looked_at, excluded.outcome, excluded.reason)`;
}

/** A turn without a request says nothing of the pipeline. When it changed is noted with each file. */
async function notePipeline(turn: Turn, counted: readonly { look: Look; answered: number }[]): Promise<void> {
	const outcomes = new Set(counted.flatMap(({ look, answered }) => (answered > 0 || failed(look) ? look.outcome : [])));
	const stored = counted.some(({ look }) => look.stored > 0);
	const worst = (["failed", "refused"] as const).find((outcome) => outcomes.has(outcome));
	const good = stored || outcomes.has("applied") || outcomes.has("unchanged");
	if (worst === undefined && !good) return;
	const outcome = worst ?? (stored ? "applied" : "unchanged");
	const at = turn.now().toISOString();
	await turn.sql`
		update pipelines set last_checked_at = ${at}, last_outcome = ${outcome},
			last_success_at = case when ${good} then ${at}::timestamptz else last_success_at end
		where pipeline = ${turn.pipeline}`;
}

const failed = ({ outcome }: Look): boolean => outcome === "failed" || outcome === "refused";
