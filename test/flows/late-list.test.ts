/** Lists that come late, one of them through the product's own command: the days between have their facts, and the scores that were published. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectBus } from "#libs/bus/connect.ts";
import type { Reply } from "#libs/contract/index.ts";
import { connect } from "#libs/postgres/connect.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { ingestLate, retractNewest } from "../../services/queue-ingest/queues/jobs/late-lists.ts";
import { schema } from "../../services/scoring/migrate.ts";
import { startReactions } from "../../services/scoring/reactions/index.ts";
import { type MisoRow, misoJson, standing } from "../queue-ingest/support/miso.ts";
import { eventually } from "../support/eventually.ts";
import { silent } from "../support/silent.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let folder: string;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
	world = stack.use(await startWorld({ data: "none", query: true }));
	// A second replica of scoring: each event has its effect once, in whichever of the two.
	const login = world.nats.login("scoring");
	const bus = stack.use(await connectBus({ url: world.nats.url, name: "scoring", log: silent, ...login }));
	const sql = stack.use(connect(world.database.urlOf("scoring"), { schema, name: "second", max: 4 }));
	for (const reacting of await startReactions(bus, sql)) stack.use(reacting);
	folder = await mkdtemp(join(tmpdir(), "late-"));
	stack.defer(() => rm(folder, { recursive: true, force: true }));
});
afterAll(() => stack.disposeAsync());

const days = { first: "2026-02-01", late: "2026-03-01", earliest: "2026-01-01", newest: "2026-06-01" };
const list = (phase: string, inService: string, more: MisoRow[] = []) => [
	{ number: "J1000", phase, inService },
	...more,
	...standing(30),
];
/** Stands in the late list alone. */
const passing = { number: "J1001", phase: "GIA", fuel: "Wind", facility: "Wind" };

const requestOf = (day: string, rows: MisoRow[]) => ({
	region: "MISO" as const,
	files: [{ ...misoJson(rows), path: "miso.json" }],
	asOf: `${day}T06:00:00Z`,
	accept: true,
});
const take = (day: string, rows: MisoRow[]) => ingestSnapshot(world.sql, requestOf(day, rows));

async function ingestByCommand(day: string, rows: MisoRow[]): Promise<unknown> {
	const path = join(folder, `${day}.json`);
	await writeFile(path, misoJson(rows).bytes);
	const args = ["--region", "MISO", "--history", "--as-of", `${day}T06:00:00Z`, path];
	const env = { ...process.env, POSTGRES_URL: world.database.urlOf("queue-ingest") };
	const program = ["services/queue-ingest/admin/ingest.ts", ...args];
	const { stdout } = await promisify(execFile)(process.execPath, program, { env });
	return JSON.parse(stdout);
}

async function get<T>(path: string): Promise<T> {
	const response = await fetch(`${world.url}${path}`);
	if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
	return (await response.json()) as T;
}
type Score = Reply<"getScore">;
const etagOf = async (path: string) => (await fetch(`${world.url}${path}`)).headers.get("etag");

test("past days have the facts of late lists; the present and published scores do not", async () => {
	world.clock.now = new Date(`${days.first}T12:00:00Z`);
	await take(days.first, list("Phase 1", "2026-02-15"));
	await world.settled();
	world.clock.now = new Date("2026-06-02T12:00:00Z");
	await take(days.newest, list("Phase 3", "2028-06-01"));
	await world.settled();
	const present = await get<Score>("/score/MISO-J1000");
	const published = await get<Score>("/score/MISO-J1000?as_of=2026-03-20");
	expect(published.inputs).toMatchObject({ milestone: "cluster_phase_1", cod_position: "ahead" });
	const path = "/projects?as_of=2026-03-20&fuel_type=Wind";
	const etag = await etagOf(path);
	expect(await etagOf(path)).toBe(etag);

	expect(await ingestByCommand(days.late, list("Phase 2", "2026-02-15", [passing]))).toMatchObject({
		outcome: "backfilled",
	});
	expect(await ingestLate(world.sql, requestOf(days.earliest, list("Phase 1", "2027-02-15")))).toMatchObject({
		outcome: "backfilled",
	});
	await world.settled();
	expect(await etagOf(path)).not.toBe(etag);
	const { data, meta } = await get<Reply<"listProjects">>(path);
	expect(data).toMatchObject([{ id: "MISO-J1001", investability_score: null, score_basis: "unpublished" }]);
	expect(meta.coverage).toMatchObject({ MISO: days.late });
	for (const day of ["2026-02-20", "2026-06-01"])
		expect((await get<Reply<"listProjects">>(path.replace("2026-03-20", day))).data).toEqual([]);
	expect(await get<Score>("/score/MISO-J1000?as_of=2026-03-20")).toEqual(published);
	expect((await fetch(`${world.url}/score/MISO-J1000?as_of=2026-01-15`)).status).toBe(404);
	expect(await get<Score>("/score/MISO-J1000")).toEqual(present);
	const { data: scores } = await get<Reply<"getScoreHistory">>("/score/MISO-J1000/history?order=asc");
	expect(scores.map(({ day, inputs_hash }) => [day, inputs_hash])).toEqual([
		[days.first, published.inputs_hash],
		["2026-06-02", present.inputs_hash],
	]);

	await world.extracted();
	const sql =
		"select valid_from::date::text as day, cod::text as cod from project_versions where project_id = 'MISO-J1000' order by 1";
	const init = {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ database: "master", sql }),
	};
	// On a busy machine a statement may be refused as too slow.
	await eventually(async () => {
		expect(await (await fetch(`${world.url}/query`, init)).json()).toMatchObject({
			data: [
				{ day: days.earliest, cod: "2027-02-15" },
				{ day: days.first, cod: "2026-02-15" },
				{ day: days.late, cod: "2026-02-15" },
				{ day: days.newest, cod: "2028-06-01" },
			],
		});
		return true;
	});
});

test("a request that only a retracted list contains is removed from every service until another list shows it", async () => {
	const rows = list("Phase 3", "2028-06-01", [{ number: "J2000" }]);
	const statuses = () =>
		Promise.all(["/projects/", "/score/"].map(async (path) => (await fetch(`${world.url}${path}MISO-J2000`)).status));
	const known = async () => {
		const rows = await world.signalsSql`select from projects where project_id = 'MISO-J2000'`;
		return rows.count;
	};
	await take("2026-06-05", rows);
	await world.settled();
	expect([await statuses(), await known()]).toEqual([[200, 200], 1]);
	// The request of the late list was confirmed to have disappeared by this one.
	const retracted = await retractNewest(world.sql, "MISO", new Date());
	expect(retracted).toMatchObject({ outcome: "applied", changed: 1, reason: null });
	await world.settled();
	expect([await statuses(), await known()]).toEqual([[410, 410], 0]);
	await take("2026-06-06", rows);
	await world.settled();
	expect([await statuses(), await known()]).toEqual([[200, 200], 1]);
});
