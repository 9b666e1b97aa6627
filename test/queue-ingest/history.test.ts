import { describe, expect, it } from "vitest";
import { events } from "#libs/contract/index.ts";
import { misoJson, standing } from "./support/miso.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const days = ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04", "2026-03-09", "2026-03-10"];

/** A request's life in six lists: filed, changed, respelled, away, listed as disappeared, back. */
async function live(queue: Queue): Promise<void> {
	const one = { number: "J100", poi: "Panther 230kV Substation" };
	const lists = [
		[one],
		[{ ...one, summer: 120, phase: "Phase 3" }],
		[{ ...one, summer: 120, phase: "Phase 3", poi: "PANTHER  230kV substation" }],
		[],
		[{ number: "J101" }],
		[{ ...one, summer: 120, phase: "GIA" }, { number: "J101" }],
	];
	for (const [at, rows] of lists.entries())
		await queue.take("MISO", days[at] ?? "", misoJson([...rows, ...standing()]));
}

describe("the history of a project", () => {
	const queue: Queue = sharedQueue(async () => {
		await live(queue);
	});

	it("contains every version, each valid until the next, the last one open-ended", async () => {
		const versions = await queue.sql`
			select version, iso(valid_from) as from, iso(valid_to) as to, capacity_mw::text as mw,
				study_phase_filed as phase, iso(missing_since) as missing, iso(last_changed_at) as changed
			from project_versions where project_id = 'MISO-J100' order by version`;
		const at = days.map((day) => `${day}T06:00:00Z`);
		expect([...versions]).toEqual([
			{ version: 1, from: at[0], to: at[1], mw: "150", phase: "Phase 2", missing: null, changed: at[0] },
			// Another spelling of the same, on the third day, is no version.
			{ version: 2, from: at[1], to: at[3], mw: "120", phase: "Phase 3", missing: null, changed: at[1] },
			{ version: 3, from: at[3], to: at[4], mw: "120", phase: "Phase 3", missing: at[3], changed: at[1] },
			{ version: 4, from: at[4], to: at[5], mw: "120", phase: "Phase 3", missing: at[3], changed: at[1] },
			{ version: 5, from: at[5], to: null, mw: "120", phase: "GIA", missing: null, changed: at[5] },
		]);
	});

	it.each([
		["before it was filed", "2026-02-28T00:00:00Z", []],
		["at the moment of its first list", "2026-03-01T06:00:00Z", ["150"]],
		["just before it changed", "2026-03-02T05:59:59Z", ["150"]],
		["after it changed", "2026-03-02T12:00:00Z", ["120"]],
		["today", "2027-01-01T00:00:00Z", ["120"]],
	])("can be read %s", async (_, moment, megawatts) => {
		const found = await queue.sql`
			select capacity_mw::text as mw from project_versions
			where project_id = 'MISO-J100' and valid_from <= ${moment} and (valid_to is null or valid_to > ${moment})`;
		expect(found.map((row) => row.mw)).toEqual(megawatts);
	});

	it("ends with the present state of the project", async () => {
		const open = await queue.sql`
			select p.id from projects p join project_history v on v.id = p.id and v.valid_to is null
			where v.version = p.version and state_body(v) = p.body`;
		expect(open.count).toBe(22);
		const [all] = await queue.sql`select (select count(*) from projects) as projects,
			(select count(*) from project_versions where valid_to is null) as open`;
		expect(all).toEqual({ projects: 22, open: 22 });
	});

	it("keeps one version of a project that no list changes", async () => {
		const rest = await queue.sql`select distinct version from projects where id <> 'MISO-J100'`;
		expect([...rest]).toEqual([{ version: 1 }]);
	});

	describe("is published", () => {
		it("once per version as an event with the state and the changed fields", async () => {
			const { changed } = await queue.announced();
			const ofOne = changed.filter((event) => event.project.id === "MISO-J100");
			expect(
				ofOne.map(({ id, version, as_of, project, changes }) => ({
					id,
					version,
					as_of,
					mw: project.capacity_mw,
					missing: project.missing_since,
					changes: changes.map((change) => [change.seq, change.change_type, change.old_value, change.new_value]),
				})),
			).toEqual([
				{
					id: "project.changed:MISO-J100:1",
					version: 1,
					as_of: "2026-03-01T06:00:00Z",
					mw: 150,
					missing: null,
					changes: [[1, "first_listed", null, "Active"]],
				},
				{
					id: "project.changed:MISO-J100:2",
					version: 2,
					as_of: "2026-03-02T06:00:00Z",
					mw: 120,
					missing: null,
					changes: [
						[22, "capacity_change", "150", "120"],
						[23, "study_phase_change", "Phase 2", "Phase 3"],
					],
				},
				{
					id: "project.changed:MISO-J100:3",
					version: 3,
					as_of: "2026-03-04T06:00:00Z",
					mw: 120,
					missing: "2026-03-04T06:00:00Z",
					changes: [],
				},
				{
					id: "project.changed:MISO-J100:4",
					version: 4,
					as_of: "2026-03-09T06:00:00Z",
					mw: 120,
					missing: "2026-03-04T06:00:00Z",
					changes: [[25, "disappeared", null, "2026-03-04T06:00:00Z"]],
				},
				{
					id: "project.changed:MISO-J100:5",
					version: 5,
					as_of: "2026-03-10T06:00:00Z",
					mw: 120,
					missing: null,
					changes: [
						[27, "study_phase_change", "Phase 3", "GIA"],
						[28, "correction", "2026-03-04T06:00:00Z", null],
					],
				},
			]);
			const [versions] = await queue.sql<{ n: number }[]>`select count(*) as n from project_versions`;
			expect(changed).toHaveLength(versions?.n ?? -1);
			expect(new Set(changed.map((event) => event.id)).size).toBe(changed.length);
		});

		it("and as one event for each accepted list, with its counts and the last seq of the change feed", async () => {
			const { applied } = await queue.announced();
			// Cells that no field is compared of have their numbers, too: the winter capacity, another spelling.
			expect(
				applied.map(({ region, feed, as_of, rows, new: added, changed, last_seq }) => [
					region,
					feed,
					as_of,
					rows,
					added,
					changed,
					last_seq,
				]),
			).toEqual([
				["MISO", "miso", "2026-03-01T06:00:00Z", 21, 21, 0, 21],
				["MISO", "miso", "2026-03-02T06:00:00Z", 21, 0, 1, 23],
				["MISO", "miso", "2026-03-03T06:00:00Z", 21, 0, 0, 24],
				["MISO", "miso", "2026-03-04T06:00:00Z", 20, 0, 0, 24],
				["MISO", "miso", "2026-03-09T06:00:00Z", 21, 1, 0, 26],
				["MISO", "miso", "2026-03-10T06:00:00Z", 22, 0, 1, 29],
			]);
		});

		it("on its publisher's subjects", async () => {
			const subjects = await queue.sql`select distinct subject from outbox order by 1`;
			expect(subjects.map((row) => row.subject)).toEqual(
				["changeRecorded", "developerChanged", "projectChanged", "snapshotApplied"]
					.map((name) => `event.queue-ingest.${events[name as keyof typeof events].name}`)
					.sort(),
			);
		});
	});
});
