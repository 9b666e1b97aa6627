/** Memory of all services together once they have worked and are idle: of the real processes, beside the engines. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "#libs/postgres/connect.ts";
import { services } from "../../deploy/local/services.ts";
import { schema as billingSchema } from "../../services/billing/migrate.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { schema as scoringSchema } from "../../services/scoring/migrate.ts";
import { issueKey } from "./access.ts";
import { lengthOf } from "./export-memory.ts";
import { patienceMs } from "./fill.ts";
import { load } from "./load.ts";
import { asFile, madeUpList } from "./pjm-list.ts";
import { type Row, short } from "./report.ts";
import type { Bench } from "./system.ts";

type Say = (line: string) => void;

const aimMb = 600;
/** `{n}` is another number in each request. */
const reads = [
	{ path: "/projects?state=PA&per_page=50", keyed: false },
	{ path: "/projects?state=PA&per_page=50", keyed: true },
	{ path: "/projects?state=OH&per_page=50&capacity_min=-0.{n}1", keyed: false },
	{ path: "/projects?state=OH&per_page=500&capacity_min=-0.{n}1", keyed: true },
	{ path: "/developers?page={n}", keyed: true },
	{ path: "/changes/summary?since_days=30", keyed: false },
];
const exports = ["/export/projects", "/export/projects?format=parquet"];
/** The figure stands still when it has moved by less than this (MB) for so long; it is waited for no longer than that (s). */
const still = { withinMb: 5, for: 25, atMost: 120 };

/** Adds a list of PJM's to what is there. */
export async function measureServiceMemory(bench: Bench, say: Say): Promise<Row[]> {
	await loadAll(bench);
	say("loaded and scored");
	await using billing = connect(bench.urlOf("billing"), { schema: billingSchema, name: "bench", max: 2 });
	const headers = { "X-API-Key": await issueKey(bench.url, billing) };
	const port = Number(new URL(bench.url).port);
	for (const [at, { path, keyed }] of bench.size.alike(reads, 2).entries()) {
		const first = 1_000_000 * (at + 1);
		const { perSecond } = await load({
			port,
			path,
			connections: bench.size.count(24),
			seconds: bench.size.seconds(5),
			first,
			...(keyed && { headers }),
		});
		say(`${path}: ${short(perSecond)} requests/s`);
	}
	for (const path of exports) await lengthOf(bench.url + path);
	say(`at work: ${noted(heldBy(bench))}`);
	const held = await untilStill(bench, say);
	const measure = "memory of all services, idle after load";
	const unit = "MB";
	return [
		{
			measure: `${measure}: proportional (PSS), what several share counted once`,
			unit,
			ours: [sum(held, "pss")],
			baseline: [aimMb],
			aim: { atMost: 1 },
			note: `the baseline is the aim; ${noted(held)}`,
		},
		{
			measure: `${measure}: resident (RSS), what several share counted for each`,
			unit,
			ours: [sum(held, "rss")],
			baseline: [],
		},
	];
}

/** The first list of everything, until each open request is scored and its score is copied back. */
async function loadAll(bench: Bench): Promise<void> {
	await using scoring = connect(bench.urlOf("scoring"), { schema: scoringSchema, name: "bench", max: 1 });
	// Numbers that no other part uses: a stream drops an event that it has had.
	const file = asFile(madeUpList({ rows: bench.size.requests, series: "X", status: "Active" }));
	const files = [{ name: file.name, path: file.name, bytes: file.bytes }];
	const asOf = new Date().toISOString();
	const { outcome, reason } = await ingestSnapshot(bench.sql, { region: "PJM", files, asOf, accept: true });
	if (outcome !== "applied") throw new Error(`the list was ${outcome}, ${reason}`);
	const deadline = performance.now() + patienceMs;
	for (;;) {
		const [marked] = await scoring<{ some: boolean }[]>`
			select exists (select from project_recompute_queue union all select from developer_recompute_queue union all select from outbox) as some`;
		const [waiting] = await bench.sql<{ some: boolean }[]>`
			select exists (select from outbox) or exists (select from projects where kind = 'generation' and id like 'PJM-X%'
				and score_seen = 0) as some`;
		if (marked?.some === false && waiting?.some === false) return;
		if (performance.now() > deadline) throw new Error(`not every request is scored within ${patienceMs} ms`);
		await pause(200);
	}
}

interface Held {
	name: string;
	/** MB. */
	pss: number;
	rss: number;
}

const sum = (held: readonly Held[], figure: "pss" | "rss"): number => held.reduce((all, one) => all + one[figure], 0);

const noted = (held: readonly Held[]): string =>
	`${held.map(({ name, pss, rss }) => `${name} ${short(pss)} (${short(rss)})`).join(", ")}; PSS (RSS), MB`;

const heldBy = (bench: Bench): Held[] => services.map(({ name }) => ({ name, ...memoryOf(bench.pidOf(name)) }));

/** NaN where the system does not say. */
export function memoryOf(pid: number): Omit<Held, "name"> {
	const megabytes = (text: string, figure: string) =>
		Number(new RegExp(`^${figure}:\\s+(\\d+)`, "m").exec(text)?.[1]) / 1024;
	try {
		const text = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
		return { pss: megabytes(text, "Pss"), rss: megabytes(text, "Rss") };
	} catch {
		return { pss: Number.NaN, rss: Number.NaN };
	}
}

async function untilStill(bench: Bench, say: Say): Promise<Held[]> {
	const [forMs, atMostMs] = [1_000 * bench.size.seconds(still.for), 1_000 * bench.size.seconds(still.atMost)];
	const started = performance.now();
	let since = started;
	let held = heldBy(bench);
	let stood = sum(held, "pss");
	while (performance.now() - since < forMs && performance.now() - started < atMostMs) {
		await pause(1_000 * bench.size.seconds(1));
		held = heldBy(bench);
		if (Math.abs(sum(held, "pss") - stood) < still.withinMb) continue;
		stood = sum(held, "pss");
		since = performance.now();
	}
	say(`idle for ${short((performance.now() - started) / 1_000)} s: ${noted(held)}`);
	return held;
}
