/**
 * Server-sent events: from the commit of a change to the client that follows, with 1,000 other streams open and with none, in turn; and what
 * a stream that is open costs the gateway. A gateway beside the system's own, which lets one address have so many.
 */
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { wakeRelay } from "#libs/postgres/events/outbox.ts";
import { publishChanges } from "../../services/queue-ingest/history/events/publish.ts";
import { newestSeq } from "../../services/queue-ingest/history/newest-seq.ts";
import { lockWriters } from "../../services/queue-ingest/sources/locks.ts";
import { startContestant } from "./contest.ts";
import { fill } from "./fill.ts";
import { median, quantile, takeTurns } from "./measure.ts";
import { memoryOf } from "./memory.ts";
import { type Row, short } from "./report.ts";
import type { Bench } from "./system.ts";

type Say = (line: string) => void;

const changesASecond = 50;
/** The aim for p99 (ms). */
const aimMs = 1_000;
const patienceMs = 20_000;

interface TurnResult {
	/** Time of each change from before its commit until the client has it (ms). */
	latencies: number[];
	perSecond: number;
}

export async function measureStreams(bench: Bench, say: Say): Promise<Row[]> {
	await fill(bench, say);
	const idle = bench.size.count(1_000);
	const changes = changesASecond * bench.size.seconds(8);
	const most = String(2 * idle);
	const { port, pids } = bench.size.startsSecond
		? await startContestant(bench, {
				name: "gateway-streams",
				program: process.execPath,
				args: [join(import.meta.dirname, "access-gateway.ts"), "{}"],
				env: {
					...bench.envOf("gateway"),
					HEALTH_PORT: "0",
					EVENT_STREAMS_PER_CALLER: most,
					CONNECTIONS_PER_ADDRESS: most,
				},
				ready: "/projects?per_page=1",
			})
		: { port: Number(new URL(bench.url).port), pids: [bench.pidOf("gateway")] };
	// The first that are opened: later ones find room that others have left.
	const megabytes = await memoryOfStreams(port, pids[0] ?? 0, idle);
	const turn = (streams: number) => () => oneTurn(bench.sql, { port, streams, changes });
	const { many, none } = await takeTurns(bench.size.turns(2), { many: turn(idle), none: turn(0) });
	const p50 = (turns: TurnResult[]) => turns.map(({ latencies }) => median(latencies));
	const p99 = (turns: TurnResult[]) => turns.map(({ latencies }) => quantile(latencies, 0.99));
	say(`p99 ${short(median(p99(many)))} ms, without others ${short(median(p99(none)))} ms`);
	const done = `${short(median(many.map(({ perSecond }) => perSecond)))} changes a second`;
	return [
		{
			measure: `/changes/stream, commit to client, ${idle.toLocaleString("en")} other streams open`,
			...{ unit: "ms", than: "no other stream", ours: p50(many), baseline: p50(none), note: done },
			p99: { ours: p99(many), baseline: p99(none) },
		},
		{
			measure: `/changes/stream, commit to client, ${idle.toLocaleString("en")} other streams open, p99`,
			...{ unit: "ms", than: "the aim", ours: p99(many), baseline: p99(many).map(() => aimMs), aim: { atMost: 1 } },
		},
		{
			measure: `memory of the gateway for ${idle.toLocaleString("en")} open streams (RSS)`,
			...{ unit: "MB", ours: [megabytes], baseline: [] },
		},
	];
}

interface TurnOptions {
	port: number;
	streams: number;
	changes: number;
}

async function oneTurn(sql: Sql, { port, streams, changes }: TurnOptions): Promise<TurnResult> {
	using stack = new DisposableStack();
	await openIdle(stack, port, streams);
	const arrived = new Map<number, number>();
	await open(stack, port, "/changes/stream?region=PJM", (text) => {
		const at = performance.now();
		for (const [, seq] of text.matchAll(/^id: (\d+)\nevent: change.recorded$/gm)) arrived.set(Number(seq), at);
	});
	const { committed, seconds } = await change(sql, changes);
	const deadline = performance.now() + patienceMs;
	while ([...committed.keys()].some((seq) => !arrived.has(seq))) {
		if (performance.now() > deadline) throw new Error("a change did not arrive");
		await pause(50);
	}
	return {
		latencies: [...committed].map(([seq, at]) => (arrived.get(seq) ?? Number.NaN) - at),
		perSecond: committed.size / seconds,
	};
}

/** Changes are PJM's: what these wait for does not come. */
async function openIdle(stack: DisposableStack, port: number, streams: number): Promise<void> {
	for (let opened = 0; opened < streams; opened += 50)
		await Promise.all(
			Array.from({ length: Math.min(50, streams - opened) }, () =>
				open(stack, port, "/changes/stream?region=ISONE", () => {}),
			),
		);
}

/** MB. */
async function memoryOfStreams(port: number, pid: number, idle: number): Promise<number> {
	using stack = new DisposableStack();
	const before = memoryOf(pid).rss;
	await openIdle(stack, port, idle);
	return memoryOf(pid).rss - before;
}

/** Resolves when the stream has begun; `onText` gets whole events. */
function open(stack: DisposableStack, port: number, path: string, onText: (text: string) => void): Promise<void> {
	return new Promise((resolve, reject) => {
		const socket: Socket = connect(port, "127.0.0.1");
		stack.defer(() => socket.destroy());
		socket.setEncoding("utf8");
		socket.on("error", reject);
		socket.on("connect", () =>
			socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n`),
		);
		let text = "";
		socket.on("data", (more: string) => {
			text += more;
			if (!text.startsWith("HTTP/1.1 200")) return reject(new Error(`no stream: ${text.slice(0, 500)}`));
			if (!text.includes("retry:")) return;
			resolve();
			const end = text.lastIndexOf("\n\n");
			if (end < 0) return;
			// The head stays in front, so that it is seen what the text begins with.
			onText(text.slice(0, end + 2));
			text = `HTTP/1.1 200 retry:${text.slice(end + 2)}`;
		});
	});
}

/** A change a transaction, each at its time, whether or not those before it were late; answers when each was about to be committed. */
async function change(sql: Sql, changes: number): Promise<{ committed: Map<number, number>; seconds: number }> {
	const committed = new Map<number, number>();
	const started = performance.now();
	for (let nth = 0; nth < changes; nth++) {
		await pause(Math.max(0, started + (nth * 1_000) / changesASecond - performance.now()));
		const [seq, at] = await sql.begin(async (tx) => {
			await lockWriters(tx);
			const before = await newestSeq(tx);
			await tx`
				insert into changes (seq, snapshot_id, detected_at, region, feed, project_id, version, queue_id, kind, change_type, field_name,
					old_value, new_value, project_name, developer_canonical, capacity_mw, type_std, state)
				select ${before + 1}, (select max(id) from snapshots), now(), region, feed, id, version, queue_id, kind, 'field_update', 'poi', 'a', 'b',
					name, developer_canonical, capacity_mw, type_std, state
				from projects where region = 'PJM' and kind = 'generation' order by id offset ${nth % 50} limit 1`;
			await publishChanges(tx, before);
			await wakeRelay(tx);
			await raiseDataVersion(tx);
			return [before + 1, performance.now()] as const;
		});
		committed.set(seq, at);
	}
	return { committed, seconds: (performance.now() - started) / 1_000 };
}
