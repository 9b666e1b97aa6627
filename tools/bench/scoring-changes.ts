/** One changed request until the gateway shows its new score, while others change at a steady rate. */
import { setTimeout as pause } from "node:timers/promises";
import { subjectOf } from "#libs/contract/events/event.ts";
import { projectChanged } from "#libs/contract/events/queue-ingest.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { wakeRelay } from "#libs/postgres/events/outbox.ts";
import { writeHistory } from "../../services/queue-ingest/history/write-history.ts";
import { lockWriters } from "../../services/queue-ingest/sources/locks.ts";
import { quantile } from "./measure.ts";
import type { Row } from "./report.ts";
import type { Databases } from "./scoring.ts";
import type { Bench } from "./system.ts";

const perSecond = 20;
/** The most that 99 of 100 should take (ms). */
const aimMs = 250;
/** Interval between requests for one score (ms), which limits the precision of the result. */
const everyMs = 8;
/** Longer than that, it is lost (ms). */
const patienceMs = 30_000;

/** Epoch milliseconds. */
interface Change {
	id: string;
	version: number;
	begun: number;
	committed: number;
	visible: number;
}

/** Needs a table of scored requests. */
export async function measureChanges(bench: Bench, databases: Databases, say: (line: string) => void): Promise<Row[]> {
	const { queues } = databases;
	const warmUps = perSecond * bench.size.seconds(3);
	const total = warmUps + perSecond * bench.size.seconds(20);
	const requests = await queues<{ id: string; score: number }[]>`
		select id, investability_score as score from projects
		where kind = 'generation' and status_std = 'Active' and study_phase is distinct from 'IA Executed'
			and investability_score is not null
		order by md5(id) limit ${total}`;
	if (requests.length < total) throw new Error(`only ${requests.length} requests to change`);
	const started = performance.now();
	const changes = await Promise.all(
		requests.map(async ({ id, score }, at) => {
			await pause(Math.max(0, started + (at * 1_000) / perSecond - performance.now()));
			return follow(bench, queues, id, score);
		}),
	);
	const counted = changes.slice(warmUps);
	const hops = await hopsOf(databases, counted);
	const took = counted.map(tookMs);
	const [p50, p99] = [quantile(took, 0.5), quantile(took, 0.99)];
	const note = hops
		.map(({ name, ms }) => `${name} ${round(quantile(ms, 0.5))}/${round(quantile(ms, 0.99))}`)
		.join(", ");
	say(`one changed request: p50 ${round(p50)}, p99 ${round(p99)} ms; ${note}`);
	const measure = `one changed request among ${perSecond} a second, until its score is visible`;
	return [
		{ measure: `${measure}: p50`, unit: "ms", ours: [p50], baseline: [], note: `p50/p99: ${note}` },
		{
			measure: `${measure}: p99`,
			unit: "ms",
			ours: [p99],
			baseline: [aimMs],
			aim: { atMost: 1 },
			note: `the baseline is the aim; of ${counted.length} changes, asked for every ${everyMs} ms`,
		},
	];
}

const round = (ms: number): string => ms.toFixed(0);
const tookMs = ({ begun, visible }: Change): number => visible - begun;
const now = (): number => performance.timeOrigin + performance.now();

/** Changes the request and asks the gateway for it until another score stands there. */
async function follow(bench: Bench, sql: Sql, id: string, before: number): Promise<Change> {
	const begun = now();
	const version = await signAgreement(sql, id);
	const committed = now();
	for (;;) {
		const response = await fetch(`${bench.url}/projects/${encodeURIComponent(id)}`);
		const body = (await response.json()) as { investability_score: number | null };
		const visible = now();
		if (!response.ok) throw new Error(`${id}: ${response.status} ${JSON.stringify(body)}`);
		if (body.investability_score !== before) return { id, version, begun, committed, visible };
		if (visible - begun > patienceMs) throw new Error(`${id}: still ${before} after ${patienceMs} ms`);
		await pause(everyMs);
	}
}

/** As a list would say it, with everything that a list writes for one request. Answers the request's new version. */
const signAgreement = (sql: Sql, id: string): Promise<number> =>
	sql.begin(async (tx) => {
		await lockWriters(tx);
		const [row] = await tx<{ version: number; at: string; snapshot_id: number }[]>`
			update projects set study_phase = 'IA Executed', ia_status = 'IA Executed', construction_stage = 'late',
				last_changed_at = now(), version = version + 1
			where id = ${id} returning version, iso(last_changed_at) as at, (select max(id) from snapshots) as snapshot_id`;
		if (row === undefined) throw new Error(`there is no ${id}`);
		await tx`create temporary table written on commit drop as select ${id}::text as id`;
		await writeHistory(tx, { snapshotId: row.snapshot_id, from: row.at });
		await tx`
			insert into outbox (event_id, subject, payload)
			select event.id, ${subjectOf(projectChanged)},
				'{"id":' || to_json(event.id) || ',"occurred_at":"' || iso(now()) || '","version":' || p.version || ',"as_of":"'
				|| iso(p.last_changed_at) || '","snapshot_id":null,"previous_developer":null,"project":' || p.body
				|| ',"changes":[],"cod_changes":[]}'
			from projects p cross join lateral (select 'project.changed:' || p.id || ':' || p.version as id) event
			where p.id = ${id}`;
		await raiseDataVersion(tx);
		await wakeRelay(tx);
		return row.version;
	});

/** Duration of each step of a change (ms), in order. */
async function hopsOf({ queues, scoring }: Databases, changes: readonly Change[]) {
	const copied = await receivedBy(scoring, "copy-projects");
	const returned = new Map<string, { computed: number; received: number }>();
	for (const [event, received] of await receivedBy(queues, "copy-scores")) {
		// project.scored:<request>:<epoch ms at which it was computed>
		const [, id = "", computed = ""] = /^[^:]*:(.*):(\d+)$/.exec(event) ?? [];
		const known = returned.get(id);
		if (known === undefined || Number(computed) > known.computed)
			returned.set(id, { computed: Number(computed), received });
	}
	const times = changes.flatMap((change) => {
		const arrived = copied.get(`project.changed:${change.id}:${change.version}`);
		const back = returned.get(change.id);
		// Published once more since (its developer's rating changed): when it was first computed is not known any more.
		if (arrived === undefined || back === undefined || back.received > change.visible) return [];
		return [{ ...change, arrived, ...back }];
	});
	return [
		{ name: "written", ms: times.map((at) => at.committed - at.begun) },
		{ name: "to scoring", ms: times.map((at) => at.arrived - at.committed) },
		{ name: "until computed", ms: times.map((at) => at.computed - at.arrived) },
		{ name: "computed and back", ms: times.map((at) => at.received - at.computed) },
		{ name: "copied and shown", ms: times.map((at) => at.visible - at.received) },
	];
}

/** When the transaction of each event's effect began, epoch ms. */
async function receivedBy(sql: Sql, reaction: string): Promise<Map<string, number>> {
	const rows = await sql<{ id: string; at: number }[]>`
		select event_id as id, extract(epoch from received_at)::float8 * 1000 as at from inbox
		where reaction = ${reaction} and received_at > now() - interval '2 minutes'`;
	return new Map(rows.map(({ id, at }) => [id, at]));
}
