/** A system that lost its data is brought back to a moment: every schema as it was, and nothing of what came after. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#libs/postgres/connect.ts";
import { backUp } from "../../deploy/backup/backup.ts";
import { restore } from "../../deploy/backup/restore.ts";
import { urlOf } from "../../deploy/engines/postgres-roles.ts";
import { Children } from "../../deploy/local/children.ts";
import { freePort, secret } from "../../deploy/local/data-dir.ts";
import { launchPostgres } from "../../deploy/local/postgres.ts";
import { placePostgres } from "../../deploy/local/postgres-place.ts";
import { migrate as migrateBilling } from "../../services/billing/migrate.ts";
import { migrate as migrateQueue } from "../../services/queue-ingest/migrate.ts";
import { retractNewest } from "../../services/queue-ingest/queues/jobs/late-lists.ts";
import { migrate as migrateScoring } from "../../services/scoring/migrate.ts";
import { migrate as migrateSignals } from "../../services/signals/migrate.ts";
import { eventually } from "../support/eventually.ts";
import { differences, fingerprint, rights } from "./fingerprint.ts";
import { openHome, owners, type Running, republishAll, start } from "./running.ts";

const migrations = {
	queue_ingest: migrateQueue,
	signals: migrateSignals,
	scoring: migrateScoring,
	billing: migrateBilling,
};
/** Said again, a standing comes at a version that was never said, as nothing of it was new. */
const bookkeeping = ["rated_version", "revision"];
const paths = ["/projects?per_page=200", "/changes?per_page=200", "/events", "/capital/leaderboard", "/stats"];

interface Moment {
	at: string;
	rows: Record<string, string>;
	/** The same without what only says how new a copy is. */
	facts: Record<string, string>;
	rights: string[];
	answers: string[];
	versions: number[];
}

let home: Awaited<ReturnType<typeof openHome>>;
let running: Running | undefined;
let moment: Moment;
let keys: { kept: Registered; lost: Registered };

interface Registered {
	key: string;
	account: number;
}

/** The whole system starts a second time for these. */
const campaign = { tags: ["campaign"] };

const log = (line: string) => console.log(line);
const ask = (path: string, key?: string) =>
	fetch(`${running?.url}${path}`, { headers: key === undefined ? {} : { "x-api-key": key } });

async function sql() {
	if (running === undefined) throw new Error("nothing is running");
	return running.sql;
}

async function register(email: string): Promise<Registered> {
	const body = JSON.stringify({ email });
	const reply = await fetch(`${running?.url}/register`, {
		method: "POST",
		body,
		headers: { "content-type": "application/json" },
	});
	const { key } = (await reply.json()) as { key: string };
	const [row] = await (await sql())<
		{ id: number }[]
	>`select id from billing.accounts where registered_email = ${email}`;
	return { key, account: row?.id ?? 0 };
}

const used = async ({ account }: Registered) => {
	const [row] = await (await sql())<
		{ count: number }[]
	>`select count(*) from billing.usage where account_id = ${account}`;
	return row?.count;
};

const uses = 3;
async function use(registered: Registered): Promise<void> {
	for (let nth = 1; nth <= uses; nth++) expect((await ask("/projects?per_page=1", registered.key)).status).toBe(200);
	await eventually(async () => (await used(registered)) === uses, { withinMs: 30_000 });
}

const answers = () => Promise.all(paths.map(async (path) => (await ask(path)).text()));
const versions = async () =>
	(
		await (
			await sql()
		).unsafe<{ version: number }[]>(
			owners.map((schema) => `select version from ${schema}.data_version`).join(" union all "),
		)
	).map(({ version }) => version);

beforeAll(async () => {
	home = await openHome();
	running = await start(home);
	const loading = running.load();
	// While everything is being written.
	const { bytes } = await backUp(home.dataDir, home.backupDir);
	log(`a copy of ${Math.ceil(bytes / 1e6)} MB`);
	await loading;
	const kept = await register("kept@example.org");
	await use(kept);
	await running.settled();
	const [now] = await running.sql<{ at: string }[]>`select to_json(clock_timestamp()) #>> '{}' as at`;
	moment = {
		at: now?.at ?? "",
		rows: await fingerprint(running.sql, owners),
		facts: await fingerprint(running.sql, owners, bookkeeping),
		rights: await rights(running.sql),
		answers: await answers(),
		versions: await versions(),
	};
	keys = { kept, lost: await beLost() };
	await running[Symbol.asyncDispose]();
	running = undefined;
}, 180_000);

afterAll(async () => {
	await running?.[Symbol.asyncDispose]();
	await home?.[Symbol.asyncDispose]();
});

