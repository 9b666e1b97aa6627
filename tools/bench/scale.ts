/**
 * The same lists over `BENCH_TIMES` (100) times the data: 3.6 million requests and 36 million changes. The owners are asked over the bus,
 * past what the gateway keeps; what is compared is how long half of the answers take, over the large set and over the small one,
 * which stands beside it in a system of its own and is asked in turn with it.
 */
import { connectBus } from "#libs/bus/connect.ts";
import { type PlainName, request } from "#libs/bus/requests/request.ts";
import type { ParamsInput } from "#libs/contract/index.ts";
import { silent } from "../../test/support/silent.ts";
import { fill } from "./fill.ts";
import { median, quantile } from "./measure.ts";
import { type Row, short } from "./report.ts";
import { fillChanges, multiplyProjects, multiplyScores } from "./scale-data.ts";
import type { Bench, Size } from "./system.ts";

type Say = (line: string) => void;
type Bus = Parameters<typeof request>[0];

const changesPerProject = 10;
/** Days that the changes are of: half a year. */
const days = 180;
/** Requests of each question: the sides alternate; fewer turns where answers take long. */
const answers = { aTurn: 9, turns: 6, seconds: 20 };
const timeoutMs = 60_000;
/** The largest ratio of the median to that over the small set. */
const aim = 2;

type Ask = (bus: Bus, nth: number) => Promise<{ bytes: Uint8Array }>;

interface Question {
	title: string;
	ask: Ask;
	/** For page 500 and on: the first pages, of the same length, as the small set ends before. */
	first?: Ask;
}

/** Which page comes nth: read on from the first, read on from the 500th, or jumped to, each time with pages of another length: the first of a data version goes the whole way. */
const depths = {
	"first pages": (nth: number) => ({ page: 1 + (nth % 2) }),
	"from page 500 on": (nth: number) => ({ page: 500 + nth }),
	"page 500 at once": (nth: number) => ({ page: 500, per_page: 120 - nth }),
};

function asked<N extends PlainName>(name: N, title: string, params: (nth: number) => ParamsInput<N>): Question {
	return { title, ask: (bus, nth) => request(bus, name, params(nth), { timeoutMs }) };
}

function listed<N extends PlainName>(
	name: N,
	path: string,
	filters: ParamsInput<N>[],
	of: (keyof typeof depths)[] = ["first pages", "from page 500 on"],
): Question[] {
	const ask =
		(filter: ParamsInput<N>, paged: (nth: number) => object): Ask =>
		(bus, nth) =>
			request(bus, name, { ...filter, ...paged(nth) }, { timeoutMs });
	return filters.flatMap((filter) =>
		of.map((depth) => ({
			title: `${path}${query(filter)}, ${depth}`,
			ask: ask(filter, depths[depth]),
			...(depth !== "first pages" && {
				first: ask(filter, (nth) => ({ ...depths[depth](nth), ...depths["first pages"](nth) })),
			}),
		})),
	);
}

const query = (filter: object): string => {
	const text = new URLSearchParams(filter as Record<string, string>).toString();
	return text === "" ? "" : `?${text}`;
};

const questions: Question[] = [
	...listed("listProjects", "/projects", [
		{},
		{ region: "PJM" },
		{ region: "MISO" },
		{ state: "TX" },
		{ state: "NY" },
		{ status: "Active" },
		{ status: "Withdrawn" },
	]),
	...listed("listProjects", "/projects", [{}, { region: "PJM" }], ["page 500 at once"]),
	...listed("listChanges", "/changes", [
		{ since_days: 1 },
		{ since_days: 90 },
		{ since_days: 90, region: "PJM" },
		{ since_days: 90, change_type: "status_change" },
		{ since_days: 90, change_type: "disappeared" },
		{ since_days: 90, region: "SPP", change_type: "new_project" },
	]),
	...listed("listChanges", "/changes", [{ since_days: 90, region: "PJM" }], ["page 500 at once"]),
	...listed("listInvestable", "/investable", [{}, { region: "PJM" }, { state: "TX" }]),
	...listed("listItcDeals", "/deals/itc", [{}, { region: "PJM" }, { state: "TX" }, { status: "conditional" }]),
	...listed("listDeveloperProjects", "/developers/{id}/projects", [{ developer_id: "1" }], ["first pages"]),
	asked("listDevelopers", "/developers", (nth) => ({ page: 1 + (nth % 10) })),
	asked("getStats", "/stats", () => ({})),
	asked("summariseChanges", "/changes/summary", (nth) => ({ since_days: 1 + (nth % 30) })),
	asked("search", "/search", (nth) => ({ q: `solar ${nth % 10}` })),
];

