/** Developers, changes, searches and coverage as of each day of a course of lists. */
import { expect } from "vitest";
import type { ParamsInput, Reply } from "#libs/contract/index.ts";
import { ingestLate } from "../../../services/queue-ingest/queues/jobs/late-lists.ts";
import { random } from "../../support/file-formats.ts";
import { allDays, course, dayOf, daysAround, developers, type List, pjmList } from "./pjm-course.ts";
import { openQueue, type Queue } from "./queue.ts";

const accept = { accept: true };

export async function take(queue: Queue, { day, rows }: List): Promise<void> {
	expect(await queue.take("PJM", day, pjmList(rows), accept)).toMatchObject({ outcome: "applied", reason: null });
	// Answers of a day rest on all of its lists: they are asked for at its end.
	queue.now = `${day}T23:59:59.999Z`;
}

/** Responses for the present; as of a day they are the same, except ratings. */
const questions: { [N in Asked]: ParamsInput<N>[] } = {
	listDevelopers: [
		{ per_page: 200 },
		{ sort: "active_capacity_mw", order: "asc", per_page: 3 },
		{ sort: "completion_rate", min_projects: 2, page: 2, per_page: 1 },
		{ state: "VA", q: "e", cursor: "*", per_page: 2 },
	],
	getDeveloper: developers.map((filed) => ({ developer_id: filed.replace(/ LLC$/, "") })),
	getDeveloperStats: [{}],
	listDeveloperProjects: [{ developer_id: "Invenergy", sort: "status_std", per_page: 200 }],
	listChanges: [
		{ since_days: 90, per_page: 500 },
		{ since_days: 5, status: "Withdrawn" },
		{ since_days: 30, change_type: "status_change", state: "VA", page: 2, per_page: 2 },
		{ since_days: 90, listed: "missing,disappeared" },
		{ since: "2026-01-04", until: "2026-01-20", capacity_min: 100, q: "otter" },
		{ since_days: 60, cursor: "*", per_page: 7 },
		{ after: 0, per_page: 500, include_evidence: true },
		{ after: 40, per_page: 30, developer: "heron" },
		{ after: 0, per_page: 500, include: "row" },
	],
	listProjectChanges: [
		{ project_id: "AG2-105", per_page: 500 },
		{ project_id: "PJM-AG2-110", after: 30, include_evidence: true },
	],
	searchDevelopers: [{ q: "heron" }, { q: "quilfeather", per_page: 1 }, { q: "re", cursor: "*", per_page: 5 }],
	summariseChanges: [{ since_days: 1 }, { since_days: 6 }, { since_days: 90 }, { since_days: 6, region: "PJM" }],
	search: ["otter", "AG2-1", "PJM-AG2-105", "henrico", "Franklin County, OH", "avantus", "marsh", "ar"].map((q) => ({
		q,
		per_page: 20,
	})),
	validate: [{}],
	groupProjects: [
		{ by: "status", include_unlisted: true },
		{ by: "technology", state: "VA" },
		{ by: "county", page: 2, per_page: 3 },
		{ by: "poi", cursor: "*", per_page: 5 },
	],
};
type Asked =
	| ("listDevelopers" | "getDeveloper" | "getDeveloperStats" | "listDeveloperProjects")
	| ("listProjectChanges" | "searchDevelopers")
	| ("listChanges" | "summariseChanges" | "search" | "validate" | "groupProjects");
const names = Object.keys(questions) as Asked[];

const answers = async (queue: Queue, moment: { as_of?: string }) =>
	Object.fromEntries(
		await Promise.all(
			names.flatMap((name) =>
				questions[name].map(async (params) => [
					`${name} ${JSON.stringify(params)}`,
					await queue.ask(name, { ...params, ...moment }),
				]),
			),
		),
	) as Record<string, Record<string, unknown>>;

/** Without what an answer of the past says of itself, what is of now, and cursors, which are bound to the day. */
function facts(answer: Record<string, unknown>): unknown {
	const ofNow = [
		"needs_capital",
		"needs_capital_count",
		"tax_credit_activity",
		"tax_credit_eligibility",
		"next_cursor",
	];
	// A day of the past ends at its last second, and the present at the moment of the question.
	const ofPast = ["as_of", "coverage", "lists", "corrections", "since"];
	const { meta, ...rest } = JSON.parse(
		JSON.stringify(answer, (key, value) => ([...ofNow, ...ofPast].includes(key) ? undefined : value)),
	);
	return meta === undefined || Object.keys(meta).length === 0 ? rest : { ...rest, meta };
}

/** Answers as of the day of each of so many lists are those of that day. */
export async function expectAnswersOfThen(seed: number, count: number): Promise<void> {
	await using queue = await openQueue();
	const answered: [day: string, Record<string, Record<string, unknown>>][] = [];
	for (const list of course(random(seed), count)) {
		await take(queue, list);
		answered.push([list.day, await answers(queue, {})]);
	}
	queue.now = "2027-01-01T00:00:00Z";
	let compared = 0;
	for (const [day, then] of answered) {
		for (const [question, answer] of Object.entries(await answers(queue, { as_of: day }))) {
			expect(facts(answer), `${question} ${day}`).toEqual(facts(then[question] ?? {}));
			expect(answer.meta, question).toMatchObject({
				as_of: day,
				corrections: 0,
				coverage: { PJM: day, MISO: null },
				lists: { "pjm-cycle": day },
			});
			compared += JSON.stringify(answer).length;
		}
	}
	expect(compared).toBeGreaterThan(31_250 * count);
}

