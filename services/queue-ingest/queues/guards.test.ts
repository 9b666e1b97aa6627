import { describe, expect, test } from "vitest";
import { describeRealFiles } from "../../../test/support/real-files.ts";
import { judgeFirstList, judgeList, type Measures } from "./guards.ts";
import { ercot } from "./sources/ercot.ts";
import { miso } from "./sources/miso.ts";
import { pjmSerial } from "./sources/pjm/serial.ts";
import { spp } from "./sources/spp.ts";

const day = 24;
const list = (measures: Partial<Measures>): Measures => ({
	known: 1_000,
	rows: 1_000,
	vanished: 0,
	active: 800,
	flips: 0,
	activeMw: 100_000,
	nextActiveMw: 100_000,
	malformed: 0,
	...measures,
});
const isHeld = (...asked: Parameters<typeof judgeList>) => judgeList(...asked).reasons.length > 0;

describe("months after the last list", () => {
	test("after SPP's list of January 2025, half of the list of June 2026 is held back; the full list is accepted", () => {
		expect(isHeld(spp, list({ known: 645, rows: 698, vanished: 263 }), 524 * day)).toBe(false);
		const { reasons, holdOnce } = judgeList(spp, list({ known: 645, rows: 475, vanished: 418 }), 524 * day);
		expect(reasons).toEqual([
			"418 of 645 requests (64.8 %) vanished without an explanation, more than this list may lose in 524 days",
		]);
		expect(holdOnce).toBe(false);
	});

	test("ERCOT's losses in ten months and in six years are accepted, a loss of half in ten months is not", () => {
		expect(isHeld(ercot, list({ vanished: 180 }), 304 * day)).toBe(false);
		expect(isHeld(ercot, list({ rows: 4_000, vanished: 710 }), 6 * 365 * day)).toBe(false);
		expect(isHeld(ercot, list({ vanished: 500 }), 304 * day)).toBe(true);
	});

	test("a list that retains finished requests may lose at most a fifth, however much time has passed", () => {
		for (const days of [30, 400, 4_000]) {
			expect(isHeld(miso, list({ vanished: 190 }), days * day)).toBe(false);
			expect(isHeld(miso, list({ vanished: 210 }), days * day)).toBe(true);
		}
	});

	test("a short list may lose up to fifty requests", () => {
		expect(isHeld(miso, list({ known: 60, rows: 60, vanished: 50 }), 400 * day)).toBe(false);
		expect(isHeld(miso, list({ known: 60, rows: 60, vanished: 51 }), 400 * day)).toBe(true);
	});
});

test("changed statuses are checked only within three publication intervals", () => {
	const changed = list({ flips: 700, nextActiveMw: 10_000 });
	expect(judgeList(spp, changed, 3 * day)).toMatchObject({ holdOnce: true });
	expect(isHeld(spp, changed, 4 * day)).toBe(false);
});

describe("a first list", () => {
	const states = "AR IA IL IN KY LA MI MN MO MS ND SD TX WI".split(" ");
	const statuses = ["Active", "Withdrawn", "Operational"] as const;
	const requests = (count: number, { of = states, as = statuses as readonly (typeof statuses)[number][] } = {}) =>
		Array.from({ length: count }, (_, at) => ({
			state: of[at % of.length] ?? null,
			statusStd: as[at % as.length] ?? ("Active" as const),
		}));

	test("must have as many requests, states and statuses as the operator's usual lists", () => {
		expect(judgeFirstList(miso, requests(3_503))).toEqual([]);
		expect(judgeFirstList(miso, requests(1_204))).toEqual(["it has 1204 requests (expected: 2500 to 10000)"]);
		expect(judgeFirstList(miso, requests(30_000))).toEqual(["it has 30000 requests (expected: 2500 to 10000)"]);
		expect(judgeFirstList(miso, requests(3_503, { of: ["MI"] }))).toEqual([
			"its requests are in 1 state (expected: at least 14)",
		]);
		expect(judgeFirstList(miso, requests(3_503, { as: ["Active"] }))).toEqual([
			"no request is Withdrawn or Operational",
		]);
	});

	test("of a few rows is not accepted", () =>
		expect(judgeFirstList(miso, requests(42))).toEqual(["it has 42 requests (expected: 2500 to 10000)"]));
});

describeRealFiles("../data_2026-11/cases", (read) => {
	test("PJM's list, filtered by a user, is not accepted as a first list", async () => {
		const { requests } = await pjmSerial.parse(read("PJMActiveProjects-2025.xlsx"));
		expect(judgeFirstList(pjmSerial, requests)).toEqual([
			"it has 1204 requests (expected: 2500 to 15000)",
			"no request is Active",
		]);
	});
});
