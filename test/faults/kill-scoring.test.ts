/**
 * The scoring service is killed while events come in: in the end everything is scored as if nothing had happened,
 * and its subscribers have received the last event of every request.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectBus } from "#libs/bus/connect.ts";
import { relay } from "#libs/bus/events/relay.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import { projectChanged } from "#libs/contract/events/queue-ingest.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { publishAll } from "#libs/postgres/events/outbox.ts";
import { createLogger } from "#libs/service/logger.ts";
import { schema as queueSchema } from "../../services/queue-ingest/migrate.ts";
import { startReactions } from "../../services/queue-ingest/reactions.ts";
import { isQueueEmpty, scoreQueued } from "../../services/scoring/jobs/scoring-worker.ts";
import { schema } from "../../services/scoring/migrate.ts";
import { type Constellation, openConstellation } from "../cluster/support/constellation.ts";
import { project } from "../scoring/support/deliver.ts";
import { pick, projectEvent } from "../scoring/support/history.ts";
import { createDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { random as randomBy } from "../support/file-formats.ts";
import { startNats, type TestNats } from "../support/servers.ts";

const requests = 200;
const rounds = 2;
const log = createLogger({ name: "kill-scoring", level: "silent" });

let nats: TestNats;
let database: TestDatabase;
let system: Constellation;
beforeAll(async () => {
	nats = await startNats();
	database = await createDatabase("scoring");
	system = openConstellation({ natsUrl: nats.url, urlOf: database.urlOf });
});
afterAll(async () => {
	await system[Symbol.asyncDispose]();
	await nats[Symbol.asyncDispose]();
	await database.drop();
});

/** Version after version of every request, in the order in which they came to be. */
function history() {
	const random = randomBy(4);
	return Array.from({ length: rounds }, (_, round) =>
		Array.from({ length: requests }, (_, at) =>
			projectEvent(`ERCOT-${at}`, round + 1, {
				queue_id: String(at),
				construction_stage: pick(random, ["early", "mid", "late", "construction"] as const),
				status_std: pick(random, ["Active", "Active", "Active", "Suspended", "Withdrawn"] as const),
				capacity_mw: pick(random, [5, 50, 500] as const),
				type_std: pick(random, ["Solar", "Wind", "Storage"] as const),
			}),
		),
	);
}

const scoresOf = async (sql: Sql) =>
	(await sql`select to_jsonb(s) - 'scored_at' as row from scores s order by project_id`).map(({ row }) => row);

test(`killing the service during ${requests * rounds} events loses and duplicates nothing`, async () => {
	await using queues = connect(database.urlOf("queue-ingest"), { schema: queueSchema, name: "kill", max: 4 });
	await using sql = connect(database.urlOf("scoring"), { schema, name: "kill-looking", max: 2 });
	await using bus = await connectBus({ url: nats.url, name: "queue-ingest", log, ...nats.login("queue-ingest") });
	await ensureStream(bus, "queue-ingest");
	// The outbox of a new database has the register of developers.
	await using outbox = relay(bus, queues, queueSchema);
	/** Copied versions of all requests together: each counts. */
	const versions = async () =>
		(await sql<{ n: number }[]>`select coalesce(sum(version), 0)::int as n from projects`)[0]?.n ?? 0;

	const [first = [], ...later] = history();
	const scoring = await system.start("scoring", { unready: true });
	await queues.begin((tx) => publishAll(tx, projectChanged, first));
	// Some of them have arrived, and are being computed or published.
	await eventually(async () => (await versions()) > requests / 2, { withinMs: 60_000 });
	await scoring.kill();
	for (const events of later) await queues.begin((tx) => publishAll(tx, projectChanged, events));
	await system.start("scoring", { unready: true });
	await eventually(async () => (await outbox.pending()) === 0 && (await versions()) === requests * rounds, {
		withinMs: 60_000,
	});
	await eventually(async () => await isQueueEmpty(sql), { withinMs: 60_000 });
	const [dead] = await sql<{ n: number }[]>`select count(*)::int as n from dead_letters`;
	expect(dead?.n).toBe(0);

	// The same, undisturbed.
	const calm = await createDatabase("scoring");
	await using calmSql = connect(calm.url, { schema, name: "calm", max: 2 });
	for (const event of history().at(-1) ?? []) await project(event).deliver(calmSql);
	await scoreQueued(calmSql, { now: () => new Date(), notice_2025_42: "vacated", log });
	expect(await scoresOf(sql)).toEqual(await scoresOf(calmSql));
	await copiedByQueues(queues, sql);
	await calmSql.end();
	await calm.drop();
});

/** The last word on every request has reached the stream: a subscriber that starts now receives it, each version at most once in effect. */
async function copiedByQueues(queues: Sql, sql: Sql): Promise<void> {
	const published = await sql<{ project_id: string; version: number; score: number | null }[]>`
		select project_id, version, (payload ->> 'investability_score')::int as score from published_scores order by project_id`;
	await using bus = await connectBus({ url: nats.url, name: "queue-ingest", log, ...nats.login("queue-ingest") });
	await queues`
		insert into projects (id, queue_id, region, feed, key, kind, type_std, status_std, construction_stage,
			construction_stage_confidence, ia_status, first_seen_at, last_changed_at, version, row_hash)
		select id, id, 'ERCOT', 'ercot', id, 'generation', 'Solar', 'Active', 'early', 0.5, 'Construction', now(), now(), 1, ''
		from unnest(${published.map((row) => row.project_id)}::text[]) as id`;
	const reactions = await startReactions(bus, queues);
	const copied = async () => [
		...(await queues`select id as project_id, score_seen as version, investability_score as score from projects order by id`),
	];
	await eventually(async () => JSON.stringify(await copied()) === JSON.stringify([...published]), { withinMs: 60_000 });
	for (const reacting of reactions) await reacting[Symbol.asyncDispose]();
}
