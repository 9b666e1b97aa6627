/** A list that comes late, through the product's own command: scores as of its days are those of its facts, as seen from outside. */
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
import { schema } from "../../services/scoring/migrate.ts";
import { startReactions } from "../../services/scoring/reactions/index.ts";
import { type MisoRow, misoJson, standing } from "../queue-ingest/support/miso.ts";
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

const take = (day: string, rows: MisoRow[]) =>
	ingestSnapshot(world.sql, {
		region: "MISO",
		files: [{ ...misoJson(rows), path: "miso.json" }],
		asOf: `${day}T06:00:00Z`,
		accept: true,
	});

async function ingestLate(day: string, rows: MisoRow[]): Promise<unknown> {
	const path = join(folder, `${day}.json`);
	await writeFile(path, misoJson(rows).bytes);
	const options = ["--history", "--region", "MISO", "--as-of", `${day}T06:00:00Z`, path];
	const { stdout } = await promisify(execFile)(process.execPath, ["services/queue-ingest/ingest.ts", ...options], {
		env: { ...process.env, POSTGRES_URL: world.database.urlOf("queue-ingest") },
	});
	return JSON.parse(stdout);
}

async function get<T>(path: string): Promise<T> {
	const response = await fetch(`${world.url}${path}`);
	if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
	return (await response.json()) as T;
}
type Score = Reply<"readScore">;
const score = (day: string, id = "MISO-J1000") => get<Score>(`/score/${id}?as_of=${day}`);
const etagOf = async (path: string) => (await fetch(`${world.url}${path}`)).headers.get("etag");

test("scores between, before and after follow the facts of the late lists, the present does not", async () => {
	world.clock.now = new Date("2026-06-02T12:00:00Z");
	await take(days.first, list("Phase 1", "2026-02-15"));
	await take(days.newest, list("Phase 3", "2028-06-01"));
	await world.settled();
	const present = await get<Score>("/score/MISO-J1000");
	const path = "/score/MISO-J1000?as_of=2026-03-20";
	const [before, etag] = [await get<Score>(path), await etagOf(path)];
	expect(before.inputs).toMatchObject({ milestone: "cluster_phase_1", cod_position: "ahead" });
	expect(await etagOf(path)).toBe(etag);

	expect(await ingestLate(days.late, list("Phase 2", "2026-02-15", [passing]))).toMatchObject({
		outcome: "backfilled",
	});
	expect(await ingestLate(days.earliest, list("Phase 1", "2027-02-15"))).toMatchObject({ outcome: "backfilled" });
	await world.settled();
	const after = await get<Score>(path);
	expect(after).toMatchObject({ basis: "recomputed", in_sample: true, facts_as_of: days.late });
	// The date had passed on the day of the late list, and not yet on that of the list before.
	expect(after.inputs).toMatchObject({ milestone: "cluster_phase_2", cod_position: "past" });
	expect(after.investability_score).not.toBe(before.investability_score);
	expect(await etagOf(path)).not.toBe(etag);
	expect((await score("2026-02-20")).inputs).toMatchObject({ milestone: "cluster_phase_1", cod_position: "ahead" });
	expect(await score("2026-01-15")).toMatchObject({ facts_as_of: days.earliest });
	expect((await fetch(`${world.url}/score/MISO-J1000?as_of=2025-12-31`)).status).toBe(404);
	expect(await score("2026-06-02")).toMatchObject({
		investability_score: present.investability_score,
		basis: "published",
	});
	expect(await get<Score>("/score/MISO-J1000")).toEqual(present);
});

test("histories, lists and statements of callers show them, with the lists behind them as /projects says", async () => {
	const { data } = await get<Reply<"readScoreHistory">>("/score/MISO-J1000/history?order=asc");
	const moved = data.map(({ day, facts }) => [
		day,
		facts.map(({ name }) => name).filter((name) => name !== "cod_changes"),
	]);
	expect(moved).toEqual([
		[days.earliest, []],
		[days.first, ["cod"]],
		[days.late, ["study_phase", "study_phase_filed", "ia_status"]],
		[days.newest, expect.arrayContaining(["cod", "construction_stage", "study_phase"])],
	]);
	const wind = `/investable?as_of=2026-03-20&min_score=0&fuel_type=Wind`;
	const listed = await get<Reply<"listInvestable">>(wind);
	expect(listed.data.map(({ id, basis }) => [id, basis])).toEqual([["MISO-J1001", "recomputed"]]);
	const shown = await get<Reply<"listProjects">>("/projects?as_of=2026-03-20&fuel_type=Wind");
	expect(shown.data.map(({ id }) => id)).toEqual(["MISO-J1001"]);
	expect(listed.meta).toMatchObject({ coverage: { MISO: days.late }, corrections: shown.meta.corrections });
	for (const day of ["2026-02-20", "2026-06-01"])
		expect((await get<Reply<"listInvestable">>(wind.replace("2026-03-20", day))).data).toEqual([]);
	await world.extracted();
	const response = await fetch(`${world.url}/query`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({
			database: "scoring",
			sql: "select valid_from::text as day, cod::text as cod from scored_request_versions where project_id = 'MISO-J1000' order by 1",
		}),
	});
	expect(await response.json()).toMatchObject({
		data: [
			{ day: days.earliest, cod: "2027-02-15" },
			{ day: days.first, cod: "2026-02-15" },
			{ day: days.late, cod: "2026-02-15" },
			{ day: days.newest, cod: "2028-06-01" },
		],
	});
});
