/** Scoring with its own database and without a bus: tests call its reactions, and decide when the queued rows are computed. */
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { type Scoring, scoreQueued } from "../../../services/scoring/jobs/scoring-worker.ts";
import { schema } from "../../../services/scoring/migrate.ts";
import { enqueueAll } from "../../../services/scoring/tables/recompute-queue.ts";
import { createDatabase } from "../../support/database.ts";
import { type Delivery, deliverTogether } from "./deliver.ts";

/** All results, without times and versions. */
export type Made = Record<"credits" | "scores" | "ratings" | "published", unknown[]>;

export interface TestScoring extends AsyncDisposable {
	sql: Sql;
	/** The current time; set it to move the clock. */
	clock: { now: Date };
	scoring: Scoring;
	errors: unknown[];
	/** Each reaction receives its part in one batch. */
	deliver(...deliveries: Delivery[]): Promise<void>;
	/** Computes what is marked. */
	compute(): Promise<void>;
	/** Computes everything, marked or not. */
	computeAll(): Promise<void>;
	made(): Promise<Made>;
	/** The `row` of each row, a JSON value. */
	rows<T>(text: string): Promise<T[]>;
	/** Project and the moment of its score. */
	moments(): Promise<[string, string][]>;
	/** Ids of the events that wait to be published. */
	outbox(): Promise<string[]>;
	deadLetters(): Promise<string[]>;
	dataVersion(): Promise<number>;
	/** Deletes everything but the reference lists. */
	clear(): Promise<void>;
}

export async function openScoring(at = "2026-11-20T12:00:00Z"): Promise<TestScoring> {
	await using stack = new AsyncDisposableStack();
	const database = stack.use(await createDatabase("scoring"));
	const sql = stack.use(connect(database.url, { schema, name: "test", max: 16 }));
	const clock = { now: new Date(at) };
	const errors: unknown[] = [];
	const log = { error: (...said: unknown[]) => void errors.push(said) };
	const scoring: Scoring = { now: () => clock.now, notice_2025_42: "vacated", log };
	const compute = () => scoreQueued(sql, scoring);
	const rows = async <T>(text: string) => (await sql.unsafe<{ row: T }[]>(text)).map(({ row }) => row);
	const owned = stack.move();
	return {
		sql,
		clock,
		scoring,
		errors,
		deliver: (...deliveries) => deliverTogether(sql, deliveries),
		compute,
		async computeAll() {
			await sql.begin((tx) => enqueueAll(tx));
			await compute();
		},
		made: async () => ({
			credits: await rows("select to_jsonb(c) as row from credits c order by project_id"),
			scores: await rows("select to_jsonb(s) - 'scored_at' as row from scores s order by project_id, score_version"),
			ratings: await rows("select to_jsonb(s) - 'version' as row from developer_ratings s order by developer_id"),
			// A request that closed again may or may not have been published before: only the last payload counts.
			published: await rows(`select jsonb_build_array(project_id, payload) as row from published_scores
				where payload ->> 'investability_score' is not null order by project_id`),
		}),
		rows,
		moments: () => rows("select jsonb_build_array(project_id, scored_at) as row from scores order by project_id"),
		outbox: () => rows("select to_jsonb(event_id) as row from outbox order by event_id"),
		deadLetters: () => rows("select to_jsonb(payload) as row from dead_letters order by payload"),
		dataVersion: () => readDataVersion(sql),
		async clear() {
			await sql`truncate feeds, projects, score_versions, developer_rating_versions, developers, articles, raises, raise_months, filings, transfers, published_scores, project_recompute_queue,
				developer_recompute_queue, inbox, outbox, dead_letters cascade`;
			await sql`update settings set computed_on = null`;
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
