/** Answers from a streaming standby: given while it has what the caller knows of, never when it has not, and missed by no caller. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bus, connectBus } from "#libs/bus/connect.ts";
import { request } from "#libs/bus/requests/request.ts";
import { watchVersions } from "#libs/bus/version.ts";
import { AppError } from "#libs/contract/errors.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { eventually } from "../support/eventually.ts";
import { startNats } from "../support/servers.ts";
import { silent } from "../support/silent.ts";
import { openConstellation, type Replica } from "./support/constellation.ts";
import { type Ingesting, startIngesting } from "./support/data.ts";
import { type Replicated, startReplicated } from "./support/standby.ts";

const resources = new AsyncDisposableStack();
let postgres: Replicated;
let sql: Sql;
let lists: Ingesting;
let owner: Replica;
let gateway: Replica;
/** Another caller of the owner, who says what he knows. */
let bus: Bus;
let announced = 0;

beforeAll(async () => {
	postgres = resources.use(await startReplicated());
	const nats = resources.use(await startNats());
	sql = resources.use(connect(postgres.urlOf("queue-ingest"), { schema: "queue_ingest", name: "tests", max: 4 }));
	lists = await startIngesting(sql);
	const { urlOf, readUrlOf } = postgres;
	const system = resources.use(openConstellation({ natsUrl: nats.url, urlOf, readUrlOf }));
	owner = await system.start("queue-ingest");
	gateway = await system.start("gateway", { env: { CACHE_MAX_BYTES: "0" } });
	bus = resources.use(await connectBus({ url: nats.url, name: "gateway", log: silent, ...nats.login("gateway") }));
	resources.use(watchVersions(bus, "queue-ingest", (version) => (announced = version)));
	await postgres.caughtUp();
	await standbyAnswers();
});
afterAll(() => resources.disposeAsync());

const count = (outcome: string) => owner.metric("postgres_standby_reads_total", `outcome="${outcome}"`);
const get = (path: string) => fetch(gateway.url + path);
const statusOf = async (id: string) =>
	((await (await get(`/projects/${id}`)).json()) as { status_std: string }).status_std;
const versionOf = async (path: string) => Number((await get(path)).headers.get("x-data-version"));
const pause = () => postgres.adminOfStandby`select pg_wal_replay_pause()`;
/** Replay that goes on may end the very statement that resumes it. */
const resume = () => eventually(() => postgres.adminOfStandby`select pg_wal_replay_resume()`.then(() => true));
const known = (knownVersion?: number) => ({ knownVersion });

/** Asks until an answer has come from there. */
async function standbyAnswers(): Promise<void> {
	const before = await count("answered");
	await eventually(async () => {
		expect((await get("/stats")).status).toBe(200);
		return (await count("answered")) > before;
	});
}

test("the standby serves lists and exports of versions that it has", async () => {
	const before = await count("answered");
	for (const id of lists.ids.slice(0, 5)) expect((await get(`/projects/${id}`)).status).toBe(200);
	const file = await (await get("/export/projects?region=MISO")).text();
	expect(file.trim().split(/\r?\n/)).toHaveLength(1 + lists.ids.length);
	expect((await count("answered")) - before).toBe(6);
	await eventually(async () => {
		const readers = await postgres.adminOfStandby`
			select from pg_stat_activity where application_name = 'queue-ingest-reads'`;
		return readers.count > 0;
	});
});

test("a request without a version is served by the primary", async () => {
	const before = await count("answered");
	const { dataVersion } = await request(bus, "getStats", {});
	expect([dataVersion, await count("answered")]).toEqual([await readDataVersion(sql), before]);
});

test("after a version is announced no response is older, however far the standby lags", async () => {
	await pause();
	const old = await readDataVersion(sql);
	const id = await lists.withdrawNext();
	const added = await lists.addOne();
	const version = await readDataVersion(sql);
	await eventually(() => announced === version);

	// A caller that knows of the new version gets it; one that knows only the old one may get the old.
	const now = await request(bus, "getProject", { project_id: id }, known(version));
	expect([now.dataVersion, Buffer.from(now.bytes).toString()]).toEqual([
		version,
		expect.stringContaining('"status_std":"Withdrawn"'),
	]);
	const then = await eventually(async () => {
		const answer = await request(bus, "getProject", { project_id: id }, known(old));
		return answer.dataVersion === old && answer;
	});
	expect(Buffer.from(then.bytes).toString()).not.toContain('"status_std":"Withdrawn"');
	// A version that the standby does not have yet is not missing.
	for (const wanted of [old, version])
		expect((await request(bus, "getProject", { project_id: added }, known(wanted))).dataVersion).toBe(version);

	await eventually(async () => (await versionOf("/stats")) === version);
	expect(await statusOf(id)).toBe("Withdrawn");
	for (const path of ["/projects?region=MISO", `/projects/${added}`, "/changes", "/export/projects?region=MISO"])
		expect([path, await versionOf(path)]).toEqual([path, version]);
	expect(await (await get("/export/projects?region=MISO")).text()).toContain(added);
	await resume();
	await postgres.caughtUp();
	await standbyAnswers();
	expect(await versionOf("/stats")).toBe(version);
});

test("an unknown project is a 404 at either server", async () => {
	const reply = request(bus, "getProject", { project_id: "MISO-J9999" }, known(await readDataVersion(sql)));
	await expect(reply).rejects.toMatchObject(new AppError(404, "no project MISO-J9999"));
});

test("reads continue at the standby while the primary is killed and restarted", async () => {
	await standbyAnswers();
	const before = await count("answered");
	await postgres.admin`checkpoint`;
	await postgres.primary.kill();
	expect((await get(`/projects/${lists.ids[7]}`)).status).toBe(200);
	expect(await count("answered")).toBeGreaterThan(before);
	await postgres.primary.start();
	await eventually(async () => (await fetch(`${owner.healthUrl}/ready`)).ok);
	await standbyAnswers();
});

test("a killed standby fails no request, and is used again when it is back", async () => {
	await standbyAnswers();
	let stop = false;
	const statuses: number[] = [];
	const readers = [0, 1, 2].map(async (reader) => {
		for (let at = reader; !stop; at += 3)
			statuses.push((await get(`/projects/${lists.ids[at % lists.ids.length]}`)).status);
	});
	const answersMore = async (more: number) => {
		const from = statuses.length;
		await eventually(() => statuses.length >= from + more);
	};
	await answersMore(20);
	await postgres.standby.kill();
	await answersMore(60);
	await postgres.standby.start();
	await standbyAnswers();
	await answersMore(20);
	stop = true;
	await Promise.all(readers);
	expect([...new Set(statuses)]).toEqual([200]);
	expect(await count("failed")).toBeGreaterThan(0);
});

test("a hanging standby fails no request", async () => {
	await standbyAnswers();
	postgres.standby.hang();
	const answers = await Promise.all(lists.ids.slice(0, 8).map((id) => get(`/projects/${id}`)));
	postgres.standby.resume();
	expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
	await standbyAnswers();
});
