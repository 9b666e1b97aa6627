/** Responses for a past day: what each list of that day said, whatever was loaded later. */
import { describe, expect, it } from "vitest";
import type { Reply } from "#libs/contract/index.ts";
import { csvOf, cycleExample, rowsOf } from "../support/pjm-files.ts";
import { queueFile, queueRows } from "../support/queue-files.ts";
import { misoJson, standing } from "./support/miso.ts";
import { openQueue, type Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const one = { number: "J100", summer: 150, phase: "Phase 2" };

describe("the queue as of a day", () => {
	const queue: Queue = sharedQueue(async () => {
		await queue.take("MISO", "2026-03-01", misoJson([one, { number: "J101", summer: 70 }, ...standing()]));
		await queue.take(
			"MISO",
			"2026-03-05",
			misoJson([{ ...one, summer: 120 }, { number: "J101", summer: 70 }, ...standing()]),
		);
		await queue.take(
			"MISO",
			"2026-03-09",
			misoJson([{ ...one, status: "Withdrawn" }, { number: "J102", summer: 33 }, ...standing()]),
		);
	});

	const megawatts = async (params: object) => {
		const { data, meta } = await queue.ask("listProjects", {
			per_page: 500,
			sort: "capacity_mw",
			order: "desc",
			...params,
		});
		const shown = data.filter(({ id }) => /^MISO-J10\d$/.test(id));
		return { shown: shown.map((row) => `${row.queue_id} ${row.status_std} ${row.capacity_mw}`), meta };
	};

	it.each([
		["2026-03-01", "2026-03-01", ["J100 Active 150", "J101 Active 70"]],
		["2026-03-04", "2026-03-01", ["J100 Active 150", "J101 Active 70"]],
		["2026-03-05", "2026-03-05", ["J100 Active 120", "J101 Active 70"]],
		["2026-03-09", "2026-03-09", ["J100 Withdrawn 150", "J102 Active 33"]],
	])("%s", async (as_of, list, rows) => {
		const { shown, meta } = await megawatts({ as_of });
		expect(shown).toEqual(rows);
		expect(meta).toMatchObject({ as_of, corrections: 0, coverage: { MISO: list, PJM: null }, total: 22 });
	});

	it("before the first list is empty, and states that there was none", async () => {
		const { shown, meta } = await megawatts({ as_of: "2026-02-28" });
		expect([shown, meta.total, meta.coverage]).toMatchObject([[], 0, { MISO: null, CAISO: null }]);
	});

	it("is covered as far as lists are loaded, also with filters by day", async () => {
		const found = { MISO: "2026-03-09", PJM: null };
		for (const days of [{ date_from: "2026-03-10" }, { cod_to: "2020-01-01" }, { updated_since: "2026-03-10" }]) {
			const { data, meta } = await queue.ask("listProjects", days);
			expect([data, meta]).toMatchObject([[], { total: 0, coverage: found }]);
			expect((await queue.ask("groupProjects", days)).meta.coverage).toMatchObject(found);
		}
		expect((await queue.ask("listProjects", { state: "TX" })).meta).not.toHaveProperty("coverage");
		expect(await queue.changes({ since: "2026-03-06", until: "2026-03-08" })).toMatchObject({
			total: 0,
			meta: { coverage: { MISO: "2026-03-05", PJM: null } },
		});
		expect(await queue.changes({ as_of: "2026-03-09", until: "2026-03-06" })).toMatchObject({
			meta: { coverage: { MISO: "2026-03-05" }, lists: { miso: "2026-03-05" } },
		});
		expect(await queue.changes({ since: "2026-03-10" })).toMatchObject({ total: 0, meta: { coverage: found } });
		expect((await queue.ask("summariseChanges", { since_days: 1 })).meta?.coverage).toMatchObject(found);
	});

	it("changes on the days of lists named by the coverage", async () => {
		const { queues } = await queue.ask("describeCoverage", {});
		const days = Object.fromEntries(queues.map(({ region, list_days }) => [region, list_days]));
		expect(days).toMatchObject({ MISO: ["2026-03-01", "2026-03-05", "2026-03-09"], PJM: [], ERCOT: [] });
	});

	it("equals the present as of today, row by row", async () => {
		const past = await queue.ask("listProjects", { per_page: 500, include_unlisted: true, as_of: "2026-03-09" });
		const present = await queue.ask("listProjects", { per_page: 500, include_unlisted: true });
		// No score was published here.
		const none = { score_basis: "unpublished", score_version: null };
		expect(past.data).toEqual(present.data.map((row) => ({ ...row, ...none })));
		const { data } = await queue.ask("getStats", {});
		expect((await queue.ask("getStats", { as_of: "2026-03-09" })).data).toEqual({ ...data, tax_credits: null });
	});

	it("has equal counts, exports and requests", async () => {
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
			"MISO-J102 was not listed on that day: it first appeared in the list of 2026-03-09",
		);
	});

	it("has the history of a request, with the fields that differ and the list's file", async () => {
		const { data, meta } = await queue.ask("getProjectHistory", { project_id: "J100" });
		expect(meta.total).toBe(3);
		expect(data.map(({ version, valid_from, valid_to, reason }) => [version, valid_from, valid_to, reason])).toEqual([
			[1, "2026-03-01T06:00:00Z", "2026-03-05T06:00:00Z", "list"],
			[2, "2026-03-05T06:00:00Z", "2026-03-09T06:00:00Z", "list"],
			[3, "2026-03-09T06:00:00Z", null, "list"],
		]);
		expect(data[0]?.differences).toContainEqual({ field: "queue_id", old_value: null, new_value: "J100" });
		expect(data[1]?.differences).toContainEqual({ field: "capacity_mw", old_value: "150", new_value: "120" });
		expect(data[2]?.differences).toContainEqual({ field: "status_std", old_value: "Active", new_value: "Withdrawn" });
		expect(data[2]?.file).toMatchObject({ feed: "miso", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
		const newest = await queue.ask("getProjectHistory", { project_id: "J100", order: "desc", per_page: 1 });
		expect(newest.data.map(({ version }) => version)).toEqual([3]);
		expect(newest.data[0]?.differences).toEqual(data[2]?.differences);
	});

	it("is compared with another day: sums, the matrix of states, and rows", async () => {
		const found = await queue.ask("compareDays", { from: "2026-03-01", to: "2026-03-09", include_unlisted: true });
		expect(found).toMatchObject({
			from: { day: "2026-03-01", projects: 22, coverage: { MISO: "2026-03-01", PJM: null } },
			to: { day: "2026-03-09", projects: 23 },
			added: { projects: 1, capacity_mw: 33 },
			removed: { projects: 0, capacity_mw: 0 },
			changed: { projects: 1 },
			unchanged: { projects: 21 },
			meta: { total: 2 },
		});
		expect(found.matrix).toMatchObject([
			{ before: null, after: "Active", projects: 1, capacity_mw: 33, capacity_mw_before: 0 },
			{ before: "Active", after: "Active", projects: 21 },
			{ before: "Active", after: "Withdrawn", projects: 1, capacity_mw_before: 150 },
		]);
		expect(
			found.data.map(({ id, change, before, after }) => [id, change, before?.status_std, after?.status_std]),
		).toEqual([
			["MISO-J100", "changed", "Active", "Withdrawn"],
			["MISO-J102", "added", undefined, "Active"],
		]);
		// A request that is not listed any more is not in the queue of the later day.
		const listed = await queue.ask("compareDays", { from: "2026-03-01", to: "2026-03-09" });
		expect(listed.data).toContainEqual(expect.objectContaining({ id: "MISO-J101", change: "removed", after: null }));
		await expect(queue.ask("compareDays", { from: "2026-03-09", to: "2026-03-01" })).rejects.toThrow(
			"must not be before from",
		);
		await expect(queue.ask("compareDays", { from: "2026-03-01", to: "2026-04-01" })).rejects.toThrow(
			"is in the future",
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

	it.each([
		["listProjects", { min_score: 60 }],
		["listProjects", { sort: "investability_score" }],
		["groupProjects", { by: "status", investable: true }],
		["listDeveloperProjects", { developer_id: "1", has_tax_credit: true }],
		["listChanges", { needs_capital: true }],
	] as const)("refuses scores in %s %j, and states where they are", async (name, params) => {
		const reply = queue.ask(name as "listProjects", { ...params, as_of: "2026-03-05" });
		await expect(reply).rejects.toThrow("/export/scores?as_of=");
	});

	it("refuses a day in the future", async () => {
		await expect(queue.ask("listProjects", { as_of: "2026-03-10" })).rejects.toMatchObject({
			status: 422,
			errors: [{ loc: ["query", "as_of"], msg: expect.any(String) }],
		});
	});
});

describe("the total of a day", () => {
	it("is the same on each page, and changes after the day's list is retracted", async () => {
		await using queue = await openQueue();
		const numbers = (count: number) => Array.from({ length: count }, (_, at) => ({ number: `J${200 + at}` }));
		await queue.take("MISO", "2026-03-01", misoJson([...numbers(2), ...standing()]));
		await queue.take("MISO", "2026-03-05", misoJson([...numbers(5), ...standing()]));
		const total = async (params: object) =>
			(await queue.ask("listProjects", { as_of: "2026-03-05", per_page: 5, ...params })).meta.total;
		const standingOnes = standing().length;
		const everywhere = [{}, { page: 2 }, { cursor: "*" }, { sort: "capacity_mw" }];
		for (const params of everywhere) expect(await total(params)).toBe(5 + standingOnes);
		expect(await total({ as_of: "2026-03-02" })).toBe(2 + standingOnes);
		await queue.retract("MISO", "2026-03-09");
		for (const params of everywhere) expect(await total(params)).toBe(2 + standingOnes);
	});
});

describe("an operator that publishes two lists", () => {
	it("has the day of each list, alone or together", async () => {
		await using queue = await openQueue();
		const file = (feed: "pjm-serial" | "pjm-cycle", first: number, publishedOn: string) =>
			queueFile(feed, queueRows(feed, { count: 40 }).slice(first, first + 15), {
				publishedOn,
				...(feed === "pjm-serial" && { layout: "csv" }),
			});
		await queue.take("PJM", "2026-03-01", await file("pjm-serial", 0, "2026-03-01"));
		await queue.take("PJM", "2026-05-20", await file("pjm-cycle", 20, "2026-05-20"));
		queue.now = "2026-06-02T00:00:00Z";
		const meta = async (moment: object) => (await queue.ask("listProjects", { ...moment, per_page: 1 })).meta;
		const both = { "pjm-serial": "2026-03-01", "pjm-cycle": "2026-05-20" };
		expect(await meta({ as_of: "2026-02-28" })).toMatchObject({ coverage: { PJM: null }, lists: {} });
		expect((await meta({ as_of: "2026-03-31" })).lists).toEqual({ "pjm-serial": "2026-03-01" });
		expect(await meta({ as_of: "2026-06-01" })).toMatchObject({ coverage: { PJM: "2026-05-20" }, lists: both });
		const pjm = (await queue.ask("describeCoverage", {})).queues.find(({ region }) => region === "PJM");
		expect(pjm?.list_days).toEqual(["2026-03-01", "2026-05-20"]);
		const compared = await queue.ask("compareDays", { from: "2026-03-31", to: "2026-06-01" });
		expect([compared.from.lists, compared.to.lists]).toEqual([{ "pjm-serial": "2026-03-01" }, both]);
	});
});

describe("the history of a developer", () => {
	it("contains its portfolio on every day on which a list changed it", async () => {
		await using queue = await openQueue();
		const of = (rows: Record<string, string>[]) => csvOf(rowsOf(cycleExample, rows));
		const a = { "Project ID": "AG2-001", Developer: "Heron Marsh Renewables Inc", "MW Energy": "100" };
		const b = { "Project ID": "AG2-002", Developer: "Heron Marsh Renewables Inc", "MW Energy": "50.5" };
		await queue.take("PJM", "2026-03-01", of([a]));
		await queue.take("PJM", "2026-03-02", of([a, b]));
		await queue.take("PJM", "2026-03-03", of([a, { ...b, "Commercial Operation Milestone": "1/1/2031" }]));
		await queue.take("PJM", "2026-03-04", of([a, { ...b, Status: "Withdrawn", "Withdrawn Date": "3/4/2026" }]), {
			accept: true,
		});
		const { data, developer, meta } = await queue.ask("getDeveloperHistory", {
			developer_id: "Heron Marsh Renewables Inc",
		});
		expect([developer, meta.total]).toEqual(["Heron Marsh Renewables Inc", 3]);
		expect(data).toMatchObject([
			{ day: "2026-03-01", total_projects: 1, total_capacity_mw: 100, active_projects: 1, withdrawn_projects: 0 },
			{ day: "2026-03-02", total_projects: 2, total_capacity_mw: 150.5, active_capacity_mw: 150.5 },
			{ day: "2026-03-04", total_projects: 2, active_projects: 1, active_capacity_mw: 100, withdrawn_projects: 1 },
		]);
		const then = await queue.ask("listDeveloperProjects", {
			developer_id: "Heron Marsh Renewables Inc",
			as_of: "2026-03-02",
		});
		expect(then).toMatchObject({
			total_projects: 2,
			total_capacity_mw: 150.5,
			by_stage: expect.any(Object),
			meta: { total: 2 },
		});
	});
});
