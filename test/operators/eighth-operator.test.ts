/**
 * A grid operator that this service does not know is added to a copy of its code by one file and one line; a field that only it files by a line of
 * the record, one of its adapter and a migration.
 */
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
import { field, file, line, list, migration } from "./westx.ts";

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
	tree.replace("libs/contract/records/project.ts", "	lat: derived(", `${field}	lat: derived(`);
	tree.add("services/queue-ingest/migrations/9000_noise_class.sql", migration);
	database = stack.use(await createDatabase());
	await run("services/queue-ingest/migrate.ts");
	const [nats, redis] = await Promise.all([startNats(), startRedis()]);
	stack.use(nats);
	stack.use(redis);
	const env = { REDIS_URL: redis.url };
	const system = stack.use(openConstellation({ natsUrl: nats.url, urlOf: database.urlOf, env }));
	const start = (service: string) => system.start(service, { tree: tree.path });
	await take("first", 2);
	const replicas = await Promise.all(["queue-ingest", "scoring", "query", "gateway"].map(start));
	url = replicas.at(-1)?.url ?? "";
});
afterAll(() => stack.disposeAsync());

/** A program of the copy. */
const run = (program: string, ...args: string[]) =>
	promisify(execFile)(process.execPath, [join(tree.path, program), ...args], {
		env: { ...process.env, ...tree.env, POSTGRES_URL: database.urlOf("queue-ingest") },
	});
/** Ingests as `npm run ingest` does. */
const ingest = (...args: string[]) => run("services/queue-ingest/admin/ingest.ts", ...args);

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

test("its requests are listed, located by its declaration, and found by any spelling of a number", async () => {
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

test("its lists are found in a folder of lists", async () => {
	const { stderr } = await ingest("--data", join(tree.path, "lists"));
	expect(stderr).toContain("westx/second/queue.csv: already loaded");
});

test("its requests are scored with the middle posture", async () => {
	const score = await eventually(() => get("/score/WESTX-WX-12").catch(() => undefined));
	expect(score).toMatchObject({
		project_id: "WESTX-WX-0012",
		scored: true,
		components: { iso_posture: { score: 50, value: "no usable record of WESTX's requests" } },
	});
});

test("it is in the documents", async () => {
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

interface List<Row = Record<string, unknown>> {
	data: Row[];
}
const request = "WESTX-WX-0012";

async function post(path: string, body: unknown): Promise<string> {
	const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
	const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
	if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
	return response.text();
}

test("a field that only it files is shown, sorted and filtered by, and in files", async () => {
	expect(await get(`/projects/${request}?fields=noise_class`)).toEqual({ id: request, noise_class: "III" });
	const chosen = { data: [{ id: request, noise_class: "III" }] };
	expect(await get("/projects?region=WESTX&noise_class=III,IV&fields=noise_class")).toMatchObject(chosen);
	expect(await get("/projects?region=WESTX&noise_class=II")).toMatchObject({ data: [] });
	expect(await get("/projects?region=WESTX&sort=noise_class&fields=noise_class&per_page=1")).toMatchObject(chosen);
	expect(await get(`/export/projects?region=WESTX&noise_class=III&fields=noise_class&format=ndjson`)).toEqual(
		chosen.data[0],
	);
});

test("differences of that field are changes, with a history", async () => {
	const { data: changes } = await get<List>("/changes?region=WESTX&change_type=field_update");
	expect(changes).toContainEqual(
		expect.objectContaining({ project_id: request, field_name: "noise_class", old_value: "II", new_value: "III" }),
	);
	const { data: states } = await get<List>(`/projects/${request}/history`);
	const difference = { field: "noise_class", old_value: "II", new_value: "III" };
	expect(states.flatMap(({ differences }) => differences)).toContainEqual(difference);
	const day = new Date(Date.now() - 1_000).toISOString().slice(0, 10);
	expect(await get(`/projects/${request}?as_of=${day}&fields=noise_class`)).toMatchObject({ noise_class: "III" });
});

test("provenance names the cell of that field", async () => {
	const { data } = await get<List>(`/projects/${request}/provenance?field=noise_class`);
	expect(data[0]).toMatchObject({ field: "noise_class", rule: "text", header: "Noise", raw: "III", value: "III" });
});

test("that field is in SQL, the documents and the tools for agents", async () => {
	// The first extract may be of the first list.
	const sql = `select noise_class like 'II%' as stands from projects where id = '${request}'`;
	const ask = async () => JSON.parse(await post("/query", { database: "master", sql })) as List;
	expect((await eventually(ask, { everyMs: 500 })).data).toEqual([{ stands: true }]);
	const described = "Noise class of the site, as filed";
	for (const path of ["/query/schema", "/openapi.json"])
		expect(JSON.stringify(await get(path))).toContain(`"description":"${described}"`);
	const params = { name: "list_projects", arguments: { noise_class: ["III"], fields: ["noise_class"] } };
	expect(await post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params })).toMatch(/noise_class.+III/);
});
