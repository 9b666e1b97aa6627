/** A grid operator that this service does not know is added to a copy of its code by one file and one line. */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openConstellation } from "../cluster/support/constellation.ts";
import { copyTree, type Tree } from "../support/copied-tree.ts";
import { createDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startNats, startRedis } from "../support/servers.ts";
import { file, line, list } from "./westx.ts";

const stack = new AsyncDisposableStack();
let tree: Tree;
let database: TestDatabase;
let url: string;

beforeAll(async () => {
	tree = stack.use(copyTree());
	tree.add("services/queue-ingest/queues/sources/westx.ts", file);
	tree.replace(
		"libs/contract/vocabulary.ts",
		"} satisfies Record<string, Terms>;",
		`${line}} satisfies Record<string, Terms>;`,
	);
	database = stack.use(await createDatabase());
	const [nats, redis] = await Promise.all([startNats(), startRedis()]);
	stack.use(nats);
	stack.use(redis);
	const env = { REDIS_URL: redis.url };
	const system = stack.use(openConstellation({ natsUrl: nats.url, urlOf: database.urlOf, env }));
	const start = (service: string) => system.start(service, { tree: tree.path });
	await take("first", 2);
	const replicas = await Promise.all(["queue-ingest", "scoring", "gateway"].map(start));
	url = replicas.at(-1)?.url ?? "";
});
afterAll(() => stack.disposeAsync());

/** As `npm run ingest` does. */
const ingest = (...args: string[]) =>
	promisify(execFile)(process.execPath, [join(tree.path, "services/queue-ingest/ingest.ts"), ...args], {
		env: { ...process.env, POSTGRES_URL: database.urlOf("queue-ingest") },
	});

/** Answers the outcome. */
async function take(day: "first" | "second", hoursAgo: number): Promise<unknown> {
	const folder = join(tree.path, "lists/westx", day);
	mkdirSync(folder, { recursive: true });
	const path = join(folder, "queue.csv");
	writeFileSync(path, list(day));
	const asOf = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
	const { stdout } = await ingest("--region", "West Exchange", "--as-of", asOf, path);
	return JSON.parse(stdout);
}

async function get<T = unknown>(path: string): Promise<T> {
	const response = await fetch(`${url}${path}`);
	if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
	return (await response.json()) as T;
}

test("its requests are listed, placed by what is known of it, and found by any spelling of a number", async () => {
	const { data, meta } = await get<{ data: unknown[]; meta: { total: number } }>(
		"/projects?region=west%20exchange&sort=id&order=asc",
	);
	expect(meta.total).toBe(40);
	expect(data[0]).toMatchObject({
		id: "WESTX-WX-0012",
		region: "WESTX",
		feed: "westx-queue",
		name: "Saguaro Solar",
		type_std: "Solar",
		status_std: "Active",
		study_phase: "IA Executed",
		construction_stage: "late",
		capacity_mw: 120,
		counties: ["Pima", "Pinal"],
		state: "AZ",
		cod: "2027-12-01",
	});
	// Nye is no county of the filed Arizona, but of one other state of the operator.
	expect(await get("/projects/wx-013")).toMatchObject({ id: "WESTX-WX-13", county: "Nye", state: "NV" });
});

test("its next list is compared with the one before", async () => {
	expect(await take("second", 1)).toMatchObject({
		outcome: "applied",
		new: 0,
		withdrawn: 1,
		disappeared: 0,
	});
	const data = await eventually(async () => {
		const { data: rows } = await get<{ data: unknown[] }>("/changes?region=WESTX&change_type=status_change");
		return rows.length > 0 && rows;
	});
	expect(data).toEqual([expect.objectContaining({ project_id: "WESTX-WX-13", old_value: "Study", new_value: "Gone" })]);
});

test("a folder of lists is searched for its own", async () => {
	const { stderr } = await ingest("--data", join(tree.path, "lists"));
	expect(stderr).toContain("westx/second/queue.csv: already loaded");
});

test("its requests are scored, with the middle for its record", async () => {
	const score = await eventually(() => get("/score/WESTX-WX-12").catch(() => undefined));
	expect(score).toMatchObject({
		project_id: "WESTX-WX-0012",
		scored: true,
		components: { iso_posture: { score: 50, value: "no usable record of WESTX's requests" } },
	});
});

test("it stands in the documents", async () => {
	type Source = { source: string };
	const { datasets } = await get<{ datasets: { name: string; description: string; sources: Source[] }[] }>(
		"/catalog/data",
	);
	const queues = datasets.find(({ name }) => name === "queues");
	expect(queues?.description).toContain("8 grid operators");
	expect(queues?.sources.find(({ source }) => source === "westx-queue")).toMatchObject({
		title: "Queue of requests",
		publisher: "West Exchange",
		url: "https://westx.example/queue.csv",
		licence: "Free to use with attribution",
		attribution: "Source: West Exchange",
		cadence: "daily",
		records: 40,
	});
	const openapi = await get<{ paths: Record<string, { get: { parameters: unknown[] } }> }>("/openapi.json");
	const region = openapi.paths["/projects"]?.get.parameters.find((one) => (one as { name: string }).name === "region");
	expect(region).toMatchObject({ schema: { items: { enum: expect.arrayContaining(["ISO-NE", "WESTX"]) } } });
	const { queues: covered } = await get<{ queues: unknown[] }>("/coverage");
	expect(covered).toContainEqual(expect.objectContaining({ region: "WESTX", requests: 40 }));
});
