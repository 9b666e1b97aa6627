/** Developers, changes, searches and coverage as of a day are what was answered on that day, and what its lists add up to. */
import { describe, expect, test } from "vitest";
import type { ParamsInput, Reply } from "#libs/contract/index.ts";
import { backfillList } from "../../services/queue-ingest/queues/jobs/backfill-list.ts";
import { random } from "../support/file-formats.ts";
import { course, dayOf, developers, type List, pjmList } from "./support/pjm-course.ts";
import { openQueue, type Queue } from "./support/queue.ts";

const accept = { accept: true };

async function take(queue: Queue, { day, rows }: List): Promise<void> {
	expect(await queue.take("PJM", day, pjmList(rows), accept)).toMatchObject({ outcome: "applied", reason: null });
	// Answers of a day rest on all of its lists: they are asked for at its end.
	queue.now = `${day}T23:59:59.999Z`;
}

/** What the present says; as of a day the same, but for ratings. */
const asked: { [N in Asked]: ParamsInput<N>[] } = {
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
const names = Object.keys(asked) as Asked[];

const answers = async (queue: Queue, moment: { as_of?: string; at_seq?: number }) =>
	Object.fromEntries(
		await Promise.all(
			names.flatMap((name) =>
				asked[name].map(async (params) => [
					`${name} ${JSON.stringify(params)}`,
					await queue.ask(name, { ...params, ...moment }),
				]),
			),
		),
	) as Record<string, Record<string, unknown>>;

/** Without what an answer of the past says of itself, what is of now, and cursors, which are bound to the day. */
function facts(answer: Record<string, unknown>): unknown {
	const ofNow = ["needs_capital", "needs_capital_count", "tax_credit_activity", "next_cursor"];
	const ofPast = ["as_of", "at_seq", "coverage", "lists", "corrections"];
	const { meta, ...rest } = JSON.parse(
		JSON.stringify(answer, (key, value) => ([...ofNow, ...ofPast].includes(key) ? undefined : value)),
	);
	return meta === undefined || Object.keys(meta).length === 0 ? rest : { ...rest, meta };
}

test.each([1, 2])("answers as of a day, or after its last change, are those of that day (course %i)", async (seed) => {
	await using queue = await openQueue();
	const said: [moment: { as_of: string } | { at_seq: number }, Record<string, Record<string, unknown>>][] = [];
	for (const list of course(random(seed))) {
		await take(queue, list);
		said.push([{ as_of: list.day }, await answers(queue, {})]);
		// Days are counted back from the end of a day, and of a change from the newest list until then.
		const { data } = await queue.changes({ since: "2026-01-01", per_page: 1 });
		queue.now = data[0]?.detected_at ?? queue.now;
		said.push([{ at_seq: await queue.lastSeq() }, await answers(queue, {})]);
	}
	queue.now = "2027-01-01T00:00:00Z";
	let compared = 0;
	let day = "";
	for (const [moment, then] of said) {
		if ("as_of" in moment) day = moment.as_of;
		for (const [question, answer] of Object.entries(await answers(queue, moment))) {
			expect(facts(answer), `${question} ${JSON.stringify(moment)}`).toEqual(facts(then[question] ?? {}));
			expect(answer.meta, question).toMatchObject({
				...moment,
				...("as_of" in moment && { corrections: 0 }),
				coverage: { PJM: day, MISO: null },
				lists: { "pjm-cycle": day },
			});
			compared += JSON.stringify(answer).length;
		}
	}
	expect(compared).toBeGreaterThan(500_000);
});

describe("whatever was loaded late or taken back", () => {
	test.each([3, 4])("the answers of a day add up to its lists (course %i)", async (seed) => {
		await using queue = await openQueue();
		const chance = random(seed);
		const lists = course(chance);
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
				await backfillList(queue.sql, {
					region: "PJM",
					files: [{ ...pjmList(rows), path: "pjm.csv" }],
					asOf: `${day}T06:00:00Z`,
					accept: true,
				}),
			).toMatchObject({ outcome: "backfilled" });
		queue.now = "2027-01-01T00:00:00Z";
		const log = (await queue.ask("listChanges", { after: 0, per_page: 500, include_evidence: true })).data;
		expect(log.length).toBeLessThan(500);
		for (let at = 0; at < 36; at++) {
			const day = dayOf(at);
			await expectDevelopers(queue, lists, day);
			await expectChanges(queue, log, { as_of: day }, (change) => change.detected_at.slice(0, 10) <= day);
		}
		for (let at_seq = 5; at_seq < log.length; at_seq += 37)
			await expectChanges(queue, log, { at_seq }, ({ seq }) => seq <= at_seq);
	});
});

