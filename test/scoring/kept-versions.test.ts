/** What is kept of the past of requests: each version with the days on which it held, whatever the order in which events come. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Delivery, project } from "./support/deliver.ts";
import { type ProjectChanged, pick, projectEvent, randomBy, shuffled } from "./support/history.ts";
import { openScoring, type TestScoring } from "./support/scoring.ts";

let service: TestScoring;
beforeAll(async () => {
	service = await openScoring();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => service.clear());

type Change = ProjectChanged["changes"][number];
const changed = (change_type: Change["change_type"], field_name: string | null): Change => ({
	seq: 1,
	change_type,
	field_name,
	old_value: null,
	new_value: null,
});

/** One version: of the list of a day, or (`snapshot` null) only said again. */
const state = (
	id: string,
	version: number,
	day: string,
	snapshot: number | null,
	mw: number,
	changes: Change[] = [],
): Delivery =>
	project({
		...projectEvent(id, version, { capacity_mw: mw }),
		as_of: `${day}T00:00:00Z`,
		snapshot_id: snapshot,
		changes,
	});

const on = async (day: string): Promise<Record<string, number>> => {
	const rows = await service.sql<{ project_id: string; capacity_mw: number }[]>`
		select project_id, capacity_mw from project_versions where valid_from <= ${day}::text::date and valid_to > ${day}::text::date`;
	const found = Object.fromEntries(rows.map(({ project_id, capacity_mw }) => [project_id, capacity_mw]));
	// One version a request and day.
	expect(Object.keys(found)).toHaveLength(rows.length);
	return found;
};
const dayOf = (at: number) => `2026-01-${String(at + 1).padStart(2, "0")}`;

test.each([1, 2, 3, 4, 5])(
	"as of every day the last version of a list up to it holds, in any order and with repetitions (%i)",
	async (seed) => {
		const random = randomBy(seed);
		const said = Array.from({ length: 5 }, (_, id) =>
			Array.from({ length: 6 }, (_, at) => ({
				id: `ERCOT-${id}`,
				version: at + 1,
				day: dayOf(Math.floor(random() * 20)),
				mw: Math.floor(random() * 1_000),
			})),
		).flat();
		const deliveries = said.map(({ id, version, day, mw }) => state(id, version, day, version, mw));
		const waiting = shuffled(random, [...deliveries, ...deliveries.map((each, at) => each.again(`again-${at}`))]);
		while (waiting.length > 0) await service.deliver(...waiting.splice(0, pick(random, [1, 3, 7])));
		for (let at = 0; at < 20; at++) {
			const expected = new Map<string, number>();
			for (const { id, day, mw } of said) if (day <= dayOf(at)) expected.set(id, mw);
			expect(await on(dayOf(at))).toEqual(Object.fromEntries(expected));
		}
	},
);

test("what is only said again changes nothing of the past, and is the past where nothing was known", async () => {
	await service.deliver(state("ERCOT-1", 1, "2026-01-01", 1, 10));
	await service.deliver(state("ERCOT-1", 2, "2026-01-10", 2, 20));
	await service.deliver(state("ERCOT-1", 2, "2026-01-02", null, 20).again("republished"));
	await service.deliver(state("ERCOT-1", 3, "2026-01-03", null, 21), state("ERCOT-2", 7, "2026-01-05", null, 50));
	expect(await on("2026-01-09")).toEqual({ "ERCOT-1": 10, "ERCOT-2": 50 });
	expect(await on("2026-01-10")).toEqual({ "ERCOT-1": 21, "ERCOT-2": 50 });
	expect(await on("2026-01-04")).toEqual({ "ERCOT-1": 10 });
});

test("what a list said that was taken back is no part of the past, in whichever order it is known", async () => {
	const events = [
		state("ERCOT-1", 1, "2026-01-01", 1, 10),
		state("ERCOT-1", 2, "2026-01-10", 2, 999, [changed("field_update", "capacity_mw")]),
		state("ERCOT-1", 3, "2026-01-12", 3, 10, [changed("correction", "capacity_mw")]),
		state("ERCOT-2", 1, "2026-01-01", 1, 5),
		state("ERCOT-2", 2, "2026-01-10", 2, 777),
		// Nothing says of itself that it is a correction.
		state("ERCOT-2", 3, "2026-01-12", 3, 5),
	];
	for (const seed of [1, 2, 3]) {
		await service.clear();
		for (const each of shuffled(randomBy(seed), events)) await service.deliver(each);
		for (const day of ["2026-01-09", "2026-01-10", "2026-01-11", "2026-01-12"])
			expect(await on(day)).toEqual({ "ERCOT-1": 10, "ERCOT-2": 5 });
	}
});

test("that a request is in the list again takes no list back", async () => {
	await service.deliver(state("ERCOT-1", 1, "2026-01-01", 1, 10));
	await service.deliver(state("ERCOT-1", 2, "2026-01-10", 2, 20));
	await service.deliver(state("ERCOT-1", 3, "2026-01-12", 3, 30, [changed("correction", "missing_since")]));
	expect(await on("2026-01-11")).toEqual({ "ERCOT-1": 20 });
});