type History = Reply<"getDeveloperHistory">["data"];

/** Whatever was loaded late or taken back, the answers of the days around so many lists, or of every day, add up to the lists. */
export async function expectSumsOfLists(seed: number, count: number, everyDay: boolean): Promise<void> {
	await using queue = await openQueue();
	const chance = random(seed);
	const lists = course(chance, count);
	const late = lists.filter((_, at) => at > 0 && at < lists.length - 1 && chance() < 0.4);
	for (const [at, list] of lists.entries()) {
		if (late.includes(list)) continue;
		if (at > 1 && chance() < 0.5) {
			const day = dayOf(4 * at - 1);
			expect(await queue.take("PJM", day, pjmList(list.rows.slice(0, 12)), accept)).toMatchObject({
				outcome: "applied",
			});
			expect(await queue.retract("PJM", `${day}T18:00:00Z`)).toMatchObject({ outcome: "applied", reason: null });
		}
		await take(queue, list);
	}
	for (const { day, rows } of late)
		expect(
			await ingestLate(queue.sql, {
				region: "PJM",
				files: [{ ...pjmList(rows), path: "pjm.csv" }],
				asOf: `${day}T06:00:00Z`,
				accept: true,
			}),
		).toMatchObject({ outcome: "backfilled" });
	queue.now = "2027-01-01T00:00:00Z";
	const log = (await queue.ask("listChanges", { after: 0, per_page: 500, include_evidence: true })).data;
	expect(log.length).toBeLessThan(500);
	const histories = new Map<number, History>();
	for (const day of everyDay ? allDays(count) : daysAround(lists)) {
		await expectDevelopers(queue, lists, day, histories);
		await expectChanges(queue, log, day);
	}
}

/** The portfolios are those of the newest list of the day or before, name by name. */
async function expectDevelopers(
	queue: Queue,
	lists: readonly List[],
	as_of: string,
	histories: Map<number, History>,
): Promise<void> {
	const rows = lists.filter(({ day }) => day <= as_of).at(-1)?.rows ?? [];
	const { data } = await queue.ask("listDevelopers", { as_of, per_page: 200, min_projects: 1 });
	const sum = (some: { mw: number }[]) => some.reduce((all, { mw }) => all + mw, 0);
	const expected = developers.flatMap((developer) => {
		const own = rows.filter((row) => row.developer === developer);
		const active = own.filter(({ status }) => status === "Active");
		return own.length === 0 ? [] : [[own.length, sum(own), sum(active), own.length - active.length]];
	});
	const shown = data.map((row) => [
		row.total_projects,
		row.total_capacity_mw,
		row.active_capacity_mw,
		row.withdrawn_projects,
	]);
	const order = (a: number[] = [], b: number[] = []) => (a[1] ?? 0) - (b[1] ?? 0);
	expect(shown.sort(order), as_of).toEqual(expected.sort(order));
	for (const { developer_id } of data) {
		if (histories.has(developer_id)) continue;
		const params = { developer_id: String(developer_id), order: "desc", per_page: 500 } as const;
		const { data: days } = await queue.ask("getDeveloperHistory", params);
		histories.set(developer_id, days);
		const counted = days.map(({ day: _, ...counts }) => JSON.stringify(counts));
		expect(counted.filter((counts, at) => counts === counted[at + 1])).toEqual([]);
	}
	for (const row of data) {
		const found = histories.get(row.developer_id)?.find(({ day }) => day <= as_of);
		expect(row).toMatchObject({
			total_projects: found?.total_projects,
			total_capacity_mw: found?.total_capacity_mw,
			active_capacity_mw: found?.active_capacity_mw,
			operating_capacity_mw: found?.operating_capacity_mw,
			withdrawn_projects: found?.withdrawn_projects,
		});
	}
}

type Log = Reply<"listChanges">["data"];

/** The feed of a past day is a part of the log, filtered by the requests that the list of that day chooses. */
async function expectChanges(queue: Queue, log: Log, as_of: string): Promise<void> {
	const known = log.filter((change) => change.detected_at.slice(0, 10) <= as_of);
	for (const filter of [{}, { status: "Withdrawn" }, { state: "VA", capacity_min: 150 }]) {
		const whole = await queue.ask("listProjects", { ...filter, as_of, include_unlisted: true, per_page: 500 });
		const chosen = new Set(whole.data.map(({ id }) => id));
		const expected =
			Object.keys(filter).length === 0 ? known : known.filter(({ project_id }) => chosen.has(project_id ?? ""));
		const page = { per_page: 500, include_evidence: true, ...filter, as_of };
		const read = await queue.ask("listChanges", { after: 0, ...page });
		expect(read.data.map(({ seq }) => seq)).toEqual(expected.map(({ seq }) => seq));
		const flat = await queue.changes({ since: "2026-01-01", ...page });
		expect(flat.total).toBe(
			expected.filter(({ change_type }) => change_type !== "first_listed" && change_type !== "raw_update").length,
		);
	}
}
