/** NATS loses everything it kept, under a running system: streams are made anew, nothing that was committed is lost, and copies can be made anew. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { operator } from "../../deploy/engines/nats-users.ts";
import { secret } from "../../deploy/local/data-dir.ts";
import { startNats } from "../../deploy/local/nats.ts";
import { findServers } from "../../deploy/local/server-programs.ts";
import { services } from "../../deploy/local/services.ts";
import { eventually } from "../support/eventually.ts";
import { pidOf } from "../support/home.ts";
import { differences, fingerprint } from "./fingerprint.ts";
import { type Home, openHome, owners, type Running, republishAll, start, streamNames } from "./running.ts";

/** When something was published or copied, and as which time. */
const bookkeeping = [
	"version",
	"snapshot_id",
	"shown",
	"scored_at",
	"rated_version",
	"score_seen",
	"recorded_at",
	"names_version",
	"revision",
];
/** Copies are emptied; of developers, whom the filings of signals name, nothing is left but the number. */
const losing = `
	truncate scoring.projects, scoring.developers, scoring.articles, scoring.raises, scoring.filings, scoring.transfers cascade;
	truncate signals.projects, signals.generator_ownership, signals.queue_developers;
	update signals.developers set canonical_name = 'lost', tier = 'unknown', parent_company = null, headquarters_state = null,
		aliases = '[]', prefixes = '{}', version = 0;
	set local search_path = queue_ingest;
	update queue_ingest.projects set score_seen = 0, investability_score = null, investable = null, tax_credit_type = null;
	update queue_ingest.developers set rated_version = 0, needs_capital = null, distress_level = null;`;

/** While copies come back, scores and ratings are published of those that are there: what was published is kept, and grows. */
const publishedMeanwhile = ["scoring.score_versions", "scoring.developer_rating_versions"];
const past = async () => [
	...(await running.sql<{ line: string }[]>`
		select concat_ws(' ', project_id, published_at, inputs_hash) as line from scoring.score_versions
		union all select concat_ws(' ', developer_id, rated_at, distress_level) from scoring.developer_rating_versions`),
];

let home: Home;
let running: Running;

beforeAll(async () => {
	home = await openHome();
	running = await start({ ...home, backupDir: undefined });
	await running.load();
	await running.settled();
}, 120_000);

afterAll(async () => {
	await running?.[Symbol.asyncDispose]();
	await home?.[Symbol.asyncDispose]();
});

async function loseNats(): Promise<{ startAgain(): Promise<void> }> {
	const pid = pidOf(running.children, "nats");
	const port = running.run.servers.nats?.port ?? 0;
	process.kill(pid, "SIGKILL");
	await eventually(() => running.children.running.every((child) => child.pid !== pid));
	rmSync(join(home.dataDir, "nats", "jetstream"), { recursive: true });
	const users = [...services.map(({ name }) => name), operator];
	const passwords = Object.fromEntries(users.map((user) => [user, secret(home.dataDir, `nats ${user}`)]));
	return {
		async startAgain() {
			await startNats(running.children, home.dataDir, findServers()["nats-server"], { port, passwords });
		},
	};
}

const facts = () => fingerprint(running.sql, owners, bookkeeping);
const requests = async () => {
	const [row] = await running.sql<{ count: number }[]>`select sum(requests) as count from billing.usage_hours`;
	return row?.count ?? 0;
};
const register = (email: string) =>
	fetch(`${running.url}/register`, {
		method: "POST",
		body: JSON.stringify({ email }),
		headers: { "content-type": "application/json" },
	});

test("events committed while NATS was down are published when it is back, without its files and without a restart", async () => {
	const { startAgain } = await loseNats();
	// This service needs only the database, and publishes by the outbox.
	expect(await running.program("queue-ingest", "admin/ingest.ts", "--region", "MISO", "--retract")).toBe(0);
	const [newest] = await running.sql<
		{ versions: number }[]
	>`select max(version) as versions from queue_ingest.projects`;
	await startAgain();
	// The first event of billing: only billing can make its stream.
	await eventually(async () => expect((await register("new@example.org")).status).toBe(200), { withinMs: 30_000 });
	await running.settled();
	expect(await streamNames(running)).toEqual([
		"BILLING",
		"GATEWAY",
		"QUEUE_INGEST",
		"SCORING",
		"SIGNALS",
		"SUBSCRIPTIONS",
	]);
	expect(newest?.versions).toBeGreaterThan(1);
	for (const schema of ["signals", "scoring"]) {
		const missing = await running.sql.unsafe(`
			select from queue_ingest.projects p full join ${schema}.projects c on c.project_id = p.id
			where (p.version, p.status_std, p.capacity_mw) is distinct from (c.version, c.status_std, c.capacity_mw)`);
		expect(missing.length).toBe(0);
	}
	const before = await requests();
	expect((await fetch(`${running.url}/projects`)).status).toBe(200);
	await eventually(async () => (await requests()) > before, { withinMs: 30_000 });
}, 90_000);

test("copies that were lost too are rebuilt from republished events", async () => {
	const before = await facts();
	const published = await past();
	await running.sql.begin((tx) => tx.unsafe(losing));
	expect(differences(before, await facts()).length).toBeGreaterThan(10);
	expect(await republishAll(running)).toBeGreaterThan(500);
	await running.settled();
	const messages = owners.flatMap((schema) =>
		["data_version", "inbox", "published_events"].map((table) => `${schema}.${table}`),
	);
	const apart = [...messages, ...publishedMeanwhile];
	const found = differences(before, await facts()).filter((line) => !apart.includes(line.split(":")[0] ?? ""));
	expect(found).toEqual([]);
	// Events that were published before still exist.
	expect(await past()).toEqual(expect.arrayContaining(published));
}, 90_000);
