/** A list read from end to end with a cursor, while lists come, and the change log after it: together they are the present. */
import { describe, expect, onTestFinished, test } from "vitest";
import type { ParamsInput, Reply } from "#libs/contract/index.ts";
import { ingestLate } from "../../services/queue-ingest/queues/jobs/late-lists.ts";
import { expectRebuilt } from "../support/rebuilt.ts";
import { type MisoRow, misoJson, standing } from "./support/miso.ts";
import { openQueue, type Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

/** Requests that come, change, withdraw and vanish from day to day. */
const rows = (day: number): MisoRow[] => [
	...standing(60),
	...Array.from({ length: 30 }, (_, at) => ({
		number: `J${at + 100}`,
		summer: 50 + ((at * day) % 7),
		...((at + day) % 9 === 0 && { status: "Withdrawn" }),
		...(at % 4 === 0 && { county: `County ${day}` }),
	})),
	...Array.from({ length: day }, (_, at) => ({ number: `J7${at}` })),
	...(day < 4 ? [{ number: "J999" }] : []),
];
const take = async (queue: Queue, day: number) =>
	expect(await queue.take("MISO", `2026-03-0${day}T12:00:00Z`, misoJson(rows(day)))).toMatchObject({
		outcome: "applied",
	});

type Project = Reply<"listProjects">["data"][number];

const readAll = async (queue: Queue, params: ParamsInput<"listProjects">) =>
	(await queue.ask("listProjects", { include_unlisted: true, ...params, per_page: 500 })).data;

test.each([{}, { sort: "capacity_mw", order: "desc" }] as const)(
	"of %o, though three lists come meanwhile",
	async (params) => {
		await using queue = await openQueue();
		await take(queue, 1);
		const copy = new Map<string, Project>();
		let seq: number | undefined;
		let cursor: string | null | undefined = "*";
		for (let page = 1; cursor; page++) {
			const { data, meta }: Reply<"listProjects"> = await queue.ask("listProjects", {
				...params,
				include_unlisted: true,
				per_page: 20,
				cursor,
			});
			for (const row of data) copy.set(row.id, row);
			// The first page alone says it.
			expect(meta.seq === undefined).toBe(page > 1);
			seq ??= meta.seq;
			cursor = meta.next_cursor;
			if (page <= 3) await take(queue, 1 + page);
		}
		expect(cursor).toBeNull();
		let next = seq ?? -1;
		for (let page = 1; ; page++) {
			const log: Reply<"listChanges"> = await queue.ask("listChanges", { after: next, per_page: 7 });
			if (!("next" in log)) throw new Error("not a page of the log");
			for (const { seq, project_id } of log.data) {
				expect(seq).toBeGreaterThan(next);
				next = seq;
				if (project_id === null) continue;
				const { aliases, developer_match, relations, raw, ...row } = await queue.ask("getProject", { project_id });
				copy.set(row.id, row);
			}
			// At its end it stands behind cells that no field is compared of.
			expect(log.next).toBeGreaterThanOrEqual(next);
			next = log.next;
			if (log.data.length === 0) {
				expect(page).toBeGreaterThan(3);
				break;
			}
		}
		const present = await readAll(queue, {});
		expect(present.length).toBeGreaterThan(90);
		// An absence is a change when the next list confirms it.
		const stated = ({ missing_since, listed, version, ...row }: Project) => row;
		expect([...copy.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).map(stated)).toEqual(present.map(stated));
	},
);

describe("of three lists", () => {
	const queue: Queue = sharedQueue(async () => {
		for (const day of [1, 2, 3]) await take(queue, day);
	});

	test("the log begins at 0 with the first change, and ends with an empty page that repeats its next", async () => {
		const all = await queue.sql<
			{ seq: number }[]
		>`select seq from changes where change_type not in ('first_listed', 'raw_update') order by seq`;
		const log = await queue.ask("listChanges", { after: 0, per_page: 500 });
		expect(log.data.map(({ seq }) => ({ seq }))).toEqual([...all]);
		expect(all.length).toBeGreaterThan(40);
		// Behind the cells that no field is compared of, which follow the last change.
		const last = await queue.lastSeq();
		const none = { first_listed: 0, raw_update: 0, evidence_update: 0 };
		expect(log).toMatchObject({ next: last });
		expect(await queue.ask("listChanges", { after: last })).toEqual({ data: [], next: last, skipped: none });
		// A seq of another database invents nothing.
		expect(await queue.ask("listChanges", { after: last + 1_000 })).toEqual({
			data: [],
			next: last + 1_000,
			skipped: none,
		});
	});

	test("the log of filters has what passes them, and the log of one request is the same of that request", async () => {
		const { data: all } = await queue.ask("listChanges", { after: 0, per_page: 500 });
		const of = async (params: ParamsInput<"listChanges">) =>
			(await queue.ask("listChanges", { after: 0, per_page: 500, ...params })).data;
		const capacity = all.filter(({ change_type }) => change_type === "capacity_change");
		expect(capacity.length).toBeGreaterThan(10);
		expect(await of({ change_type: "capacity_change" })).toEqual(capacity);
		expect(await of({ region: "PJM" })).toEqual([]);
		expect(await of({ since: "2026-03-02", until: "2026-03-02" })).toEqual(
			all.filter(({ detected_at }) => detected_at.startsWith("2026-03-02")),
		);
		const ofOne = all.filter(({ project_id }) => project_id === "MISO-J100");
		expect(ofOne.length).toBeGreaterThan(1);
		expect(await of({ project_id: "MISO-J100" })).toEqual(ofOne);
		expect(await queue.ask("listProjectChanges", { project_id: "J100" })).toMatchObject({
			data: ofOne,
			next: await queue.lastSeq(),
		});
		const [first] = ofOne;
		expect(await queue.ask("listProjectChanges", { project_id: "miso-j100", after: first?.seq ?? 0 })).toMatchObject({
			data: ofOne.slice(1),
			next: await queue.lastSeq(),
		});
		await expect(queue.ask("listProjectChanges", { project_id: "J555555" })).rejects.toMatchObject({ status: 404 });
	});

	test("days select changes older than 90 days, and all changes of one request are shown", async () => {
		queue.now = "2027-03-01T00:00:00Z";
		const all = (await queue.ask("listChanges", { after: 0, per_page: 500 })).data.toReversed();
		expect((await queue.ask("listChanges", {})).data).toEqual([]);
		expect((await queue.ask("listChanges", { since: "2026-03-01", per_page: 500 })).data).toEqual(all);
		expect((await queue.ask("listChanges", { until: "2026-03-02", per_page: 500 })).data).toEqual(
			all.filter(({ detected_at }) => detected_at < "2026-03-03"),
		);
		expect((await queue.ask("listChanges", { project_id: "MISO-J100" })).data).toEqual(
			all.filter(({ project_id }) => project_id === "MISO-J100"),
		);
	});

	test.each([
		{},
		{ include: "raw" },
		{ include: "row" },
		{ include_evidence: true },
		{ change_type: "raw_update" },
	] as const)("pages of %o count omitted changes, so that every gap in the numbers is explained", async (params) => {
		await queue.sql`update changes set change_type = 'evidence_update' where field_name = 'capacity_mw' and seq % 3 = 0`;
		onTestFinished(async () => {
			await queue.sql`update changes set change_type = 'capacity_change' where change_type = 'evidence_update'`;
		});
		const totals = await queue.sql<{ type: string; n: number }[]>`
				select change_type as type, count(*)::int as n from changes group by 1`;
		const counted = new Map<string, number>();
		const count = (type: string, more: number) => counted.set(type, (counted.get(type) ?? 0) + more);
		for (let after = 0; ; ) {
			const page = await queue.ask("listChanges", { ...params, after, per_page: 9 });
			if (!("next" in page)) throw new Error("not a page of the log");
			for (const { change_type } of page.data) count(change_type, 1);
			for (const [type, skipped] of Object.entries(page.skipped)) count(type, skipped);
			if (params.change_type === undefined) {
				const skipped = Object.values(page.skipped).reduce((sum, each) => sum + each, 0);
				expect(page.data.length + skipped).toBe(page.next - after);
			}
			if (page.next === after) break;
			after = page.next;
		}
		const shown = ({ type }: { type: string }) => params.change_type === undefined || /first|raw|evidence/.test(type);
		expect(Object.fromEntries(counted)).toMatchObject(
			Object.fromEntries(totals.filter(shown).map(({ type, n }) => [type, n])),
		);
	});

	test.each([false, true])(
		"replaying the log with rows yields the list, also with a retracted and a late list: %s",
		async (isMended) => {
			if (isMended) {
				await take(queue, 4);
				expect(await queue.retract("MISO", "2026-03-05")).toMatchObject({ outcome: "applied", rows: rows(3).length });
				const late = misoJson([...rows(2), { number: "J990" }]);
				const files = [{ ...late, path: late.name }];
				expect(await ingestLate(queue.sql, { region: "MISO", files, asOf: "2026-03-02T18:00:00Z" })).toMatchObject({
					outcome: "backfilled",
					new: 1,
					reason: null,
				});
			}
			const received: Record<string, unknown>[] = [];
			const types = new Set<string>();
			for (let next = 0, last = -1; next !== last; ) {
				last = next;
				const log = await queue.ask("listChanges", { after: next, include: "row", per_page: 37 });
				if (!("next" in log)) throw new Error("not a page of the log");
				for (const { seq, project, change_type, project_id } of log.data) {
					expect(seq).toBeGreaterThan(next);
					next = seq;
					types.add(change_type);
					received.push({ project });
					// A state of the list that is taken back is no more; what a late list differs in has no row.
					if (!isMended || project !== null) expect(project?.id ?? null).toBe(project_id);
				}
				next = log.next;
			}
			expect([...types].sort()).toEqual(expect.arrayContaining(["first_listed", "new_project", "status_change"]));
			// An absence is a change when the next list confirms it.
			expectRebuilt(received, await readAll(queue, { population: "all" }), ["missing_since", "listed"]);
			await expect(queue.ask("listChanges", { since_days: 3, include: "row" })).rejects.toThrow();
		},
	);

	test("a cursor does not expire, and continues even if its last row has left the list", async () => {
		const before = await readAll(queue, { include_unlisted: false });
		const { meta } = await queue.ask("listProjects", { cursor: "*", per_page: 20 });
		// The filters do not choose this request any more.
		await queue.sql`update projects set kind = 'load' where id = ${before[19]?.id ?? ""}`;
		const { data } = await queue.ask("listProjects", { cursor: meta.next_cursor ?? "", per_page: 20 });
		expect(data).toEqual(before.slice(20, 40));
		// The length of a page may change, since a position is no number.
		const longer = await queue.ask("listProjects", { cursor: meta.next_cursor ?? "", per_page: 30 });
		expect(longer.data).toEqual(before.slice(20, 50));
	});
});
