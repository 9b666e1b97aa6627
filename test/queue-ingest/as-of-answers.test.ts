/** Developers, changes, searches and coverage as of a day are what was answered on that day, and what its lists add up to. */
import { describe, expect, test } from "vitest";
import { random } from "../support/file-formats.ts";
import { expectAnswersOfThen, expectSumsOfLists, take } from "./support/past-answers.ts";
import { course } from "./support/pjm-course.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

test("responses as of a day equal those of that day", () => expectAnswersOfThen(1, 3));

test("responses as of a day match its lists after any late or retracted list", () => expectSumsOfLists(9, 4, false));

describe("four lists", () => {
	const lists = course(random(6), 4);
	const [firstDay, today] = [lists[0]?.day ?? "", lists.at(-1)?.day ?? ""];
	const queue: Queue = sharedQueue(async () => {
		for (const list of lists) await take(queue, list);
	});

	test("files of a past day have the rows of its lists", async () => {
		const ids = (csv: string) => csv.trim().split("\n").slice(1);
		const asOf = { as_of: "2026-01-10" };
		const developers = await queue.ask("listDevelopers", { ...asOf, state: "VA", min_projects: 1, per_page: 200 });
		const file = { ...asOf, state: "VA", min_projects: "1", fields: "developer_id,total_capacity_mw,states_active" };
		expect(ids(await queue.file("exportDevelopers", file))).toEqual(
			developers.data
				.sort((a, b) => a.developer_id - b.developer_id)
				.map((row) => `${row.developer_id},${row.total_capacity_mw},${row.states_active.join("; ")}`),
		);
		const changes = await queue.ask("listChanges", { ...asOf, after: 3, state: "VA", per_page: 500 });
		expect(changes.data.length).toBeGreaterThan(5);
		expect(ids(await queue.file("exportChanges", { ...asOf, after: 3, state: "VA", fields: "seq" }))).toEqual(
			changes.data.map(({ seq, project_id }) => `${project_id},${seq}`),
		);
		await expect(queue.file("exportChanges", { as_of: "2027-01-01" })).rejects.toThrow("is in the future");
	});

	test("days before the first list are reported; future days and past ratings are refused", async () => {
		const before = { as_of: "2025-12-31" };
		const isEmpty = { coverage: { PJM: null } };
		expect(await queue.ask("listDevelopers", { ...before, min_projects: 1 })).toMatchObject({
			data: [],
			meta: isEmpty,
		});
		expect(await queue.changes(before)).toMatchObject({ total: 0, data: [], meta: isEmpty });
		expect(await queue.ask("summariseChanges", before)).toMatchObject({ by_day: [], meta: isEmpty });
		expect(await queue.ask("search", { ...before, q: "AG2" })).toMatchObject({ results: [], meta: isEmpty });
		expect(await queue.ask("validate", before)).toMatchObject({ total_projects: 0, meta: isEmpty });
		expect((await queue.ask("getDeveloper", { ...before, developer_id: "Invenergy" })).data.total_projects).toBe(0);
		await expect(queue.ask("getDeveloper", { ...before, developer_id: "Heron Marsh Renewables Inc" })).rejects.toThrow(
			`no request of Heron Marsh Renewables Inc was listed on that day; its first request appeared in the list of ${firstDay}`,
		);
		const one = { developer_id: "Invenergy" };
		for (const ask of [
			(asOf: object) => queue.ask("listDevelopers", asOf),
			(asOf: object) => queue.ask("getDeveloper", { ...one, ...asOf }),
			(asOf: object) => queue.ask("getDeveloperStats", asOf),
			(asOf: object) => queue.ask("searchDevelopers", { q: "heron", ...asOf }),
			(asOf: object) => queue.ask("listProjectChanges", { project_id: "AG2-105", ...asOf }),
			(asOf: object) => queue.ask("listChanges", asOf),
			(asOf: object) => queue.ask("listChanges", { after: 0, ...asOf }),
			(asOf: object) => queue.ask("search", { q: "solar", ...asOf }),
			(asOf: object) => queue.ask("validate", asOf),
			(asOf: object) => queue.ask("summariseChanges", asOf),
			(asOf: object) => queue.ask("getOwnership", { project_id: "AG2-105", ...asOf }),
			(asOf: object) => queue.ask("getProjectProvenance", { project_id: "AG2-105", ...asOf }),
			(asOf: object) => queue.ask("verifyValue", { project_id: "AG2-105", field: "capacity_mw", ...asOf }),
		]) {
			await expect(ask({ as_of: "2026-01-20" })).rejects.toMatchObject({
				status: 422,
				errors: [{ loc: ["query", "as_of"], msg: `is in the future: today is ${today} (UTC)` }],
			});
		}
		await expect(queue.ask("listDevelopers", { as_of: today, needs_capital: true })).rejects.toThrow(
			"cannot be combined with as_of: only current ratings exist",
		);
	});
});
