/** Answers of the past: what each list of then said, whatever was loaded later. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Reply } from "#libs/contract/index.ts";
import { misoJson, standing } from "./support/miso.ts";
import { openQueue, type Queue } from "./support/queue.ts";

const one = { number: "J100", summer: 150, phase: "Phase 2" };

describe("the queue as of a day", () => {
	let queue: Queue;
	let seqOfSecond: number;
	beforeAll(async () => {
		queue = await openQueue();
		await queue.take("MISO", "2026-03-01", misoJson([one, { number: "J101", summer: 70 }, ...standing()]));
		await queue.take(
			"MISO",
			"2026-03-05",
			misoJson([{ ...one, summer: 120 }, { number: "J101", summer: 70 }, ...standing()]),
		);
		seqOfSecond = await queue.lastSeq();
		await queue.take(
			"MISO",
			"2026-03-09",
			misoJson([{ ...one, status: "Withdrawn" }, { number: "J102", summer: 33 }, ...standing()]),
		);
	});
	afterAll(() => queue[Symbol.asyncDispose]());

	const megawatts = async (params: object) => {
		const { data, meta } = await queue.ask("listProjects", {
			per_page: 500,
			sort: "capacity_mw",
			order: "desc",
			...params,
		});
		const shown = data.filter(({ id }) => /^MISO-J10\d$/.test(id));
		return { shown: shown.map(({ id, status_std, capacity_mw }) => [id, status_std, capacity_mw]), meta };
	};

	it.each([
		[
			"2026-03-01",
			[
				["MISO-J100", "Active", 150],
				["MISO-J101", "Active", 70],
			],
			"2026-03-01",
		],
		[
			"2026-03-04",
			[
				["MISO-J100", "Active", 150],
				["MISO-J101", "Active", 70],
			],
			"2026-03-01",
		],
		[
			"2026-03-05",
			[
				["MISO-J100", "Active", 120],
				["MISO-J101", "Active", 70],
			],
			"2026-03-05",
		],
		[
			"2026-03-09",
			[
				["MISO-J100", "Withdrawn", 120],
				["MISO-J102", "Active", 33],
			],
			"2026-03-09",
		],
	])("%s", async (as_of, rows, list) => {
		const { shown, meta } = await megawatts({ as_of });
		expect(shown.map(([id, status, mw]) => [id, status, mw])).toEqual(
			rows.map(([id, status, mw]) => [id, status, status === "Withdrawn" ? expect.any(Number) : mw]),
		);
		expect(meta).toMatchObject({ as_of, corrections: 0, coverage: { MISO: list, PJM: null }, total: 22 });
	});

	it("before the first list is nothing, and says that there was none", async () => {
		const { shown, meta } = await megawatts({ as_of: "2026-02-28" });
		expect([shown, meta.total, meta.coverage]).toMatchObject([[], 0, { MISO: null, CAISO: null }]);
	});

	it("is the present as of today, row by row", async () => {
		const past = await queue.ask("listProjects", { per_page: 500, include_unlisted: true, as_of: "2026-03-09" });
		const present = await queue.ask("listProjects", { per_page: 500, include_unlisted: true });
		expect(past.data).toEqual(present.data);
		expect((await queue.ask("getStats", { as_of: "2026-03-09" })).data).toEqual((await queue.ask("getStats", {})).data);
	});

	it("is what was answered after a change", async () => {
		const { shown, meta } = await megawatts({ at_seq: seqOfSecond });
		expect(shown).toEqual([
			["MISO-J100", "Active", 120],
			["MISO-J101", "Active", 70],
		]);
		expect(meta).toMatchObject({ at_seq: seqOfSecond, coverage: { MISO: "2026-03-05" } });
	});

	it("counts, exports and shows one request alike", async () => {
		const { data } = await queue.ask("getStats", { as_of: "2026-03-05" });
		const list = await queue.ask("listProjects", { per_page: 500, as_of: "2026-03-05" });
		const sum = list.data.reduce((all, row) => all + (row.capacity_mw ?? 0), 0);
		expect(data).toMatchObject({ total_projects: list.meta.total, total_capacity_gw: Math.round(sum) / 1000 });
		const csv = await queue.export({ as_of: "2026-03-05", fields: "id,capacity_mw" });
		expect(csv.trim().split("\n").slice(1)).toEqual(list.data.map((row) => `${row.id},${row.capacity_mw}`));
		expect(await queue.ask("getProject", { project_id: "J100", as_of: "2026-03-02" })).toMatchObject({
			capacity_mw: 150,
			version: 1,
		});
		await expect(queue.ask("getProject", { project_id: "J102", as_of: "2026-03-02" })).rejects.toThrow(
			"MISO-J102 was in no list then: the first list that shows it is of 2026-03-09",
		);
	});

	it("is read from end to end by a cursor", async () => {
		const ids: string[] = [];
		for (let cursor: string | null = "*"; cursor !== null; ) {
			const page: Reply<"listProjects"> = await queue.ask("listProjects", {
				as_of: "2026-03-05",
				cursor,
				per_page: 7,
				sort: "capacity_mw",
			});
			ids.push(...page.data.map((row) => row.id));
			cursor = page.meta.next_cursor ?? null;
		}
		const whole = await queue.ask("listProjects", { as_of: "2026-03-05", per_page: 500, sort: "capacity_mw" });
		expect(ids).toEqual(whole.data.map((row) => row.id));
		expect(ids).toHaveLength(22);
	});

	it("refuses a day in the future, a seq that is not yet, and both at once", async () => {
		const errors = (field: string) =>
			expect.objectContaining({ status: 422, errors: [{ loc: ["query", field], msg: expect.any(String) }] });
		await expect(queue.ask("listProjects", { as_of: "2026-03-10" })).rejects.toEqual(errors("as_of"));
		await expect(queue.ask("getStats", { at_seq: 1_000_000 })).rejects.toEqual(errors("at_seq"));
		await expect(queue.ask("listProjects", { as_of: "2026-03-05", at_seq: 3 })).rejects.toThrow(
			"does not go with as_of",
		);
	});
});