/** The portfolios are those of the newest list of the day or before, name by name. */
async function expectDevelopers(queue: Queue, lists: readonly List[], as_of: string): Promise<void> {
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
	const history = await Promise.all(
		data.map(({ developer_id }) =>
			queue.ask("getDeveloperHistory", { developer_id: String(developer_id), order: "desc", per_page: 500 }),
		),
	);
	for (const { data: days } of history) {
		const counted = days.map(({ day: _, ...counts }) => JSON.stringify(counts));
		expect(counted.filter((counts, at) => counts === counted[at + 1])).toEqual([]);
	}
	for (const [at, row] of data.entries()) {
		const found = history[at]?.data.find(({ day }) => day <= as_of);
		expect(row).toMatchObject({
			total_projects: found?.total_projects,
			total_capacity_mw: found?.total_capacity_mw,
			active_capacity_mw: found?.active_capacity_mw,
			operating_capacity_mw: found?.operating_capacity_mw,
			withdrawn_projects: found?.withdrawn_projects,
		});
	}
}

test("files of the past have the rows of the lists of the past", async () => {
	await using queue = await openQueue();
	for (const list of course(random(6))) await take(queue, list);
	const newest = await queue.lastSeq();
	const ids = (csv: string) => csv.trim().split("\n").slice(1);
	for (const moment of [{ as_of: "2026-01-10" }, { at_seq: Math.floor(newest / 2) }]) {
		const developers = await queue.ask("listDevelopers", { ...moment, state: "VA", min_projects: 1, per_page: 200 });
		const file = { ...moment, state: "VA", min_projects: "1", fields: "developer_id,total_capacity_mw,states_active" };
		expect(ids(await queue.file("exportDevelopers", file))).toEqual(
			developers.data
				.sort((a, b) => a.developer_id - b.developer_id)
				.map((row) => `${row.developer_id},${row.total_capacity_mw},${row.states_active.join("; ")}`),
		);
		const changes = await queue.ask("listChanges", { ...moment, after: 3, state: "VA", per_page: 500 });
		expect(changes.data.length).toBeGreaterThan(5);
		expect(ids(await queue.file("exportChanges", { ...moment, after: 3, state: "VA", fields: "seq" }))).toEqual(
			changes.data.map(({ seq, project_id }) => `${seq},${project_id}`),
		);
	}
	await expect(queue.file("exportChanges", { as_of: "2027-01-01" })).rejects.toThrow("is in the future");
	await expect(queue.file("exportDevelopers", { at_seq: newest + 1 })).rejects.toThrow("is not yet");
});

type Log = Reply<"listChanges">["data"];

