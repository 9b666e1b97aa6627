/** Requests in the own queues of utilities: with all requests, never among those of the seven operators. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProjectRegion } from "#libs/contract/vocabulary.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { rebuildAll } from "../../services/queue-ingest/queues/jobs/late-lists.ts";
import { snapshotFiles } from "../../services/queue-ingest/queues/jobs/load-folder.ts";
import { loadLbnl } from "../../services/queue-ingest/queues/jobs/load-lbnl.ts";
import { realData } from "../../tools/bench/real-data.ts";
import { csv } from "../support/file-formats.ts";
import { type QueueFeed, type QueueRow, queueFile, queueRows } from "../support/queue-files.ts";
import { describeRealFiles } from "../support/real-files.ts";
import { openQueue } from "./support/queue.ts";

type Queue = Awaited<ReturnType<typeof openQueue>>;

let queue: Queue;
const take = async (region: ProjectRegion, feed: QueueFeed) =>
	ingestSnapshot(queue.sql, {
		region,
		files: [await queueFile(feed, queueRows(feed, { count: 10 }))],
		asOf: "2026-07-20T00:00:00Z",
	});

describe("requests of a utility's queue", () => {
	beforeAll(async () => {
		queue = await openQueue();
		expect(await take("TVA", "tva-active")).toMatchObject({ outcome: "applied", rows: 10 });
		expect(await take("MISO", "miso")).toMatchObject({ outcome: "applied", rows: 10 });
	});
	afterAll(() => queue?.[Symbol.asyncDispose]());

	it("are listed only with population=all", async () => {
		expect((await queue.ask("listProjects", {})).meta.total).toBe(10);
		expect((await queue.ask("listProjects", { region: ["TVA"] })).meta.total).toBe(0);
		expect((await queue.ask("listProjects", { population: "all" })).meta.total).toBe(20);
		const { data, meta } = await queue.ask("listProjects", { population: "all", region: ["TVA"], sort: "id" });
		expect(meta.total).toBe(10);
		expect(data[0]).toMatchObject({
			...{ id: "TVA-1", queue_id: "1", region: "TVA", kind: "utility", feed: "tva-active", name: null },
			...{ status: null, status_std: "Active", status_basis: null, developer: null, developer_id: null },
		});
	});

	it("are counted only with population=all, and in no figure of the operators", async () => {
		expect((await queue.ask("getStats", {})).data).toMatchObject({ total_projects: 10, by_iso: [{ iso: "MISO" }] });
		const { data } = await queue.ask("getStats", { population: "all" });
		expect(data.total_projects).toBe(20);
		expect(data.by_iso.map(({ iso, count }) => [iso, count])).toEqual([
			["MISO", 10],
			["TVA", 10],
		]);
		const { snapshot } = await queue.ask("getQueueIntegrity", {});
		expect(Object.keys(snapshot.regions)).toEqual(["MISO"]);
		expect(snapshot.stale_sources).not.toContain("tva-active");
	});

	it("count at their points of interconnection", async () => {
		await queue.sql`update projects set poi = 'Heron 161 kV', poi_id = 'TVA-heron-161kv' where id in ('TVA-6', 'TVA-7')`;
		const { data } = await queue.ask("listPois", { region: ["TVA"] });
		expect(data[0]).toMatchObject({ poi_id: "TVA-heron-161kv", requests: 2, active_requests: 2 });
		expect(data[0]?.active_mw).toBe(data[0]?.capacity_mw);
		const { waiting } = await queue.ask("getPoi", { poi_id: "TVA-heron-161kv" });
		expect(waiting.map(({ id }) => id).sort()).toEqual(["TVA-6", "TVA-7"]);
	});

	it("are found by id and by number", async () => {
		expect(await queue.ask("getProject", { project_id: "TVA-7" })).toMatchObject({ id: "TVA-7" });
		expect(await queue.ask("resolveProject", { project_id: "tva-7.0" }).catch((error) => error.status)).toBe(404);
		expect(await queue.ask("getProject", { project_id: "7" })).toMatchObject({ id: "TVA-7", kind: "utility" });
	});
});

describe("requests of loads", () => {
	const rows = queueRows("bpa-line-load", { count: 20 });
	const list = (change: (row: QueueRow) => Partial<QueueRow>) =>
		queueFile(
			"bpa-line-load",
			rows.map((row) => ({ ...row, ...change(row) })),
			{ layout: "xlsx" },
		);
	const load = async (day: string, change: (row: QueueRow) => Partial<QueueRow>) =>
		ingestSnapshot(queue.sql, {
			region: "BPA",
			files: [await list(change)],
			asOf: `${day}T00:00:00Z`,
			now: () => new Date(`${day}T12:00:00Z`),
		});
	beforeAll(async () => {
		queue = await openQueue();
		const still = () => ({ status: "active", queueDate: "2026-01-05" }) as const;
		// The third list is too long after the second to say when anything began.
		expect(await load("2026-02-01", still)).toMatchObject({ outcome: "applied", rows: 20 });
		await load("2026-03-01", (row) => (row.number === "L0001" ? { ...still(), status: "suspended" } : still()));
		await load("2026-04-10", still);
		await load("2026-10-10", (row) => (row.number === "L0002" ? { ...still(), status: "suspended" } : still()));
		await take("MISO", "miso");
		queue.now = "2026-10-15T00:00:00Z";
	});
	afterAll(() => queue?.[Symbol.asyncDispose]());

	it("are listed by kind, without population, and do not count as generation", async () => {
		const { data, meta } = await queue.ask("listProjects", { kind: ["load"], sort: "id" });
		expect(meta.total).toBe(20);
		expect(data[0]).toMatchObject({ id: "BPA-L0001", region: "BPA", kind: "load", type_std: "Load" });
		expect((await queue.ask("listProjects", { kind: ["load", "generation"] })).meta.total).toBe(30);
		expect((await queue.ask("listProjects", {})).meta.total).toBe(10);
		expect((await queue.ask("listProjects", { kind: ["load"], active: true })).meta.total).toBe(0);
		const { data: stats } = await queue.ask("getStats", {});
		expect(stats).toMatchObject({ total_projects: 10, by_iso: [{ iso: "MISO" }] });
		const { load_requests } = await queue.ask("describeCoverage", {});
		expect(load_requests.at(-1)).toEqual({ region: "BPA", requests: 20 });
	});

	it("show the duration of each study phase if the lists are frequent enough", async () => {
		const { stages } = await queue.ask("getProjectHistory", { project_id: "BPA-L0001" });
		expect(stages).toEqual([
			{ study_phase: "SIS", began: null, ended: "2026-03-01", days: null },
			{ study_phase: "Not Started", began: "2026-03-01", ended: "2026-04-10", days: 40 },
			{ study_phase: "SIS", began: "2026-04-10", ended: null, days: null },
		]);
		const other = await queue.ask("getProjectHistory", { project_id: "BPA-L0002" });
		expect(other.stages.at(-1)).toEqual({ study_phase: "Not Started", began: null, ended: null, days: null });
		const { data } = await queue.ask("groupProjects", { by: "region", kind: ["load"] });
		expect(data).toMatchObject([
			{
				...{ value: "BPA", requests: 20, median_days_waiting: 283 },
				stages: [
					{ study_phase: "Not Started", requests: 2, median_days: 40 },
					{ study_phase: "SIS", requests: 20, median_days: null },
				],
			},
		]);
		expect((await queue.ask("groupProjects", { by: "region" })).data[0]?.stages).toBeNull();
	});
});

describe("an edition of Berkeley Lab's list", () => {
	const headers = "q_id q_status entity region state county type_clean mw1 q_date wd_date".split(" ");
	const edition = (year: number, ...rows: (string | number)[][]) => {
		const path = `queued_up_thru${year}.csv`;
		return { name: path, path, bytes: csv([headers, ...rows]) };
	};
	const at = new Date("2026-11-01T00:00:00Z");
	const bpa = ["G0363", "active", "BPA", "West (non-ISO)", "OR", "Lake", "Wind", 100, "2015-05-01", ""];
	const gone = ["12", "active", "PSCO", "West (non-ISO)", "CO", "Park", "Solar", 50, "2019-05-01", ""];
	const other = ["12", "active", "T-S", "West (non-ISO)", "CO", "Park", "Solar", 50, "2019-05-01", ""];
	const tva = ["1", "withdrawn", "TVA", "Southeast", "TN", "Shelby", "Solar", 10, "2015-05-01", "2019-02-01"];
	const miso = ["J1", "operational", "MISO", "MISO", "IA", "Polk", "Wind", 10, "2015-05-01", ""];
	const first = edition(2020, bpa, gone, other, tva, miso);
	const withdrawn = ["12", "withdrawn", "PSCo", ...gone.slice(3, 9), "2022-03-04"];
	const second = edition(2023, withdrawn, ["12", "active", "TSGT", ...other.slice(3)], miso, tva);

	const rowsOf = async (queue: Queue) => {
		const { data } = await queue.ask("listProjects", { population: "all", include_unlisted: true, sort: "id" });
		return data.flatMap(({ id, feed, queue_id, utility, status_std, listed, kind, fips }) =>
			feed.startsWith("lbnl-") ? [{ id, feed, queue_id, utility, status_std, listed, kind, fips }] : [],
		);
	};
	const west = { feed: "lbnl-west", kind: "utility", listed: "listed" };
	const expected = [
		{ id: "WEST-BPA-G0363", queue_id: "G0363", utility: "BPA", status_std: "Active", ...west, listed: "missing" },
		{ id: "WEST-PSCo-12", queue_id: "12", utility: "PSCo", status_std: "Withdrawn", ...west },
		{ id: "WEST-TSGT-12", queue_id: "12", utility: "TSGT", status_std: "Active", ...west, fips: "08093" },
	];
	const states = async (queue: Queue) =>
		queue.sql`select project_id as id, to_char(valid_from, 'YYYY-MM-DD') as since, status_std, missing_since is not null as missing
			from project_versions where feed like 'lbnl-%' and valid_to is distinct from valid_from order by id, valid_from`;

	it("has the requests of utilities, with history by edition, overruled by a utility's own list", async () => {
		await using own = await openQueue();
		const send = (file: ReturnType<typeof edition>) => loadLbnl(own.sql, file, at);
		const figures = async () => [
			await own.ask("getStats", {}),
			await own.ask("listProjects", {}),
			await own.ask("groupProjects", { by: "technology" }),
			await own.ask("listDevelopers", {}),
			await own.ask("getQueueIntegrity", {}),
			await own.ask("getProject", { project_id: "J1001" }),
		];
		const list = async (region: ProjectRegion, feed: QueueFeed) =>
			ingestSnapshot(own.sql, {
				region,
				files: [await queueFile(feed, queueRows(feed, { count: 10 }))],
				asOf: "2026-07-20T00:00:00Z",
			});
		await list("MISO", "miso");
		await list("TVA", "tva-active");
		const before = await figures();
		expect(await send(first)).toMatchObject({ outcome: "applied", rows: 5, new: 3 });
		expect(await send(second)).toMatchObject({ outcome: "applied", rows: 4, new: 0 });
		expect(await send(second)).toMatchObject({ outcome: "unchanged" });
		expect(await rowsOf(own)).toMatchObject(expected);
		expect(await figures()).toEqual(before);
		// TVA's own list states the request 1.
		expect(await own.ask("getProject", { project_id: "TVA-1" })).toMatchObject({
			feed: "tva-active",
			status_std: "Active",
		});
		for (const project_id of ["WEST-BPA-G0363", "west-bpa-g0363", "BPA-G0363"])
			expect(await own.ask("getProject", { project_id })).toMatchObject({ id: "WEST-BPA-G0363" });
		const ask = async (params: Parameters<typeof own.ask<"listProjects">>[1]) =>
			(await own.ask("listProjects", { population: "all", ...params })).data.map(({ id }) => id);
		expect(await ask({ utility: ["PSCo"] })).toEqual(["WEST-PSCo-12"]);
		expect(await ask({ region: ["WEST"], status: ["Withdrawn"] })).toEqual(["WEST-PSCo-12"]);
		expect(await ask({ as_of: "2021-06-01", region: ["WEST"], sort: "id" })).toEqual(expected.map(({ id }) => id));
		expect(await own.changeRows()).toContainEqual(["WEST-PSCo-12", "status_change", "status", "active", "withdrawn"]);
		const { data: values } = await own.ask("getProjectProvenance", { project_id: "WEST-PSCo-12", field: "utility" });
		expect(values).toMatchObject([{ rule: "lbnl.entity", raw: "PSCo", value: "PSCo" }]);
		const history = await states(own);
		await using late = await openQueue();
		expect(await loadLbnl(late.sql, second, at)).toMatchObject({ outcome: "applied" });
		expect(await loadLbnl(late.sql, first, at)).toMatchObject({ outcome: "backfilled" });
		expect(await rowsOf(late)).toMatchObject([
			...["TVA-1"].map((id) => ({ id, status_std: "Withdrawn" })),
			...expected,
		]);
		expect((await states(late)).filter(({ id }) => id !== "TVA-1")).toEqual(history.filter(({ id }) => id !== "TVA-1"));
		await rebuildAll(late.sql, "WEST", at);
		expect((await rowsOf(late)).filter(({ id }) => id !== "TVA-1")).toMatchObject(expected);
	});
});

describeRealFiles("non_iso", () => {
	it("are found in the folder of lists, each for its utility", async () => {
		const { files } = await snapshotFiles(realData);
		const found = files.filter(({ source }) => source.utility).map(({ source, path }) => [source.feed, path]);
		expect(found.sort()).toEqual([
			["duke-active", "non_iso/duke_active_projects.csv"],
			["soco-active", "non_iso/soco_active_projects.csv"],
			["tva-active", "non_iso/tva_active_projects.csv"],
		]);
	});
});

describeRealFiles("lbnl", (read) => {
	it("has every non-operator row of both editions under a stable id", {
		timeout: 120_000,
		tags: ["campaign"],
	}, async () => {
		await using loaded = await openQueue();
		const at = new Date("2026-11-20T00:00:00Z");
		const load = async (name: string) => loadLbnl(loaded.sql, { ...read(name), path: name }, at);
		expect(await load("lbnlisoqueues_2020.xlsx")).toMatchObject({ outcome: "applied", new: 1_576 });
		const old = await loaded.sql`select id from projects`;
		expect(await load("intq.derived.csv")).toMatchObject({ outcome: "applied", new: 1_742 });
		const found = await loaded.sql<{ region: string; entities: number; listed: number; kept: number }[]>`
			select region, count(distinct utility)::int as entities, (count(*) filter (where listed = 'listed'))::int as listed,
				(count(*) filter (where listed = 'listed' and id = any(${old.map(({ id }) => String(id))}::text[])))::int as kept
			from projects where kind = 'utility' group by region order by region`;
		expect(found).toEqual([
			{ region: "DUKE", entities: 1, listed: 22, kept: 1 },
			{ region: "SOCO", entities: 1, listed: 677, kept: 31 },
			{ region: "SOUTHEAST", entities: 10, listed: 183, kept: 63 },
			{ region: "TVA", entities: 1, listed: 0, kept: 0 },
			{ region: "WEST", entities: 24, listed: 1_120, kept: 165 },
		]);
		const { entities } = await loaded.ask("describeCoverage", {});
		expect(entities.filter(({ entity }) => ["BPA", "PacifiCorp"].includes(entity))).toEqual([
			{ region: "WEST", entity: "BPA", requests: 103, active_gw: 0, outcomes: 0, newest_day: "2020-12-31" },
			{
				region: "WEST",
				entity: "PacifiCorp",
				requests: 507,
				active_gw: 9.319,
				outcomes: 344,
				newest_day: "2024-01-09",
			},
		]);
	});
});