/** Writes what the restore has to remove: an unwanted list, a customer, and then the damage. */
async function beLost(): Promise<Registered> {
	if (running === undefined) throw new Error("nothing is running");
	{
		const url = running.run.services["queue-ingest"]?.env.POSTGRES_URL ?? "";
		await using queues = connect(url, { schema: "queue_ingest", name: "retract", max: 1 });
		expect(await retractNewest(queues, "MISO", new Date())).toMatchObject({ outcome: "applied" });
	}
	const lost = await register("lost@example.org");
	await use(lost);
	await running.sql`drop table signals.articles cascade`;
	await running.sql`delete from scoring.scores`;
	await running.sql`truncate queue_ingest.raw_files cascade`;
	await running.sql`drop view scoring.source_records`;
	return lost;
}

test("every schema is restored to the time, row by row, with its views and their privileges", async () => {
	const children = new Children(home.dataDir);
	const begun = performance.now();
	// The form in docs/backups.md.
	const to = moment.at.replace(/\+00(:00)?$/, "Z");
	expect(to).toMatch(/Z$/);
	const restored = await restore(children, { ...home, to, say: () => {} });
	log(`restored in ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
	expect(restored.streams).toEqual([
		"BILLING",
		"OBJ_archive-queue-ingest",
		// Extracts are made again from what was restored.
		...["queue-ingest", "scoring", "signals"].map((owner) => `OBJ_extracts-${owner}`),
		...["QUEUE_INGEST", "SCORING", "SIGNALS", "SUBSCRIPTIONS"],
	]);
	const options = {
		...{ port: await freePort(), password: secret(home.dataDir, "postgres"), durable: true },
		// Files that are not archived yet have to wait for it.
		more: ["archive_mode=on"],
	};
	const { adminUrl, child } = await launchPostgres(children, placePostgres(home.dataDir), options);
	{
		await using admin = connect(urlOf(adminUrl, "energy"), { schema: "public", name: "referee", max: 1 });
		const found = differences(moment.rows, await fingerprint(admin, owners));
		expect(found.map((line) => line.split(":")[0])).toEqual(owners.map((schema) => `${schema}.data_version`).sort());
		expect(await rights(admin)).toEqual(moment.rights);
	}
	for (const schema of owners) {
		const role = { name: schema, password: secret(home.dataDir, `postgres ${schema}`) };
		expect(await migrations[schema](urlOf(adminUrl, "energy", role))).toEqual([]);
	}
	await child.stop();
	await children.close();
}, 60_000);

test("the services start on restored data, respond as before, and republishing changes nothing", campaign, async () => {
	running = await start(home);
	expect(await answers()).toEqual(moment.answers);
	await republishAll(running);
	await running.settled();
	// The gateways' stream lost nothing: usage that the ledger did not have is delivered again.
	await eventually(async () => (await used(keys.lost)) === uses);
	expect(await used(keys.kept)).toBe(uses);
	const facts = await fingerprint(running.sql, owners, bookkeeping);
	const found = differences(moment.facts, facts).map((line) => line.split(":")[0]);
	const messages = owners.flatMap((schema) =>
		["data_version", "inbox", "published_events"].map((table) => `${schema}.${table}`),
	);
	expect(found.filter((table) => !messages.includes(table ?? "")).sort()).toEqual([
		"billing.usage",
		"billing.usage_hours",
	]);
	expect(await answers()).toEqual(moment.answers);
});

test("identifiers assigned after the recovery point are not reused", campaign, async () => {
	for (const [place, version] of (await versions()).entries())
		expect(version).toBeGreaterThan((moment.versions[place] ?? 0) + 1_000_000);
	expect((await ask("/projects", keys.kept.key)).status).toBe(200);
	expect((await ask("/projects", keys.lost.key)).status).toBe(403);
	const another = await register("another@example.org");
	expect(another.account).toBeGreaterThan(keys.lost.account + 1_000_000);
	expect(await used(another)).toBe(0);
});

test("a file archived before the recovery point is read again, byte for byte", campaign, async () => {
	expect(await running?.program("queue-ingest", "admin/ingest.ts", "--region", "MISO", "--retract")).toBe(0);
	const [newest] = await (await sql())<{ outcome: string }[]>`
		select outcome from queue_ingest.snapshots where region = 'MISO' order by id desc limit 1`;
	expect(newest).toEqual({ outcome: "retracted" });
});

test("a recovery point before the first backup is refused, and nothing changes", async () => {
	const children = new Children(home.dataDir);
	const before = [...readdirSync(home.dataDir), "nothing"].sort();
	const early = { ...home, to: "2020-01-01T00:00:00Z", say: () => {} };
	await expect(restore(children, early)).rejects.toThrow(/nothing before that can be restored/);
	const empty = join(home.dataDir, "nothing");
	mkdirSync(empty);
	await expect(restore(children, { ...early, backupDir: empty })).rejects.toThrow(/no backup in/);
	expect(readdirSync(home.dataDir).sort()).toEqual(before);
});
