/** Developers of names that are learnt before or after the lists that have them. */
import { expect } from "vitest";
import { syncRegister } from "../../../services/queue-ingest/developers/jobs/register.ts";
import { ingestLate } from "../../../services/queue-ingest/queues/jobs/late-lists.ts";
import { random } from "../../support/file-formats.ts";
import { registerWith } from "./developers.ts";
import { allDays, course, daysAround, type List, pjmList } from "./pjm-course.ts";
import { openQueue, type Queue } from "./queue.ts";

/** Quillfeather is Avantus, and Heron Marsh a company of its own. */
const learned = registerWith("Quillfeather Renewables");

/** Developers with their portfolios, and requests with their developers, by day. */
async function readDays(queue: Queue, days: readonly string[]) {
	queue.now = "2027-01-01T00:00:00Z";
	return Promise.all(
		days.map(async (as_of) => {
			const { data: developers } = await queue.ask("listDevelopers", { as_of, per_page: 200, min_projects: 1 });
			const { data: projects } = await queue.ask("listProjects", { as_of, per_page: 500, include_unlisted: true });
			const named = developers.map((one) => [one.canonical_name, one.tier, one.total_projects, one.total_capacity_mw]);
			return [
				as_of,
				named.sort(([a], [b]) => String(a).localeCompare(String(b))),
				projects.map(({ id: of, developer_canonical, developer_tier }) => [of, developer_canonical, developer_tier]),
			];
		}),
	);
}

/** Whenever it is learnt whose a name is, the days around so many lists, or every day, are the same. */
export async function expectSameDays(seed: number, count: number, everyDay: boolean): Promise<void> {
	await using before = await openQueue();
	await using after = await openQueue();
	const chance = random(seed);
	const lists = course(chance, count);
	const late = lists.filter((_, at) => at > 0 && at < lists.length - 1 && chance() < 0.3);
	const moment = Math.floor(chance() * late.length);
	const takeOne = async (queue: Queue, { day, rows }: List) =>
		expect(await queue.take("PJM", day, pjmList(rows), { accept: true })).toMatchObject({ outcome: "applied" });
	await syncRegister(before.sql, learned);
	await syncRegister(after.sql);
	for (const queue of [before, after]) {
		for (const list of lists) if (!late.includes(list)) await takeOne(queue, list);
		for (const [at, { day, rows }] of late.entries()) {
			if (queue === after && at === moment) await syncRegister(after.sql, learned);
			const files = [{ ...pjmList(rows), path: "pjm.csv" }];
			const result = await ingestLate(queue.sql, { region: "PJM", files, asOf: `${day}T06:00:00Z`, accept: true });
			expect(result).toMatchObject({ outcome: "backfilled" });
		}
	}
	await syncRegister(after.sql, learned);
	const days = everyDay ? allDays(count) : daysAround(lists);
	const [expected, found] = [await readDays(before, days), await readDays(after, days)];
	expect(found).toEqual(expected);
	expect(JSON.stringify(found)).toContain("Avantus");
	const corrected = async (queue: Queue) =>
		(await queue.ask("listProjects", { as_of: "2026-12-31", per_page: 1 })).meta.corrections;
	expect(await corrected(after)).toBe(await corrected(before));
}
