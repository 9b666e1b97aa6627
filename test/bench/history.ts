/** What an answer of a past day costs against the same of the present: forty states of each request, the owner asked over the bus. */
import { connectBus } from "#libs/bus/connect.ts";
import { type PlainName, request } from "#libs/bus/request.ts";
import type { ParamsInput } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { stateColumns } from "../../services/queue-ingest/history/state-columns.ts";
import { silent } from "../support/silent.ts";
import { median } from "./measure.ts";
import type { Row } from "./report.ts";
import type { Bench } from "./system.ts";

const states = 40;
const turns = 5;
const requestsATurn = 20;
const timeoutMs = 60_000;

type Asked = { path: string; ask: (moment: { as_of?: string }) => [PlainName, ParamsInput<PlainName>] };

const asked: Asked[] = [
	{ path: "/projects", ask: (moment) => ["listProjects", { ...moment }] },
	{
		path: "/projects?state=TX&sort=capacity_mw",
		ask: (moment) => ["listProjects", { state: "TX", sort: "capacity_mw", order: "desc", ...moment }],
	},
	{
		path: "/projects?capacity_min=100&developer=solar",
		ask: (moment) => ["listProjects", { capacity_min: 100, developer: "solar", ...moment }],
	},
	{ path: "/stats", ask: (moment) => ["getStats", { ...moment }] },
];

export async function measureHistory(bench: Bench, say: (line: string) => void): Promise<Row[]> {
	const days = await fillHistory(bench.sql, say);
	await using bus = await connectBus({ ...bench.natsOf("gateway"), name: "gateway", log: silent });
	const rows: Row[] = [];
	for (const { path, ask } of asked) {
		const time = async (moment: { as_of?: string }) => {
			const [name, params] = ask(moment);
			const since = performance.now();
			await request(bus, name, params, { timeoutMs });
			return performance.now() - since;
		};
		const [ours, baseline]: [number[], number[]] = [[], []];
		for (let turn = -1; turn < turns; turn++) {
			const [past, present]: [number[], number[]] = [[], []];
			for (let nth = 0; nth < requestsATurn; nth++) {
				past.push(await time({ as_of: days[(turn + 1 + nth * 7) % days.length] ?? "" }));
				present.push(await time({}));
			}
			if (turn < 0) continue;
			ours.push(median(past));
			baseline.push(median(present));
		}
		rows.push({
			measure: `${path} as of a day, one at a time`,
			unit: "ms",
			than: "the present",
			ours,
			baseline,
			aim: { atMost: 3 },
		});
		say(`${path}: done`);
	}
	return rows;
}

/** A state a week before the present one, of each request. Answers the days. */
async function fillHistory(sql: Sql, say: (line: string) => void): Promise<string[]> {
	const columns = stateColumns.join(", ");
	await sql.begin(async (tx) => {
		await tx.unsafe(`
			insert into project_versions (project_id, version, valid_from, valid_to, snapshot_id, ${columns})
			select v.project_id, 1, v.valid_from - k * interval '1 week', v.valid_from - (k - 1) * interval '1 week', v.snapshot_id,
				${stateColumns.map((name) => (name === "capacity_mw" ? "v.capacity_mw + k" : `v.${name}`)).join(", ")}
			from project_versions v cross join generate_series(1, ${states - 1}) k where v.valid_to is null`);
		await raiseDataVersion(tx);
	});
	await sql`vacuum analyze project_versions`;
	const [counted] = await sql<{ states: number; requests: number; days: string[] }[]>`
		select count(*) as states, count(distinct project_id) as requests, array(select to_char(day, 'YYYY-MM-DD') from generate_series(
			(select min(valid_from) from project_versions where valid_to is null) - interval '38 weeks',
			(select min(valid_from) from project_versions where valid_to is null), interval '1 week') as day) as days
		from project_versions`;
	say(`${counted?.states} states of ${counted?.requests} requests`);
	return counted?.days ?? [];
}
