/** What is kept of the past of requests: each state with the days on which it held, whatever the order in which events come. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Delivery, list, state } from "./support/deliver.ts";
import {
	listEvent,
	pick,
	projectEvent,
	randomBy,
	type StateRecorded,
	shuffled,
	stateEvent,
} from "./support/history.ts";
import { openScoring, type TestScoring } from "./support/scoring.ts";

let service: TestScoring;
beforeAll(async () => {
	service = await openScoring();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => service.clear());

const dayOf = (at: number) => `2026-01-${String(at + 1).padStart(2, "0")}`;
const momentOf = (at: number) => `${dayOf(at)}T06:00:00Z`;

/** What is kept as of a day: by request its state and the moves of its date until then. */
const on = async (day: string): Promise<Record<string, unknown>> => {
	const rows = await service.sql<{ id: string; said: unknown }[]>`
		select project_id as id, json_build_array(capacity_mw, cod, cod_changes) as said from project_states
		where held and valid_from <= ${day}::text::date and valid_to > ${day}::text::date`;
	const found = Object.fromEntries(rows.map(({ id, said }) => [id, said]));
	// One state a request and day.
	expect(Object.keys(found)).toHaveLength(rows.length);
	return found;
};

interface State {
	entry: number;
	id: string;
	day: number;
	mw: number;
	cod: string | null;
}

/** States that come in this order, each before, between or behind those that are known; what queue-ingest says after each. */
function course(random: () => number, id: string, first: number) {
	const said: StateRecorded[] = [];
	const known: State[] = [];
	const ends = new Map<number, number | null>();
	for (const [at, day] of shuffled(
		random,
		Array.from({ length: 20 }, (_, each) => each),
	)
		.slice(0, 6)
		.entries()) {
		const cod = pick(random, ["2027-01-01", "2028-01-01", null] as const);
		known.push({ entry: first + at, id, day, mw: Math.floor(random() * 1_000), cod });
		known.sort((a, b) => a.day - b.day);
		for (const [place, each] of known.entries()) {
			const end = known[place + 1]?.day ?? null;
			if (ends.get(each.entry) === end) continue;
			ends.set(each.entry, end);
			const event = { ...projectEvent(id, 1, { capacity_mw: each.mw, cod: each.cod }), as_of: momentOf(each.day) };
			const version = 1_000 * first + said.length + 1;
			const more = { entry: each.entry, version, id: `state.recorded:${each.entry}:${version}` };
			said.push(stateEvent(event, end === null ? null : momentOf(end), more));
		}
	}
	return { said, known };
}

test.each([1, 2, 3, 4, 5])(
	"as of every day what queue-ingest said last of it, in any order and with repetitions (%i)",
	async (seed) => {
		const random = randomBy(seed);
		const courses = Array.from({ length: 5 }, (_, at) => course(random, `ERCOT-${at}`, 1 + 100 * at));
		const events = courses.flatMap(({ said }) => said.map((each) => state(each)));
		const waiting = shuffled(random, [...events, ...events.map((each, at) => each.again(`again-${at}`))]);
		while (waiting.length > 0) await service.deliver(...waiting.splice(0, pick(random, [1, 3, 7])));
		for (let at = 0; at < 20; at++) {
			const expected = courses.flatMap(({ known }) => {
				const until = known.filter(({ day }) => day <= at);
				const moves = until.flatMap((each, place) => {
					const before = until[place - 1];
					return before === undefined || before.cod === each.cod
						? []
						: [{ on: dayOf(each.day), old: before.cod, new: each.cod }];
				});
				return until.slice(-1).map(({ id, mw, cod }) => [id, [mw, cod, moves]]);
			});
			expect(await on(dayOf(at)), dayOf(at)).toEqual(Object.fromEntries(expected));
		}
	},
);

const one = (day: number, more: Partial<StateRecorded>, validTo: number | null = null, cod = "2027-01-01"): Delivery =>
	state(
		stateEvent(
			{ ...projectEvent("ERCOT-1", 1, { cod }), as_of: momentOf(day) },
			validTo === null ? null : momentOf(validTo),
			{ id: `state ${more.entry} ${more.version}`, ...more },
		),
	);

test("what was taken back, and what held for no whole day, is on no day", async () => {
	await service.deliver(
		one(0, { entry: 1, version: 1 }, 4),
		one(4, { entry: 2, version: 2 }, 4),
		one(4, { entry: 3, version: 3 }),
	);
	await service.deliver(one(4, { entry: 3, version: 9, believed: false }), one(0, { entry: 1, version: 8 }));
	for (const day of [0, 3, 4, 19]) expect(await on(dayOf(day))).toEqual({ "ERCOT-1": [100, "2027-01-01", []] });
});

test("dates that a list wrote in another way have not moved", async () => {
	await service.deliver(
		one(0, { entry: 1, version: 1 }, 4),
		one(4, { entry: 2, version: 2, dates_recoded: true }, 8, "2027-06-01"),
		one(8, { entry: 3, version: 3 }, null, "2028-01-01"),
	);
	expect(await on(dayOf(9))).toEqual({
		"ERCOT-1": [100, "2028-01-01", [{ on: dayOf(8), old: "2027-06-01", new: "2028-01-01" }]],
	});
});

test("a list that was taken back does not stand, in whichever order that is known", async () => {
	const said = listEvent({ ...projectEvent("ERCOT-1", 1), as_of: momentOf(3), snapshot_id: 7 });
	const events = [said, { ...said, id: "back", version: 90, standing: false }].map((event) => list(event));
	for (const order of [events, events.toReversed()]) {
		await service.clear();
		for (const event of order) await service.deliver(event);
		expect(await service.rows("select jsonb_build_array(feed, snapshot_id, day, retracted) as row from lists")).toEqual(
			[["ercot", 7, dayOf(3), true]],
		);
	}
});
