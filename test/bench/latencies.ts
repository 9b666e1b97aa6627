/** What summaries cost when nobody has asked before: the owners asked over the bus, past what the gateway keeps and shares. */
import { connectBus } from "#libs/bus/connect.ts";
import { type PlainName, request } from "#libs/bus/request.ts";
import type { ParamsInput } from "#libs/contract/index.ts";
import { quantile } from "./measure.ts";
import type { Row } from "./report.ts";
import type { Bench } from "./system.ts";

const atOnce = 16;
const seconds = 3;
const rounds = 3;
const timeoutMs = 20_000;
/** Of the p99 (ms). */
const aimMs = 50;

interface Summary {
	path: string;
	ask(bus: Parameters<typeof request>[0], nth: number): Promise<unknown>;
}

const asking =
	<N extends PlainName>(name: N, params: (nth: number) => ParamsInput<N>): Summary["ask"] =>
	(bus, nth) =>
		request(bus, name, params(nth), { timeoutMs });

const summaries: Summary[] = [
	{ path: "/stats", ask: asking("getStats", () => ({})) },
	{ path: "/changes/summary", ask: asking("summariseChanges", (nth) => ({ since_days: 1 + (nth % 90) })) },
	{ path: "/capital/leaderboard", ask: asking("getCapitalLeaderboard", (nth) => ({ min_raised: nth })) },
	{ path: "/developers", ask: asking("listDevelopers", (nth) => ({ page: 1 + (nth % 20) })) },
];

export async function measureLatencies(bench: Bench, say: (line: string) => void): Promise<Row[]> {
	await using bus = await connectBus({ ...bench.natsOf("gateway"), name: "gateway", log: silent });
	const rows: Row[] = [];
	for (const { path, ask } of summaries) {
		const p99: number[] = [];
		const perSecond: number[] = [];
		for (let round = -1; round < rounds; round++) {
			const latencies = await closedLoop((nth) => ask(bus, nth));
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

const silent = { info() {}, warn() {}, error() {} };

/** Milliseconds of each request. */
async function closedLoop(ask: (nth: number) => Promise<unknown>): Promise<number[]> {
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
