import { describe, expect, it } from "vitest";
import type { ParamsInput } from "#libs/contract/index.ts";
import { csvOf, cycleExample, rowsOf } from "../support/pjm-files.ts";
import { misoJson, standing } from "./support/miso.ts";
import { openQueue, type Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

/** A filed name that is also its developer's. */
const sunset = "Sunset Ridgeway 50% Partners LLC";
const heron = "Heron Marsh Renewables Inc";
const others = Array.from({ length: 20 }, (_, at) => ({ "Project ID": `AH1-8${at + 10}`, "MW Energy": "400" }));
const cycle = (rows: Record<string, string>[]) => csvOf(rowsOf(cycleExample, [...rows, ...others]));
const gone = { Status: "Withdrawn", "Withdrawn Date": "3/8/2026" };
const miso = (rows: Parameters<typeof misoJson>[0]) => misoJson([...rows, ...standing(25)]);

/** Requests of the two first lists, each with a number of its own in the log. */
const firstListed = 50;

/** Ten days, with the changes of each list beside. The clock stands at noon of the 11th. */
async function tenDays(queue: Queue): Promise<void> {
	const a = { "Project ID": "AG2-001", Developer: sunset, "MW Energy": "100", State: "OH", County: "Darke" };
	const b = { "Project ID": "AG2-002", Developer: sunset, "MW Energy": "50.5" };
	const c = { "Project ID": "AG2-003", Developer: heron, Fuel: "Wind", "MW Energy": "75" };
	await queue.take("PJM", "2026-03-01T12:00:00Z", cycle([a, b, c]));
	await queue.take("MISO", "2026-03-01T13:00:00Z", miso([{ number: "J100" }, { number: "J101", status: "Withdrawn" }]));
	// 1: a date; 2: a new request; 3: the cell of the date, which was empty, with include=raw alone.
	await queue.take(
		"MISO",
		"2026-03-04T12:00:00Z",
		miso([
			{ number: "J100", negotiated: "2029-01-01" },
			{ number: "J101", status: "Withdrawn" },
			{ number: "J102", summer: 80.25 },
		]),
	);
	// 4 and 5: a withdrawal with its date; 6: a size.
	await queue.take("PJM", "2026-03-08T12:00:00Z", cycle([{ ...a, ...gone }, b, { ...c, "MW Energy": "70" }]));
	// 7 to 10: two withdrawals with their dates.
	await queue.take(
		"PJM",
		"2026-03-10T12:00:00Z",
		cycle([
			{ ...a, ...gone },
			{ ...b, ...gone },
			{ ...c, ...gone, "MW Energy": "70" },
		]),
	);
	// 11: a withdrawal; 12: J101 was withdrawn and is again filed so, in another word.
	await queue.take(
		"MISO",
		"2026-03-11T11:00:00Z",
		miso([
			{ number: "J100", negotiated: "2029-01-01", status: "Withdrawn" },
			{ number: "J101", status: "LEGACY: Archived" },
			{ number: "J102", summer: 80.25 },
		]),
	);
	queue.now = "2026-03-11T12:00:00Z";
}

describe("changes", () => {
	const queue: Queue = sharedQueue(async () => {
		await tenDays(queue);
	});

	const none = { ERCOT: null, CAISO: null, NYISO: null, SPP: null, "ISO-NE": null };
	/** Days of the newest lists. */
	const coverage = { ...none, MISO: "2026-03-11", PJM: "2026-03-10" };

	const seqs = async (params: ParamsInput<"listChanges">) => {
		const { total, data } = await queue.changes(params);
		expect(total).toBe(data.length);
		return data.map((change) => change.seq - firstListed);
	};

	it.each([
		["of the last day by default, the newest first, the moment a day ago inclusive", {}, [12, 11, 10, 9, 8, 7]],
		["of three days", { since_days: 3 }, [12, 11, 10, 9, 8, 7, 6, 5, 4]],
		["of seven days", { since_days: 7 }, [12, 11, 10, 9, 8, 7, 6, 5, 4, 2, 1]],
		["of a region", { since_days: 90, region: "MISO" }, [12, 11, 2, 1]],
		["of a region without any", { since_days: 90, region: "SPP" }, []],
		["of a kind", { since_days: 90, change_type: "status_change" }, [12, 11, 9, 7, 4]],
		["of a kind and a region", { since_days: 90, change_type: "new_project", region: "MISO" }, [2]],
		["of a developer, any part in any case", { since_days: 90, developer: "sunset" }, [8, 7, 5, 4]],
		["of a developer with a literal %", { since_days: 90, developer: "50%" }, [8, 7, 5, 4]],
		["of a developer, where % is no wildcard", { since_days: 90, developer: "s%t" }, []],
	] satisfies [string, ParamsInput<"listChanges">, number[]][])("%s", async (_, params, expected) => {
		expect(await seqs(params)).toEqual(expected);
	});

	it("show the request as it was when it changed, and the time of the list", async () => {
		const { data } = await queue.ask("listChanges", { since_days: 3, change_type: "capacity_change" });
		expect(data).toEqual([
			{
				seq: firstListed + 6,
				detected_at: "2026-03-08T12:00:00Z",
				project_id: "PJM-AG2-003",
				queue_id: "AG2-003",
				region: "PJM",
				kind: "generation",
				change_type: "capacity_change",
				field_name: "capacity_mw",
				old_value: "75",
				new_value: "70",
				project_name: "Dequine 345 kV",
				developer_canonical: "Heron Marsh Renewables Inc",
				capacity_mw: 70,
				type_std: "Wind",
				state: null,
				backfilled: false,
			},
		]);
	});

	it("are paged with each change once, and an empty page beyond the end", async () => {
		const paged: number[] = [];
		for (let page = 1; page <= 3; page++) {
			const answer = await queue.ask("listChanges", { since_days: 90, page, per_page: 4 });
			expect(answer).toMatchObject({ total: 11, page, per_page: 4 });
			paged.push(...answer.data.map((change) => change.seq - firstListed));
		}
		expect(paged).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 2, 1]);
		for (const page of [4, 2_147_483_647])
			expect(await queue.ask("listChanges", { since_days: 90, page, per_page: 4 })).toEqual({
				total: 11,
				page,
				per_page: 4,
				data: [],
				meta: { coverage, since: "2025-12-11T12:00:00Z" },
			});
	});

	it("are summarised by day, region and developer: each withdrawal once", async () => {
		expect(await queue.ask("summariseChanges")).toEqual({
			since_days: 7,
			meta: { coverage },
			by_day: [
				{ day: "2026-03-11", change_type: "status_change", count: 2 },
				{ day: "2026-03-10", change_type: "field_update", count: 2 },
				{ day: "2026-03-10", change_type: "status_change", count: 2 },
				{ day: "2026-03-08", change_type: "capacity_change", count: 1 },
				{ day: "2026-03-08", change_type: "field_update", count: 1 },
				{ day: "2026-03-08", change_type: "status_change", count: 1 },
				{ day: "2026-03-04", change_type: "cod_change", count: 1 },
				{ day: "2026-03-04", change_type: "new_project", count: 1 },
			],
			by_region: [
				{ region: "MISO", change_type: "status_change", count: 2 },
				{ region: "MISO", change_type: "cod_change", count: 1 },
				{ region: "MISO", change_type: "new_project", count: 1 },
				{ region: "PJM", change_type: "field_update", count: 3 },
				{ region: "PJM", change_type: "status_change", count: 3 },
				{ region: "PJM", change_type: "capacity_change", count: 1 },
			],
			withdrawals_by_region: [
				{ region: "PJM", withdrawn: 3, withdrawn_mw: 220.5 },
				{ region: "MISO", withdrawn: 1, withdrawn_mw: 150 },
			],
			top_withdrawing_developers: [
				{ developer: sunset, withdrawn: 2, withdrawn_mw: 150.5 },
				{ developer: heron, withdrawn: 1, withdrawn_mw: 70 },
			],
			new_entries_by_region: [{ region: "MISO", new_projects: 1, new_mw: 80.25 }],
		});
	});

	it("are summarised over the requested number of days", async () => {
		expect(await queue.ask("summariseChanges", { since_days: 2 })).toMatchObject({
			withdrawals_by_region: [
				{ region: "PJM", withdrawn: 2, withdrawn_mw: 120.5 },
				{ region: "MISO", withdrawn: 1, withdrawn_mw: 150 },
			],
			top_withdrawing_developers: [
				{ developer: heron, withdrawn: 1, withdrawn_mw: 70 },
				{ developer: sunset, withdrawn: 1, withdrawn_mw: 50.5 },
			],
			new_entries_by_region: [],
		});
	});

	it("are empty without lists", async () => {
		await using empty = await openQueue();
		const meta = { coverage: { ...coverage, MISO: null, PJM: null } };
		expect(await empty.ask("listChanges")).toEqual({
			total: 0,
			page: 1,
			per_page: 100,
			data: [],
			meta: { ...meta, since: expect.any(String) },
		});
		expect(await empty.ask("summariseChanges")).toEqual({
			since_days: 7,
			meta,
			by_day: [],
			by_region: [],
			withdrawals_by_region: [],
			top_withdrawing_developers: [],
			new_entries_by_region: [],
		});
	});
});