export async function measureScale(bench: Bench, say: Say): Promise<Row[]> {
	const times = Number(process.env.BENCH_TIMES ?? Math.max(2, bench.size.count(100)));
	await using reference = await bench.startSecond();
	for (const system of bench.size.startsSecond ? [reference, bench] : [bench]) await fillSmall(system, say);
	await fillLarge(bench, times, say);
	await using small = await connectBus({ ...reference.natsOf("gateway"), name: "gateway", log: silent });
	await using large = await connectBus({ ...bench.natsOf("gateway"), name: "gateway", log: silent });
	return await measureBoth({ small, large, times, size: bench.size }, say);
}

interface Both {
	small: Bus;
	large: Bus;
	times: number;
	size: Size;
}

async function measureBoth({ small, large, times, size }: Both, say: Say): Promise<Row[]> {
	const turns = size.count(answers.turns);
	const forMs = 1_000 * size.seconds(answers.seconds);
	const turn = (bus: Bus, ask: Ask, nth: number) =>
		oneTurn(bus, ask, { nth, requests: size.count(answers.aTurn), forMs });
	const rows: Row[] = [];
	for (const { title, ask, first } of questions) {
		const baseline = first === undefined || (await turn(small, ask, 0)).found ? ask : first;
		const row: Row = {
			measure: title,
			unit: "ms",
			than:
				baseline === ask
					? `1/${times} of the data`
					: `first pages as long of 1/${times} of the data, which has no page 500`,
			ours: [],
			baseline: [],
			aim: { atMost: aim },
		};
		const until = performance.now() + forMs;
		// The first turn prepares the statements.
		for (let nth = 0; nth <= turns && (nth < 2 || performance.now() < until); nth++) {
			const [theirs, ours] = [await turn(small, baseline, nth), await turn(large, ask, nth)];
			if (theirs.refused !== undefined) throw new Error(`${title}: ${theirs.refused}`);
			if (ours.refused !== undefined) row.note = `refused: ${ours.refused}`;
			if (nth === 0) continue;
			row.ours.push(quantile(ours.took, 0.5));
			row.baseline.push(quantile(theirs.took, 0.5));
		}
		rows.push(row);
		say(`${title}: ${short(median(row.ours))} ms, small ${short(median(row.baseline))} ms`);
	}
	return rows;
}

interface TurnResult {
	/** Milliseconds of each answer, ascending. */
	took: number[];
	/** There was something on the last page. */
	found: boolean;
	refused?: string;
}

interface TurnOptions {
	nth: number;
	requests: number;
	forMs: number;
}

async function oneTurn(bus: Bus, ask: Ask, { nth, requests, forMs }: TurnOptions): Promise<TurnResult> {
	const result: TurnResult = { took: [], found: false };
	for (let at = 0; at < requests; at++) {
		const since = performance.now();
		try {
			const { bytes } = await ask(bus, nth * requests + at);
			result.found = !/"data" ?: ?\[\]/.test(Buffer.from(bytes).toString());
		} catch (error) {
			result.refused = error instanceof Error ? error.message : String(error);
		}
		result.took.push(performance.now() - since);
		// One that takes so long shows it once.
		if ((result.took[0] ?? 0) > forMs / requests) break;
	}
	result.took.sort((a, b) => a - b);
	return result;
}

async function fillSmall(bench: Bench, say: Say): Promise<void> {
	await fill(bench, say);
	await fillChanges(bench.sql, {
		changes: bench.size.requests * changesPerProject,
		times: 1,
		days: bench.size.count(days),
	});
}

async function fillLarge(bench: Bench, times: number, say: Say): Promise<void> {
	await multiplyProjects(bench.sql, times, say);
	say(`${times} times the requests`);
	const changes = bench.size.requests * changesPerProject * times;
	await fillChanges(bench.sql, { changes, times, days: bench.size.count(days) });
	say(`${times} times the changes`);
	await multiplyScores(bench.urlOf("scoring"), times);
	say(`${times} times the scores`);
}
