/**
 * The same lists over `--times` (100) times the data: 3.6 million requests and 36 million changes. The owner is asked over the bus, past
 * what the gateway keeps; what is compared is how long half of the answers take, of the large set against the small one.
 */
import { connectBus } from "#libs/bus/connect.ts";
import { type PlainName, request } from "#libs/bus/request.ts";
import type { ParamsInput } from "#libs/contract/index.ts";
import { type regions, statuses } from "#libs/contract/vocabulary.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { fillTo, loadLists, productSize } from "./fill.ts";
import type { Row } from "./report.ts";
import { short } from "./report.ts";
import type { Bench } from "./system.ts";

type Say = (line: string) => void;

const times = Number(process.env.BENCH_TIMES ?? 100);
const changesPerProject = 10;
const answers = 60;
const timeoutMs = 60_000;
/** How often half of the answers may take longer than over the small set. */
const aim = 2;

type Bus = Parameters<typeof request>[0];

/** Another page each time, so that nothing is known of it but what the pages before told. */
interface Measured {
	name: string;
	ask(bus: Bus, nth: number): Promise<unknown>;
}

function asked<N extends PlainName>(name: N, told: string, params: (nth: number) => ParamsInput<N>): Measured {
	return { name: told, ask: (bus, nth) => request(bus, name, params(nth), { timeoutMs }) };
}

const pages = [
	{ told: "first pages", page: (nth: number) => 1 + (nth % 5) },
	{ told: "from page 500", page: (nth: number) => 500 + nth },
];

const filters = [
	...["PJM", "MISO"].map((region) => ({ region: region as (typeof regions)[number] })),
	...["TX", "NY"].map((state) => ({ state })),
	...statuses.slice(0, 2).map((status) => ({ status })),
];

const lists: Measured[] = [
	...pages.flatMap(({ told, page }) => [
		...filters.map((filter) =>
			asked("listProjects", `/projects?${new URLSearchParams(filter)}, ${told}`, (nth) => ({
				...filter,
				page: page(nth),
			})),
		),
		asked("listProjects", `/projects, ${told}`, (nth) => ({ page: page(nth) })),
		asked("listChanges", `/changes, ${told}`, (nth) => ({ since_days: 90, page: page(nth) })),
		asked("listChanges", `/changes?region=PJM, ${told}`, (nth) => ({ since_days: 90, region: "PJM", page: page(nth) })),
	]),
	asked("getStats", "/stats", () => ({})),
	asked("summariseChanges", "/changes/summary", (nth) => ({ since_days: 1 + (nth % 30) })),
	asked("search", "/search", (nth) => ({ q: `solar ${nth % 10}` })),
];

export async function measureScale(bench: Bench, say: Say): Promise<Row[]> {
	await loadLists(bench.sql, say);
	await fillTo(bench.sql, productSize);
	await bench.sql.begin((tx) => fillChanges(tx, productSize * changesPerProject));
	await using bus = await connectBus({ ...bench.natsOf("gateway"), name: "gateway", log: silent });
	const small = await measureAll(bus, "small", say);
	await multiply(bench.sql, say);
	const large = await measureAll(bus, `${times} times as much`, say);
	return lists.map(({ name }, at) => ({
		measure: name,
		unit: "ms",
		than: `1/${times} of the data`,
		ours: large[at] ?? [],
		baseline: small[at] ?? [],
		aim: { atMost: aim },
	}));
}

/** Milliseconds of each answer, list by list. */
async function measureAll(bus: Bus, set: string, say: Say): Promise<number[][]> {
	const all: number[][] = [];
	for (const { name, ask } of lists) {
		const took: number[] = [];
		for (let nth = 0; nth < answers; nth++) {
			const since = performance.now();
			await ask(bus, nth);
			took.push(performance.now() - since);
		}
		// The first few prepare the statement.
		all.push(took.slice(6).sort((a, b) => a - b));
		say(`${set}: ${name}: ${short(all.at(-1)?.[(answers - 6) >> 1] ?? Number.NaN)} ms`);
	}
	return all;
}

/** Copies of every request, as fast as they can be written: bodies and counts are made for all of them at once, instead of row by row. */
async function multiply(sql: Sql, say: Say): Promise<void> {
	const columns = await sql<{ name: string }[]>`
		select attname as name from pg_attribute where attrelid = 'projects'::regclass and attnum > 0 and not attisdropped order by attnum`;
	const values = columns.map(({ name }) => {
		if (name === "id") return "id || '~' || copy";
		if (name === "body") return "replace(body, '{\"id\":\"' || id || '\"', '{\"id\":\"' || id || '~' || copy || '\"')";
		return name;
	});
	const names = columns.map(({ name }) => name).join(", ");
	for (let from = 1; from < times; from += 10) {
		const to = Math.min(times - 1, from + 9);
		await sql.begin(async (tx) => {
			await tx.unsafe("alter table projects disable trigger user");
			await tx.unsafe(
				`insert into projects (${names}) select ${values.join(", ")} from projects, generate_series(${from}, ${to}) as copy
				where kind = 'generation' and id !~ '~[0-9]+$'`,
			);
			await tx.unsafe("alter table projects enable trigger user");
		});
		say(`${to + 1} times the requests`);
	}
	await sql.begin(async (tx) => {
		await tx`
			update project_counts set projects = projects * ${times}::int, capacity_mw = capacity_mw * ${times}::int where kind = 'generation'`;
		await fillChanges(tx, productSize * changesPerProject * times);
		await raiseDataVersion(tx);
	});
	say(`${times} times the changes`);
	await sql`vacuum analyze projects`;
	await sql`vacuum analyze changes`;
}

/** Changes of the last half year until there are so many, each of some request. */
async function fillChanges(tx: Transaction, size: number): Promise<void> {
	await tx.unsafe(`
		with some as materialized (
			select row_number() over (order by id) - 1 as place, count(*) over () as known, id, queue_id, region, feed, kind, name,
				developer_canonical, capacity_mw, type_std, state from projects where kind = 'generation' order by id limit 20000)
		insert into changes (seq, snapshot_id, detected_at, region, feed, project_id, queue_id, kind, change_type, field_name, old_value,
			new_value, project_name, developer_canonical, capacity_mw, type_std, state)
		select n, (select max(id) from snapshots), now() - interval '180 days' * (1 - n::float8 / ${size}), region, feed, id, queue_id, kind,
			'field_update', 'cod', '2027-01-01', '2027-06-01', name, developer_canonical, capacity_mw, type_std, state
		from generate_series((select coalesce(max(seq), 0) + 1 from changes), ${size}) as n join some on place = n * 7919 % known`);
}

const silent = { info() {}, warn() {}, error() {} };
