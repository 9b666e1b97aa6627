/** Writes a past of so many lists: each of them said something else of every request, which is more than any operator's do. */
import { setTimeout as pause } from "node:timers/promises";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { stateColumns } from "../../services/queue-ingest/history/write-history.ts";
import { schema as scoringSchema } from "../../services/scoring/migrate.ts";
import { patienceMs } from "./fill.ts";
import type { Bench } from "./system.ts";

/** Lists, a week apart; the newest of today. */
export const lists = 40;

export interface Past {
	/** Days of the lists (`YYYY-MM-DD`), the newest first. */
	days: string[];
	states: number;
	requests: number;
}

const weekBefore = (k: string) => `(date_trunc('day', now(), 'UTC') - ${k} * interval '1 week')`;
/** Fewer MW than the state after it. */
const earlier = (name: string) => (name === "capacity_mw" ? "p.capacity_mw - k * 0.01" : `p.${name}`);

/** Expects the lists to be loaded and scored: what was known of their past is replaced. */
export async function fillHistory(bench: Bench): Promise<Past> {
	const past = await fillStates(bench.sql);
	await using scoring = connect(bench.urlOf("scoring"), {
		schema: scoringSchema,
		name: "bench",
		max: 1,
		statementTimeoutMs: 0,
	});
	await fillScores(scoring);
	return past;
}

async function fillStates(sql: Sql): Promise<Past> {
	await sql.begin(async (tx) => {
		await tx`truncate project_versions`;
		await tx.unsafe(`
			insert into project_versions (project_id, version, valid_from, valid_to, snapshot_id, ${stateColumns.join(", ")})
			select p.id, p.version - k, ${weekBefore("k")}, case when k > 0 then ${weekBefore("(k - 1)")} end,
				snapshot_id,
				${stateColumns.map(earlier).join(", ")}
			from generate_series(0, ${lists - 1}) k, projects p, (select max(id) as snapshot_id from snapshots)`);
		await raiseDataVersion(tx);
	});
	await vacuumed(sql);
	const [counted] = await sql<{ states: number; requests: number }[]>`
		select count(*) as states, count(distinct project_id) as requests from project_versions`;
	const { states = 0, requests = 0 } = counted ?? {};
	const days = await sql<{ day: string }[]>`
		select to_char(valid_from at time zone 'UTC', 'YYYY-MM-DD') as day from project_versions group by valid_from order by valid_from desc`;
	return { days: days.map((row) => row.day), states, requests };
}

/** Rows are read from an index alone once no older reader is left: an extract of them is made meanwhile. */
async function vacuumed(sql: Sql): Promise<void> {
	const deadline = performance.now() + patienceMs;
	for (;;) {
		await sql`vacuum analyze project_versions`;
		const [row] = await sql<{ visible: boolean }[]>`
			select relallvisible > 0.9 * relpages as visible from pg_class where oid = 'project_versions'::regclass`;
		if (row?.visible) return;
		if (performance.now() > deadline) throw new Error(`an older reader is left after ${patienceMs} ms`);
		await pause(1_000);
	}
}

/** Each list had all open requests scored anew. */
async function fillScores(sql: Sql): Promise<void> {
	await sql.begin(async (tx) => {
		await tx.unsafe(`
			delete from score_versions where published_until < 'infinity';
			update score_versions set published_at = ${weekBefore("0")};
			insert into score_versions (project_id, published_at, published_until, score_version, score, grade, investable, inputs, inputs_hash, credit)
			select project_id, ${weekBefore("k")}, ${weekBefore("(k - 1)")}, score_version, score, grade, investable, inputs, inputs_hash, credit
			from score_versions, generate_series(1, ${lists - 1}) k`);
		await raiseDataVersion(tx);
	});
	await sql`vacuum analyze score_versions`;
}