/** The feed of then is a part of the log, filtered by the requests that the list of then chooses. */
async function expectChanges(
	queue: Queue,
	log: Log,
	moment: { as_of?: string; at_seq?: number },
	wasKnown: (change: Log[number]) => boolean,
): Promise<void> {
	const known = log.filter(wasKnown);
	for (const filter of [{}, { status: "Withdrawn" }, { state: "VA", capacity_min: 150 }]) {
		const whole = await queue.ask("listProjects", { ...filter, ...moment, include_unlisted: true, per_page: 500 });
		const chosen = new Set(whole.data.map(({ id }) => id));
		const expected =
			Object.keys(filter).length === 0 ? known : known.filter(({ project_id }) => chosen.has(project_id ?? ""));
		const page = { per_page: 500, include_evidence: true, ...filter, ...moment };
		const read = await queue.ask("listChanges", { after: 0, ...page });
		expect(read.data.map(({ seq }) => seq)).toEqual(expected.map(({ seq }) => seq));
		const flat = await queue.changes({ since: "2026-01-01", ...page });
		expect(flat.total).toBe(
			expected.filter(({ change_type }) => change_type !== "first_listed" && change_type !== "raw_update").length,
		);
	}
}

test("days before the first list say so; the future, a seq that is not yet and ratings of the past are refused", async () => {
	await using queue = await openQueue();
	const [first] = course(random(5), 1);
	if (first === undefined) throw new Error("a course without a list");
	await take(queue, { ...first, day: "2026-03-01" });
	const seq = await queue.lastSeq();
	const before = { as_of: "2026-02-28" };
	const isEmpty = { coverage: { PJM: null } };
	expect(await queue.ask("listDevelopers", { ...before, min_projects: 1 })).toMatchObject({ data: [], meta: isEmpty });
	expect(await queue.changes(before)).toMatchObject({ total: 0, data: [], meta: isEmpty });
	expect(await queue.ask("summariseChanges", before)).toMatchObject({ by_day: [], meta: isEmpty });
	expect(await queue.ask("search", { ...before, q: "AG2" })).toMatchObject({ results: [], meta: isEmpty });
	expect(await queue.ask("validate", before)).toMatchObject({ total_projects: 0, meta: isEmpty });
	expect((await queue.ask("getDeveloper", { ...before, developer_id: "Invenergy" })).data.total_projects).toBe(0);
	await expect(queue.ask("getDeveloper", { ...before, developer_id: "Heron Marsh Renewables Inc" })).rejects.toThrow(
		"no request of Heron Marsh Renewables Inc was listed then: the first list that shows one is of 2026-03-01",
	);
	const one = { developer_id: "Invenergy" };
	for (const ask of [
		(moment: object) => queue.ask("listDevelopers", moment),
		(moment: object) => queue.ask("getDeveloper", { ...one, ...moment }),
		(moment: object) => queue.ask("getDeveloperStats", moment),
		(moment: object) => queue.ask("searchDevelopers", { q: "heron", ...moment }),
		(moment: object) => queue.ask("listProjectChanges", { project_id: "AG2-105", ...moment }),
		(moment: object) => queue.ask("listChanges", moment),
		(moment: object) => queue.ask("listChanges", { after: 0, ...moment }),
		(moment: object) => queue.ask("search", { q: "solar", ...moment }),
		(moment: object) => queue.ask("validate", moment),
		(moment: object) => queue.ask("summariseChanges", moment),
		(moment: object) => queue.ask("getOwnership", { project_id: "AG2-105", ...moment }),
		(moment: object) => queue.ask("getProjectProvenance", { project_id: "AG2-105", ...moment }),
		(moment: object) => queue.ask("verifyValue", { project_id: "AG2-105", field: "capacity_mw", ...moment }),
	]) {
		await expect(ask({ as_of: "2026-03-02" })).rejects.toMatchObject({
			status: 422,
			errors: [{ loc: ["query", "as_of"], msg: "is in the future: today is 2026-03-01 (UTC)" }],
		});
		await expect(ask({ at_seq: seq + 1 })).rejects.toMatchObject({
			status: 422,
			errors: [{ loc: ["query", "at_seq"], msg: `is not yet: the newest change is ${seq}` }],
		});
		await expect(ask({ as_of: "2026-03-01", at_seq: 1 })).rejects.toThrow("does not go with as_of");
	}
	await expect(queue.ask("listDevelopers", { as_of: "2026-03-01", needs_capital: true })).rejects.toThrow(
		"does not go with as_of: ratings are of now",
	);
});
