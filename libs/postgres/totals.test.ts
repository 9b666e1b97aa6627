import { expect, test } from "vitest";
import { Totals } from "./totals.ts";

/** A table whose rows are so many, at a version; and what each reading of it was told. */
function table() {
	const state = { rows: 7, version: 1 };
	const readings: object[] = [];
	const read = async (reading: { counted: boolean; start: object | undefined }) => {
		readings.push(reading);
		return { total: reading.counted ? state.rows : null, version: state.version, page: "rows" };
	};
	return { state, readings, read };
}

test("of unchanged data a total is counted once", async () => {
	const { readings, read } = table();
	const totals = new Totals();
	for (let time = 0; time < 2; time++)
		expect(await totals.read({ state: "TX" }, undefined, read)).toEqual({ total: 7, version: 1, page: "rows" });
	expect(readings).toEqual([
		{ counted: true, start: undefined },
		{ counted: false, start: undefined },
	]);
	await totals.read({ state: "OH" }, undefined, read);
	expect(readings[2]).toMatchObject({ counted: true });
});

test("what moved is counted again, from the list's own beginning", async () => {
	const { state, readings, read } = table();
	const totals = new Totals();
	await totals.read({}, undefined, read);
	Object.assign(state, { rows: 8, version: 2 });
	const start = { page: 5, after: "x", version: 1 };
	expect(await totals.read({}, start, read)).toMatchObject({ total: 8, version: 2 });
	expect(readings.slice(1)).toEqual([
		{ counted: false, start },
		{ counted: true, start: undefined },
	]);
});

test("a beginning of another version than the page's is not relied on, though the total is not known either", async () => {
	const { readings, read } = table();
	const start = { page: 5, after: "x", version: 0 };
	expect(await new Totals().read({}, start, read)).toMatchObject({ total: 7 });
	expect(readings).toEqual([
		{ counted: true, start },
		{ counted: true, start: undefined },
	]);
});

test("totals are bounded, the oldest go first", () => {
	const totals = new Totals();
	for (let at = 0; at <= 2_000; at++) totals.set({ at }, { total: at, version: 1 });
	expect(totals.get({ at: 0 })).toBeUndefined();
	expect(totals.get({ at: 1 })).toEqual({ total: 1, version: 1 });
});
