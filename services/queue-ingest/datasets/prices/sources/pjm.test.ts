import { expect, it } from "vitest";
import { type PjmRow, pjmFile } from "../../../../../test/support/market-files.ts";
import { describeRealFiles } from "../../../../../test/support/real-files.ts";
import { pjmDayAhead } from "./pjm.ts";

const start = Date.parse("2025-07-01T04:00:00Z");
const hours = (count: number, more: Partial<PjmRow> = {}): PjmRow[] =>
	Array.from({ length: count }, (_, at) => ({ at: start + at * 3_600_000, lmp: 30 + at, ...more }));

it("an export is read by its UTC column; its edition is its days and nodes", async () => {
	const file = await pjmDayAhead.parse(pjmFile(hours(24)));
	expect(file).toMatchObject({
		edition: "2025-07-01..2025-07-01 51288",
		publishedOn: "2025-07-01",
		rowsIn: 24,
		unknownColumns: [],
	});
	expect(file.rows[12]).toEqual({
		...{ hubId: "51288", hub: "WESTERN HUB", hubType: "hub", startsAt: "2025-07-01T16:00:00.000Z" },
		...{ lmp: 42, energy: 41, congestion: 0.75, loss: 0.25, minutes: 60, version: 1 },
	});
});

it("a superseded row is omitted; the later of two versions of an hour is used", async () => {
	const rows = [...hours(3), { at: start, lmp: 99, current: false }, { at: start, lmp: 50, version: 2 }];
	const file = await pjmDayAhead.parse(pjmFile(rows));
	expect(file.rows.map(({ lmp }) => lmp)).toEqual([50, 31, 32]);
	expect(file.dropped).toMatchObject([
		{ reason: "not the current row of its hour", count: 1 },
		{ reason: "superseded in the same file", count: 1 },
	]);
});

it("an export of a few nodes is stored, one of the whole grid is not", async () => {
	const nodes = (count: number) =>
		Array.from({ length: count }, (_, at) => hours(1, { id: at + 1, name: `N${at}`, type: "LOAD" })).flat();
	const few = await pjmDayAhead.parse(pjmFile([...hours(1), ...nodes(2)]));
	expect(few.rows.map(({ hubType }) => hubType)).toEqual(["hub", "node", "node"]);
	const all = await pjmDayAhead.parse(pjmFile([...hours(1), ...nodes(26)]));
	expect([all.rows.length, all.dropped]).toMatchObject([1, [{ count: 26 }]]);
});

it("rows without a price, or not at a full hour, are malformed", async () => {
	const file = await pjmDayAhead.parse(
		pjmFile([...hours(2), { at: start + 2 * 3_600_000, lmp: Number.NaN }, { at: start, lmp: -3_000 }]),
	);
	expect(file.rows).toHaveLength(2);
	expect(file.dropped.map(({ reason, count, malformed }) => [reason, count, malformed])).toEqual([
		["no price", 1, true],
		["a price outside -2000 to 10000 USD/MWh", 1, true],
	]);
});

describeRealFiles("market", (read) => {
	it("a year of a real node is 8,737 hours, 25 of them in autumn's day and 23 in spring's", async () => {
		const file = await pjmDayAhead.parse(read("da_hrl_lmps.csv"));
		expect([file.rows.length, file.edition]).toEqual([8737, "2025-06-16..2026-06-15 48592"]);
		expect([file.unknownValues, file.dropped]).toEqual([[], []]);
	});
});
