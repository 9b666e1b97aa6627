/** Time that identification, limits, quota and usage add to a request that the gateway answers from its cache. */
import { deepEqual } from "node:assert/strict";
import type { Sql } from "#libs/postgres/connect.ts";
import { freePort } from "../../deploy/local/data-dir.ts";
import { issueKey, launchGateway, path, quiet } from "./access.ts";
import { type Loaded, load as loadServer } from "./load.ts";
import { takeTurns } from "./measure.ts";
import { type Row, short, spread } from "./report.ts";
import type { Bench } from "./system.ts";

/** The most that authorization should add (ms). */
const aims = { p50: 0.3, p99: 2 };

interface Asked {
	url: string;
	headers?: Record<string, string>;
	status?: number;
}

/** One process, three ways in: with a key; without one, which is only written down; without authorization. */
export async function measureAdded(bench: Bench, billing: Sql, say: (line: string) => void): Promise<Row[]> {
	const port = await freePort();
	const url = await launchGateway(bench, "bench-access", { bare: port }, { KEYLESS: "open" });
	const key = await issueKey(url, billing);
	const ways = {
		keyed: { url, headers: { "X-API-Key": key } },
		keyless: { url },
		bare: { url: `http://127.0.0.1:${port}` },
	};
	await sameAnswer(ways);
	const measure = (connections: number) => {
		const turn = (way: Asked) => async () => {
			await quiet(billing);
			return load(way, connections, bench.size.seconds(1.5));
		};
		return takeTurns(bench.size.turns(6), {
			keyed: turn(ways.keyed),
			keyless: turn(ways.keyless),
			bare: turn(ways.bare),
		});
	};
	const one = await measure(1);
	say("authorization, 1 connection: done");
	const most = bench.size.count(16);
	const many = most === 1 ? one : await measure(most);
	say("authorization, 16 connections: done");
	return [...latencies(one), ...rates(many)];
}

type Turns = Record<"keyed" | "keyless" | "bare", Loaded[]>;

function latencies({ keyed, keyless, bare }: Turns): Row[] {
	return (["p50", "p99"] as const).flatMap((at): Row[] => {
		const [ours, usageOnly, baseline] = [keyed, keyless, bare].map((turns) => turns.map((turn) => turn[at]));
		if (ours === undefined || usageOnly === undefined || baseline === undefined) return [];
		const added = ours.map((ms, round) => ms - (baseline[round] ?? Number.NaN));
		const overKeyless = ours.map((ms, round) => ms - (usageOnly[round] ?? Number.NaN));
		return [
			{
				measure: `cached answer with a key against no authorization, 1 connection, ${at}`,
				unit: "ms",
				ours,
				baseline,
				note: `${spread(ours)}, without ${spread(baseline)}; without a key ${spread(usageOnly)}`,
			},
			{
				measure: `  added by identify, limit, quota and usage, ${at}`,
				unit: "ms",
				ours: added,
				baseline: added.map(() => aims[at]),
				aim: { atMost: 1 },
				note: `the baseline is the aim; ${spread(added)}`,
			},
			{
				measure: `  added to a request without a key (KEYLESS=open), ${at}`,
				unit: "ms",
				ours: overKeyless,
				baseline: overKeyless.map(() => aims[at]),
				aim: { atMost: 1 },
				note: `the baseline is the aim; ${spread(overKeyless)}`,
			},
		];
	});
}

function rates({ keyed, keyless, bare }: Turns): Row[] {
	const rate = (turns: Loaded[]) => turns.map(({ perSecond }) => perSecond);
	const row = (than: string, baseline: number[]): Row => {
		const ours = rate(keyed);
		const ratios = ours.map((perSecond, round) => perSecond / (baseline[round] ?? Number.NaN));
		const p99 = keyed.map((turn) => turn.p99);
		return {
			measure: `cached answer with a key against ${than}, 16 connections`,
			unit: "requests/s",
			ours,
			baseline,
			note: `ratio ${spread(ratios)}; p99 ${short(Math.min(...p99))} ms at best, ${short(Math.max(...p99))} at worst`,
		};
	};
	return [row("none (KEYLESS=open)", rate(keyless)), row("no authorization", rate(bare))];
}

/** Requests as fast as it answers, by a process of its own. */
export function load({ url, headers, status }: Asked, connections: number, forSeconds: number): Promise<Loaded> {
	const port = Number(new URL(url).port);
	return loadServer({
		port,
		path,
		connections,
		seconds: forSeconds,
		...(headers && { headers }),
		...(status && { status }),
	});
}

/** A comparison of ways that answer differently would say nothing; nor one of an authorization that refuses nothing. */
async function sameAnswer({ keyed, keyless, bare }: Record<keyof Turns, Asked>): Promise<void> {
	const ask = async ({ url, headers = {} }: Asked) => {
		const answered = await fetch(url + path, { headers });
		return { limited: answered.headers.has("ratelimit"), body: await answered.json() };
	};
	const [withKey, without, past] = [await ask(keyed), await ask(keyless), await ask(bare)];
	deepEqual(withKey.body, past.body);
	deepEqual(without, past);
	deepEqual([withKey.limited, past.limited], [true, false]);
}
