/** The developer of a request is the one known now, on every day. */
import { expect, test } from "vitest";
import { syncRegister } from "../../services/queue-ingest/developers/jobs/register.ts";
import { ingestLate } from "../../services/queue-ingest/queues/jobs/late-lists.ts";
import { queueFile, queueRows } from "../support/queue-files.ts";
import { expectSameDays } from "./support/learnt-names.ts";
import { takePlannedUnit } from "./support/planned-unit.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const [first, ...rest] = queueRows("caiso", { count: 20 });
if (first === undefined) throw new Error("no rows");
const id = `CAISO-${first.number}`;
const request = { ...first, name: "LARKSPUR MESA", fuel: "Solar", status: "active", queued: "2022-05-01" } as const;

interface Filed {
	mw: number;
	name?: string;
	county?: string;
}

const listOf = ({ mw, name = request.name, county = "Kern" }: Filed, day: string) =>
	queueFile("caiso", [{ ...request, mw, name, state: "CA", county }, ...rest], { publishedOn: day });

async function take(queue: Queue, day: string, filed: Filed) {
	expect(await queue.take("CAISO", day, await listOf(filed, day))).toMatchObject({ outcome: "applied", reason: null });
}

async function takeLate(queue: Queue, day: string, filed: Filed) {
	const file = { ...(await listOf(filed, day)), path: `${day}.xlsx` };
	const result = await ingestLate(queue.sql, {
		region: "CAISO",
		files: [file],
		asOf: `${day}T06:00:00Z`,
		accept: true,
	});
	expect(result).toMatchObject({ outcome: "backfilled", reason: null });
}

const behind = async (queue: Queue, moment: { as_of?: string }) => {
	const { developer_canonical, capacity_mw } = await queue.ask("getProject", { project_id: id, ...moment });
	return [developer_canonical, capacity_mw];
};

const portfolio = async (queue: Queue, developer_id: string, moment: { as_of?: string }) => {
	const { data } = await queue.ask("getDeveloper", { developer_id, ...moment });
	const { data: all } = await queue.ask("listDevelopers", { per_page: 200, ...moment });
	const { data: projects } = await queue.ask("listProjects", { developer_id: String(data.developer_id), ...moment });
	const listed = all.find((each) => each.developer_id === data.developer_id);
	expect([listed?.total_projects, projects.length]).toEqual([data.total_projects, data.total_projects]);
	return [data.total_projects, data.total_capacity_mw];
};

const compared = async (queue: Queue, from: string, to: string) => {
	const { added, removed, changed, data } = await queue.ask("compareDays", { from, to, population: "all" });
	return { counts: [added.projects, removed.projects, changed.projects], data };
};

const corrections = async (queue: Queue, as_of: string) =>
	(await queue.ask("listProjects", { as_of, per_page: 1 })).meta.corrections;

const queue: Queue = sharedQueue(async () => {
	await syncRegister(queue.sql);
});

