/** Requests in the own queues of utilities: with all requests, never among those of the seven operators. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProjectRegion } from "#libs/contract/vocabulary.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { snapshotFiles } from "../../services/queue-ingest/queues/jobs/load-folder.ts";
import { realData } from "../../tools/bench/real-data.ts";
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

	it("are listed with population=all alone", async () => {
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

	it("are counted with population=all alone, and enter no figure of the operators", async () => {
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

	it("are listed by kind, without population, and count as no generation", async () => {
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

	it("say how long each study phase took, where the lists are close enough to say so", async () => {
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

describeRealFiles("non_iso", () => {
	it("are found in the folder of lists, each as its own utility's", async () => {
		const { files } = await snapshotFiles(realData);
		const found = files.filter(({ source }) => source.utility).map(({ source, path }) => [source.feed, path]);
		expect(found.sort()).toEqual([
			["duke-active", "non_iso/duke_active_projects.csv"],
			["soco-active", "non_iso/soco_active_projects.csv"],
			["tva-active", "non_iso/tva_active_projects.csv"],
		]);
	});
});
