/**
 * The cost of history: answers of the present beside those of a system without history, and answers of a past day beside the same of the
 * present. The owners are requested over the bus, one request at a time, in turn.
 */
import { connectBus } from "#libs/bus/connect.ts";
import { type PlainName, request } from "#libs/bus/requests/request.ts";
import { AppError } from "#libs/contract/errors.ts";
import type { ParamsInput } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { silent } from "../../test/support/silent.ts";
import { fill } from "./fill.ts";
import { fillHistory, lists, type Past } from "./history-data.ts";
import { median, takeTurns } from "./measure.ts";
import { type Row, short } from "./report.ts";
import type { Bench, Size } from "./system.ts";

type Say = (line: string) => void;
type Bus = Parameters<typeof request>[0];
type Day = { as_of?: string };

const timeoutMs = 60_000;
/** The largest ratios of an answer of the past to that of the present, and of that to one without a history. */
const [aimOfPast, aimOfPresent] = [3, 1.1];

interface Question {
	path: string;
	/** The day of a request, by its number. */
	dayOf: (past: Past, nth: number) => Day;
	ask: (bus: Bus, day: Day) => Promise<unknown>;
	requestsATurn?: number;
	note?: string;
}

const day = ({ days }: Past, nth: number): Day => ({ as_of: days[(nth * 7 + 1) % days.length] ?? "" });

export async function measureHistory(bench: Bench, say: Say): Promise<Row[]> {
	await using without = await bench.startSecond();
	for (const system of bench.size.startsSecond ? [without, bench] : [bench]) await fill(system, say);
	const past = await fillHistory(bench);
	say(`${past.states} states of ${past.requests} requests`);
	const questions = await questionsOf(bench.sql);
	await using bus = await connectBus({ ...bench.natsOf("gateway"), name: "gateway", log: silent });
	await using busWithout = await connectBus({ ...without.natsOf("gateway"), name: "gateway", log: silent });
	const rows: Row[] = [];
	for (const question of questions)
		rows.push(...(await measure(question, { size: bench.size, past, bus, busWithout, say })));
	return rows;
}

interface Measured {
	size: Size;
	past: Past;
	bus: Bus;
	busWithout: Bus;
	say: Say;
}

async function measure(
	{ path, dayOf, ask, note, requestsATurn = 20 }: Question,
	{ size, past, bus, busWithout, say }: Measured,
): Promise<Row[]> {
	let nth = 0;
	const turn = (each: () => Promise<unknown>) => async () => {
		const took: number[] = [];
		for (let at = 0; at < size.count(requestsATurn); at++) {
			const since = performance.now();
			await each();
			took.push(performance.now() - since);
		}
		return median(took);
	};
	const took = await takeTurns(size.turns(3), {
		past: turn(() => ask(bus, dayOf(past, nth++))),
		present: turn(() => ask(bus, {})),
		without: turn(() => ask(busWithout, {})),
	});
	say(
		`${path}: ${short(median(took.past))} ms, present ${short(median(took.present))}, without ${short(median(took.without))}`,
	);
	return [
		{
			measure: `${path} as of a day${note === undefined ? "" : `, ${note}`}`,
			...{ unit: "ms", than: "the present", ours: took.past, baseline: took.present },
			aim: { atMost: aimOfPast },
		},
		{
			measure: `${path}, the present of ${size.requests.toLocaleString("en")} requests, each with ${lists} states`,
			...{ unit: "ms", than: "without a history", ours: took.present, baseline: took.without },
			aim: { atMost: aimOfPresent },
		},
	];
}

async function questionsOf(sql: Sql): Promise<Question[]> {
	const [known] = await sql<{ id: string; developer_id: number }[]>`
		select min(id) as id, developer_id from projects where kind = 'generation' and listed = 'listed' and developer_id is not null
			and id not like '%~bench%' group by developer_id order by count(*) desc limit 1`;
	const { id = "", developer_id = 0 } = known ?? {};
	const question = <N extends PlainName>(path: string, name: N, params: ParamsInput<N>): Question => ({
		path,
		dayOf: day,
		ask: (bus, asOf) => patiently(() => request(bus, name, { ...params, ...asOf }, { timeoutMs })),
	});
	const listed = (params: ParamsInput<"listProjects">) => question(`/projects${query(params)}`, "listProjects", params);
	return [
		listed({}),
		listed({ page: 100 }),
		listed({ region: "PJM" }),
		listed({ state: "TX", sort: "capacity_mw", order: "desc" }),
		listed({ status: "Active", page: 20 }),
		listed({ capacity_min: 100, developer: "solar" }),
		question("/projects/{id}", "getProject", { project_id: id }),
		question("/projects/groups", "groupProjects", {}),
		question("/stats", "getStats", {}),
		question("/developers/{id}/projects", "listDeveloperProjects", { developer_id: String(developer_id) }),
		question("/score/{id}", "readScore", { project_id: id }),
	];
}

/** Retries as a caller does whose response says so. */
async function patiently(ask: () => Promise<unknown>): Promise<unknown> {
	const deadline = performance.now() + timeoutMs;
	for (;;)
		try {
			return await ask();
		} catch (error) {
			if (!(error instanceof AppError) || error.status !== 503 || performance.now() > deadline) throw error;
		}
}

const query = (filter: object): string => {
	const text = new URLSearchParams(filter as Record<string, string>).toString();
	return text === "" ? "" : `?${text}`;
};