test("developers of earlier days change when the EIA's files arrive months after two lists", async () => {
	await take(queue, "2026-03-01", { mw: 100 });
	await take(queue, "2026-03-15", { mw: 101 });
	const seq = await queue.lastSeq();
	queue.now = "2026-11-05T12:00:00Z";
	expect(await takePlannedUnit(queue.sql, "Invenergy Services LLC", 3)).toBe(true);
	for (const [from, to] of [
		["2026-03-02", "2026-03-14"],
		["2026-03-15", "2026-11-05"],
		["2026-10-31", "2026-11-05"],
	] as const)
		expect(await compared(queue, from, to)).toEqual({ counts: [0, 0, 0], data: [] });
	expect(await compared(queue, "2026-03-14", "2026-03-15")).toMatchObject({ counts: [0, 0, 1] });
	expect(await behind(queue, { as_of: "2026-03-01" })).toEqual(["Invenergy", 100]);
	expect(await behind(queue, { as_of: "2026-03-20" })).toEqual(["Invenergy", 101]);
	expect(await portfolio(queue, "Invenergy", { as_of: "2026-03-01" })).toEqual([1, 100]);
	expect(await portfolio(queue, "Invenergy", { as_of: "2026-02-28" })).toEqual([0, 0]);
	// The link writes no change of a list and corrects no list.
	expect([await queue.lastSeq(), await corrections(queue, "2026-11-05")]).toEqual([seq, 0]);
	const { data } = await queue.ask("getDeveloperHistory", { developer_id: "Invenergy" });
	expect(data).toMatchObject([
		{ day: "2026-03-01", total_projects: 1, total_capacity_mw: 100 },
		{ day: "2026-03-15", total_projects: 1, total_capacity_mw: 101 },
	]);
	const history = await queue.ask("getProjectHistory", { project_id: id });
	expect(history.data.map(({ valid_from, reason }) => [valid_from, reason])).toEqual([
		["2026-03-01T06:00:00Z", "list"],
		["2026-03-15T06:00:00Z", "list"],
	]);
	expect(history.data[1]?.differences.map(({ field }) => field)).toEqual([
		"capacity_mw",
		"incremental_mw",
		"components",
	]);
	// Later lists show it, too.
	await take(queue, "2026-11-06", { mw: 102 });
	expect(await behind(queue, { as_of: "2026-11-06" })).toEqual(["Invenergy", 102]);
});

test("developers of a late list's days change too; a company found later replaces all of them", async () => {
	await takeLate(queue, "2026-03-08", { mw: 90 });
	await takeLate(queue, "2026-02-20", { mw: 80 });
	await takeLate(queue, "2026-02-10", { mw: 80, name: "ANOTHER PLACE", county: "Kings" });
	const days = [
		["2026-02-12", 80],
		["2026-02-25", 80],
		["2026-03-02", 100],
		["2026-03-09", 90],
		["2026-03-20", 101],
	] as const;
	for (const [as_of, mw] of days) expect(await behind(queue, { as_of })).toEqual(["Invenergy", mw]);
	const late = (await corrections(queue, "2026-03-20")) ?? 0;
	expect(await takePlannedUnit(queue.sql, "Cypress Creek Renewables", 4)).toBe(true);
	for (const [as_of, mw] of days) expect(await behind(queue, { as_of })).toEqual(["Cypress Creek Renewables", mw]);
	for (const [as_of, mw] of days.slice(3)) {
		expect(await portfolio(queue, "Cypress Creek Renewables", { as_of })).toEqual([1, mw]);
		expect(await portfolio(queue, "Invenergy", { as_of })).toEqual([0, 0]);
	}
	expect(await compared(queue, "2026-03-15", "2026-11-05")).toMatchObject({ counts: [0, 0, 0] });
	expect(await corrections(queue, "2026-03-20")).toBe(late);
});

test("after a retraction the previous list decides, and a company without a plant has no developer", async () => {
	const known = (await corrections(queue, "2026-11-06")) ?? 0;
	await take(queue, "2026-11-10", { mw: 150 });
	expect(await queue.retract("CAISO", "2026-11-12")).toMatchObject({ outcome: "applied", reason: null });
	for (const as_of of ["2026-11-11", "2026-11-12"])
		expect(await behind(queue, { as_of })).toEqual(["Cypress Creek Renewables", 102]);
	expect(await compared(queue, "2026-11-09", "2026-11-12")).toMatchObject({ counts: [0, 0, 0] });
	expect(await corrections(queue, "2026-11-12")).toBe(known + 1);
	await queue.sql`delete from grid_units`;
	await queue.sql`update linked_editions set editions = ''`;
	expect(await takePlannedUnit(queue.sql, "Larkspur Mesa Solar, LLC", 5)).toBe(true);
	expect(await behind(queue, { as_of: "2026-03-01" })).toEqual([null, 100]);
});

test("each day is the same, whenever the developer of a name becomes known", { tags: ["campaign"] }, () =>
	expectSameDays(9, 5, false),
);
