/** Latency of summaries that are requested for the first time: over the bus, past what the gateway caches and shares. */
import { connectBus } from "#libs/bus/connect.ts";
import { type PlainName, request } from "#libs/bus/requests/request.ts";
import type { ParamsInput } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { silent } from "../../test/support/silent.ts";
import { quantile } from "./measure.ts";
import type { Row } from "./report.ts";
import type { Bench } from "./system.ts";

const timeoutMs = 20_000;
/** The aim for p99 (ms). */
const aimMs = 50;

interface Summary {
	path: string;
	ask(bus: Parameters<typeof request>[0], nth: number): Promise<unknown>;
}

const asking =
	<N extends PlainName>(name: N, params: (nth: number) => ParamsInput<N>): Summary["ask"] =>
	(bus, nth) =>
		request(bus, name, params(nth), { timeoutMs });

const ranks = ["capital_raised", "divergence", "distress"] as const;

const summaries: Summary[] = [
	{ path: "/stats", ask: asking("getStats", () => ({})) },
	{ path: "/changes/summary", ask: asking("summariseChanges", (nth) => ({ since_days: 1 + (nth % 90) })) },
	// Raised amounts do not distinguish developers here: none is known.
	{ path: "/capital/leaderboard", ask: asking("getCapitalLeaderboard", (nth) => ({ sort: ranks[nth % 3] })) },
	{ path: "/developers", ask: asking("listDevelopers", (nth) => ({ page: 1 + (nth % 14) })) },
];

export async function measureLatencies(bench: Bench, say: (line: string) => void): Promise<Row[]> {
	await changeRequests(bench.sql);
	const { rounds, warmUps } = bench.size.turns(3);
	const seconds = bench.size.seconds(3);
	const atOnce = bench.size.count(16);
	await using bus = await connectBus({ ...bench.natsOf("gateway"), name: "gateway", log: silent });
	const rows: Row[] = [];
	for (const { path, ask } of summaries) {
		const p99: number[] = [];
		const perSecond: number[] = [];
		for (let round = -warmUps; round < rounds; round++) {
			const latencies = await closedLoop({ seconds, atOnce }, (nth) => ask(bus, nth));
			if (round < 0) continue;
			p99.push(quantile(latencies, 0.99));
			perSecond.push(latencies.length / seconds);
		}
		rows.push({
			measure: `${path}, asked of its owner, ${atOnce} at once, p99`,
			unit: "ms",
			than: "the aim",
			ours: p99,
			baseline: p99.map(() => aimMs),
			aim: { atMost: 1 },
			note: `${Math.round(Math.max(...perSecond))} a second`,
		});
		say(`${path}: done`);
	}
	return rows;
}

/** Days for which the summary of changes can be asked, and how many changes each brings. */
const [days, changesADay] = [90, 200];

/** The changes of daily lists by now: the lists that were loaded are the first of their feeds, which have none. */
async function changeRequests(sql: Sql): Promise<void> {
	const changed = sql`
		select p.*, case when status_std = 'Withdrawn' and n % 10 < 2 then 'status_change' when n % 10 = 2 then 'new_project'
				when n % 10 < 6 then 'cod_change' else 'study_phase_change' end as change_type,
			date_trunc('day', now()) - make_interval(days => (n % ${days})::int, mins => length(p.feed) * 20) as at
		from (select *, row_number() over (order by md5(id)) as n from projects where kind = 'generation') p
		where n <= ${days * changesADay}`;
	await sql.begin(async (tx) => {
		await tx`create temporary table changed on commit drop as ${changed}`;
		const withdrew = tx`select id from changed where change_type = 'status_change'`;
		await tx`update projects set status_std = 'Active' where id in (${withdrew})`;
		await tx`
			insert into changes (seq, snapshot_id, detected_at, region, feed, project_id, queue_id, kind, change_type, new_value,
				project_name, developer_canonical, capacity_mw, type_std, state)
			select (select coalesce(max(seq), 0) from changes) + row_number() over (order by at, id), (select max(id) from snapshots), at,
				region, feed, id, queue_id, kind, change_type, status, name, developer_canonical, capacity_mw, type_std, state
			from changed`;
		await tx`update projects set status_std = 'Withdrawn' where id in (${withdrew})`;
		await raiseDataVersion(tx);
	});
	await sql`vacuum analyze projects`;
	await sql`vacuum analyze changes`;
}

/** Milliseconds of each request. */
async function closedLoop(
	{ seconds, atOnce }: { seconds: number; atOnce: number },
	ask: (nth: number) => Promise<unknown>,
): Promise<number[]> {
	const latencies: number[] = [];
	const end = performance.now() + seconds * 1_000;
	let nth = 0;
	const one = async () => {
		while (performance.now() < end) {
			const since = performance.now();
			await ask(nth++);
			latencies.push(performance.now() - since);
		}
	};
	await Promise.all(Array.from({ length: atOnce }, one));
	return latencies;
}
