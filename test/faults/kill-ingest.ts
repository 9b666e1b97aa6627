/** Ingests that are killed at any point, beside a model of what the lists say. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect } from "vitest";
import { connect, type Sql } from "../../libs/postgres/connect.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { rebuildAll } from "../../services/queue-ingest/queues/jobs/late-lists.ts";
import type { IncomingFile } from "../../services/queue-ingest/sources/archive.ts";
import { createDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { random } from "../support/file-formats.ts";
import { type QueueRow, queueFile } from "../support/queue-files.ts";
import { regionOf } from "./ingest-world.ts";
import { type Counts, isForetold, type KilledFeed, killedFeeds, Model, Operator } from "./queue-model.ts";

export interface Campaign {
	runs: number;
	seed: number;
	/** Requests in each list. */
	rows: number;
	/** Runs between two looks at everything. */
	checkEvery: number;
}

export interface RunCounts {
	runs: number;
	killed: number;
	/** Ingests that had committed when the kill came, or ended before it. */
	committed: number;
	/** Killed after their bytes were archived and before their list was applied. */
	begun: number;
	changes: number;
}

/** Tables in the order in which an ingest writes to them. */
export const tables = [
	...["snapshots", "raw_files", "snapshot_files", "changes", "projects", "project_aliases", "project_versions"],
	...["outbox", "feeds", "data_version"],
];

const program = new URL("../../services/queue-ingest/admin/ingest.ts", import.meta.url).pathname;

export class KillCampaign implements AsyncDisposable {
	readonly tally: RunCounts = { runs: 0, killed: 0, committed: 0, begun: 0, changes: 0 };
	readonly sql: Sql;
	readonly #url: string;
	readonly #next: () => number;
	readonly #folder = mkdtempSync(join(tmpdir(), "energy-kill-"));
	readonly #rest: AsyncDisposableStack;
	readonly #feeds: Record<KilledFeed, { model: Model; operator: Operator }>;
	#day = 0;
	#usualMs = 0;

	static async open({ seed, rows }: Pick<Campaign, "seed" | "rows">): Promise<KillCampaign> {
		await using opened = new AsyncDisposableStack();
		const { url } = opened.use(await createDatabase());
		const sql = opened.use(connect(url, { schema: "queue_ingest", name: "referee", max: 8, statementTimeoutMs: 0 }));
		const campaign = new KillCampaign(url, sql, seed, rows, opened.move());
		await campaign.#begin().catch(async (error) => {
			await campaign[Symbol.asyncDispose]();
			throw error;
		});
		return campaign;
	}

	private constructor(url: string, sql: Sql, seed: number, rows: number, rest: AsyncDisposableStack) {
		this.#url = url;
		this.sql = sql;
		this.#rest = rest;
		this.#next = random(seed);
		const feed = (name: KilledFeed) => ({ model: new Model(name), operator: new Operator(name, rows, seed) });
		this.#feeds = { miso: feed("miso"), spp: feed("spp") };
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await rm(this.#folder, { recursive: true, force: true });
		await this.#rest.disposeAsync();
	}

	/** Two whole ingests of each feed. */
	async #begin(): Promise<void> {
		for (const feed of [...killedFeeds, ...killedFeeds])
			await this.#complete(feed, await this.#nextList(feed), "applied");
	}

	/** Measures how long the program takes for a list. */
	async #timeProgram(): Promise<number> {
		const durations: number[] = [];
		for (const feed of killedFeeds) {
			const list = await this.#nextList(feed);
			const begun = performance.now();
			expect(await outcomeOf(this.#start(feed, list))).toBe("applied");
			durations.push(performance.now() - begun);
			await this.#noteCommit(feed, list);
		}
		return Math.min(...durations);
	}

	/** One step of the campaign, of the kind that the seed says. */
	async step(): Promise<void> {
		this.#usualMs ||= await this.#timeProgram();
		const kind = this.#next();
		if (kind < 0.76) await this.killOne();
		else if (kind < 0.88) await this.killOneOfTwins();
		else await this.killOneOfTwoRegions();
	}

	/** An ingest is killed at any point; then the same file is taken in again, or its operator publishes the next. */
	async killOne(): Promise<void> {
		const feed = this.#anyFeed();
		const list = await this.#nextList(feed);
		await this.#kill(this.#start(feed, list), this.#anyMoment());
		await this.#settle(feed, list);
	}

	/** The same file twice at once, one of the two killed: it is applied once. */
	async killOneOfTwins(): Promise<void> {
		const feed = this.#anyFeed();
		const list = await this.#nextList(feed);
		const victim = this.#start(feed, list);
		const survivor = this.#start(feed, list);
		await this.#kill(victim, this.#anyMoment());
		expect(await outcomeOf(survivor)).toMatch(/applied|unchanged/);
		await this.#noteCommit(feed, list);
		await this.#complete(feed, list, "unchanged");
	}

	/** The same file twice at once, both to the end. */
	async takeTwins(): Promise<void> {
		const feed = this.#anyFeed();
		const list = await this.#nextList(feed);
		const outcomes = await Promise.all([this.#ingest(feed, list), this.#ingest(feed, list)]);
		expect(outcomes).toContain("applied");
		await this.#noteCommit(feed, list);
	}

	/** Lists of two operators at once, one of them killed: the other is taken in. */
	async killOneOfTwoRegions(): Promise<void> {
		const victims = this.#anyFeed();
		const others = victims === "miso" ? "spp" : "miso";
		const list = await this.#nextList(victims);
		const other = await this.#nextList(others);
		const victim = this.#start(victims, list);
		const survivor = this.#start(others, other);
		await this.#kill(victim, this.#anyMoment());
		expect(await outcomeOf(survivor)).toBe("applied");
		await this.#noteCommit(others, other);
		await this.#settle(victims, list);
	}

	/** Killed while it waits to write to this table, which is locked, beside an ingest of another operator's list, which completes. */
	async killAtTable(table: string): Promise<void> {
		const feed = this.#anyFeed();
		const others = feed === "miso" ? "spp" : "miso";
		const list = await this.#nextList(feed);
		const other = await this.#nextList(others);
		let completing: Promise<string> | undefined;
		await this.#killAtLock(
			table,
			() => this.#start(feed, list),
			() => {
				completing = this.#ingest(others, other);
			},
		);
		expect(await completing).toBe("applied");
		await this.#noteCommit(others, other);
		expect(await this.#isApplied(feed, list)).toBe(false);
		await this.#complete(feed, list, "applied");
	}

	/** States of before are wrong, as if an adapter had read the lists so: a rebuild is killed while it writes, then run to its end. */
	async killRebuild(): Promise<void> {
		const states = async () => [
			...(await this.sql`
				select project_id, version, valid_from, valid_to, snapshot_id, capacity_mw from project_versions order by project_id, version`),
		];
		const right = await states();
		await this.sql`update project_versions set capacity_mw = capacity_mw + 1 where feed = 'miso'`;
		const wrong = await states();
		await this.#killAtLock("project_versions", () => this.#run(["--region", regionOf("miso"), "--rebuild"]));
		expect(await states()).toEqual(wrong);
		expect(await rebuildAll(this.sql, regionOf("miso"), new Date())).toMatchObject({ outcome: "applied" });
		expect(await states()).toEqual(right);
	}

	/** Kills the program while it waits for the table; `startOther` starts something that has to wait as well. */
	async #killAtLock(table: string, start: () => Running, startOther?: () => void): Promise<void> {
		const exited = await this.sql.begin(async (tx) => {
			await tx.unsafe(`lock table ${table} in share row exclusive mode`);
			const { child, ended } = start();
			const waiting = () =>
				tx`select from pg_locks where not granted and relation = ${table}::regclass
					and database = (select oid from pg_database where datname = current_database())`;
			await eventually(async () => (await waiting()).count > 0, { withinMs: 60_000 });
			startOther?.();
			child.kill("SIGKILL");
			return ended;
		});
		expect(exited.signal).toBe("SIGKILL");
		this.tally.runs++;
		this.tally.killed++;
		await this.#allGone();
	}

	#anyFeed(): KilledFeed {
		return this.#next() < 0.6 ? "miso" : "spp";
	}

	/** Times from the start of the program to a little after its usual end; more often where it writes than where it starts. */
	#anyMoment(): number {
		const share = this.#next();
		return this.#usualMs * (share < 0.2 ? share * 2 : 0.4 + (share - 0.2));
	}

	async #nextList(feed: KilledFeed): Promise<List> {
		const { operator, model } = this.#feeds[feed];
		if (model.applied.length > 0) operator.goOn();
		this.#day += 1 + Math.floor(this.#next() * 2);
		const asOf = new Date(Date.UTC(2026, 0, 1) + this.#day * 86_400_000).toISOString().replace(".000", "");
		const layout = feed === "miso" ? "csv" : undefined;
		const day = asOf.slice(0, 10);
		const options = layout === undefined ? { publishedOn: day } : { publishedOn: day, layout };
		const file = await queueFile(feed, operator.rows, options);
		const path = join(this.#folder, `${feed}-${day}.csv`);
		writeFileSync(path, file.bytes);
		const sha256 = createHash("sha256").update(file.bytes).digest("hex");
		return { file: { ...file, name: basename(path), path }, asOf, sha256, rows: [...operator.rows] };
	}

	/** Ingests the list in this process and returns the outcome. */
	async #ingest(feed: KilledFeed, { file, asOf }: List): Promise<string> {
		return (await ingestSnapshot(this.sql, { region: regionOf(feed), files: [file], asOf })).outcome;
	}

	#start(feed: KilledFeed, list: List): Running {
		return this.#run(["--region", regionOf(feed), "--as-of", list.asOf, list.file.path]);
	}

	#run(args: string[]): Running {
		const child = spawn(process.execPath, [program, ...args], {
			env: { ...process.env, POSTGRES_URL: this.#url },
			stdio: ["ignore", "pipe", "pipe"],
		});
		let out = "";
		let errors = "";
		child.stdout.on("data", (chunk) => {
			out += chunk;
		});
		child.stderr.on("data", (chunk) => {
			errors += chunk;
		});
		const ended = new Promise<Ended>((resolve) =>
			child.once("close", (code, signal) => resolve({ code, signal, out, errors })),
		);
		return { child, ended };
	}

	async #kill({ child, ended }: Running, afterMs: number): Promise<void> {
		const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
		const { code, signal, errors } = await ended;
		clearTimeout(timer);
		this.tally.runs++;
		if (signal === "SIGKILL") this.tally.killed++;
		else expect(code, errors).toBe(0);
		await this.#allGone();
	}

	/** The server notices that its client is dead when it next speaks to it; until then it may still commit. */
	async #allGone(): Promise<void> {
		const sessions = () =>
			this.sql`select from pg_stat_activity where datname = current_database() and application_name = 'ingest'`;
		await eventually(async () => (await sessions()).count === 0, { withinMs: 60_000 });
	}

	/** After a kill: what was committed is in the model; else the file is taken in again, or left for the next one. */
	async #settle(feed: KilledFeed, list: List): Promise<void> {
		const committed = await this.#noteCommit(feed, list);
		if (committed) this.tally.committed++;
		else if (await this.#isBegun(list)) this.tally.begun++;
		if (this.#next() < 0.6) await this.#complete(feed, list, committed ? "unchanged" : "applied");
	}

	async #complete(feed: KilledFeed, list: List, expected: string): Promise<void> {
		expect(await this.#ingest(feed, list)).toBe(expected);
		if (expected === "applied") expect(await this.#noteCommit(feed, list)).toBe(true);
	}

	async #noteCommit(feed: KilledFeed, list: List): Promise<boolean> {
		const committed = await this.#isApplied(feed, list);
		if (committed) this.#feeds[feed].model.apply(list.rows, list.asOf);
		return committed;
	}

	async #isApplied(feed: KilledFeed, { sha256 }: List): Promise<boolean> {
		const [row] = await this.sql<{ sha256: string | null }[]>`
			select applied_sha256 as sha256 from feeds where feed = ${feed}`;
		return row?.sha256 === sha256;
	}

	async #isBegun({ sha256 }: List): Promise<boolean> {
		const rows = await this.sql`
			select from snapshot_files f join snapshots s on s.id = f.snapshot_id
			where f.sha256 = ${sha256} and s.outcome = 'started'`;
		return rows.count > 0;
	}

	/** Everything that must hold at any time. */
	async check(): Promise<void> {
		await this.#checkSequence();
		await this.#checkHistory();
		await this.#checkOutbox();
		for (const feed of killedFeeds) {
			await this.#checkProjects(feed);
			await this.#checkChanges(feed);
			await this.#checkReplay(feed);
			await this.#checkSnapshots(feed);
		}
	}

	async #checkSequence(): Promise<void> {
		const [row] = await this.sql<{ n: number; least: number; most: number; doubled: number }[]>`
			select count(*) as n, coalesce(min(seq), 1) as least, coalesce(max(seq), 0) as most,
				(select count(*) from (select from changes group by project_id, detected_at, field_name, change_type
					having count(*) > 1) twice) as doubled
			from changes`;
		this.tally.changes = row?.n ?? 0;
		expect(row).toEqual({ n: row?.n, least: 1, most: row?.n, doubled: 0 });
		const [disorder] = await this.sql<{ n: number }[]>`
			select count(*) as n from changes a join changes b on b.seq = a.seq + 1 where b.snapshot_id < a.snapshot_id
				and b.region = a.region`;
		expect(disorder?.n).toBe(0);
	}

	/** Versions 1 to n of each project, each beginning where the one before ends, and the last one open and the one served. */
	async #checkHistory(): Promise<void> {
		const broken = await this.sql`
			with v as (
				select project_id, version, valid_from, valid_to,
					row_number() over w as nth, lead(valid_from) over w as next_from
				from project_versions window w as (partition by project_id order by version))
			select v.project_id, v.version from v
			where version <> nth or valid_to is distinct from next_from or valid_to < valid_from`;
		expect([...broken]).toEqual([]);
		const stale = await this.sql`
			select p.id from projects p left join project_history v on v.id = p.id and v.version = p.version and v.valid_to is null
			where state_body(v) is distinct from p.body
				or (select count(*) from project_versions o where o.project_id = p.id and o.valid_to is null) <> 1
				or (select count(*) from project_versions o where o.project_id = p.id) <> p.version`;
		expect([...stale]).toEqual([]);
	}

	/** One event for each version that was written, none for what was not, and one for each applied list. */
	async #checkOutbox(): Promise<void> {
		const wrong = await this.sql`
			with events as (select event_id from outbox where event_id like 'project.changed:%'),
				versions as (select 'project.changed:' || project_id || ':' || version as event_id from project_versions)
			select event_id, count(e.event_id) as events, count(v.event_id) as versions
			from events e full join versions v using (event_id) group by event_id
			having count(e.event_id) <> 1 or count(v.event_id) <> 1`;
		expect([...wrong]).toEqual([]);
		const [written] = await this.sql<{ lists: number; events: number; changes: number; listed: number }[]>`
			select (select count(*) from snapshots where outcome = 'applied') as lists,
				(select count(distinct event_id) from outbox where event_id like 'snapshot.applied:%') as events,
				(select count(*) from changes where change_type <> 'raw_update') as changes,
				(select coalesce(sum(json_array_length(payload::json -> 'changes')), 0) from outbox
					where event_id like 'project.changed:%') as listed`;
		expect(written?.events).toBe(written?.lists);
		expect(written?.listed).toBe(written?.changes);
	}

	async #checkProjects(feed: KilledFeed): Promise<void> {
		const { model } = this.#feeds[feed];
		const stored = await this.sql`
			select id, status, capacity_mw, cod::text as cod, version, iso(missing_since) as missing,
				iso(disappeared_at) as disappeared
			from projects where feed = ${feed} order by id collate "C"`;
		const expected = [...model.projects].map(([id, { row, version, missingSince, disappearedAt }]) => ({
			...{ id, status: model.word(row), capacity_mw: row.mw, cod: row.cod, version },
			...{ missing: missingSince, disappeared: disappearedAt },
		}));
		expect([...stored]).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)));
	}

	async #checkChanges(feed: KilledFeed): Promise<void> {
		const stored = await this.sql<{ line: string }[]>`
			select concat_ws(' | ', project_id, iso(detected_at), change_type, coalesce(field_name, ''), coalesce(old_value, ''),
				coalesce(new_value, '')) as line
			from changes where feed = ${feed} and ${isForetold(this.sql)}`;
		expect(stored.map(({ line }) => line).sort()).toEqual([...this.#feeds[feed].model.changes].sort());
	}

	/** A reader who has seen every change from the baseline on knows the status and the capacity of each project. */
	async #checkReplay(feed: KilledFeed): Promise<void> {
		const known = new Map<string, Record<string, string | null>>();
		for (const { id, status, capacity } of await this.sql<{ id: string; status: string; capacity: string }[]>`
			select v.project_id as id, v.status, v.capacity_mw::text as capacity
			from project_versions v join projects p on p.id = v.project_id where v.version = 1 and p.feed = ${feed}`)
			known.set(id, { status, capacity_mw: capacity });
		const changes = await this.sql<{ id: string; field: string; from: string; to: string }[]>`
			select project_id as id, field_name as field, old_value as from, new_value as to from changes
			where feed = ${feed} and change_type in ('status_change', 'capacity_change') order by seq`;
		for (const { id, field, from, to } of changes) {
			const project = known.get(id);
			expect(project?.[field], `${field} of ${id}`).toBe(from);
			if (project !== undefined) project[field] = to;
		}
		const stored = await this.sql<{ id: string; status: string; capacity_mw: string }[]>`
			select id, status, capacity_mw::text as capacity_mw from projects where feed = ${feed}`;
		expect(known).toEqual(new Map(stored.map(({ id, ...facts }) => [id, facts])));
	}

	/** A snapshot records what it did; the second of two equal lists did nothing. */
	async #checkSnapshots(feed: KilledFeed): Promise<void> {
		const region = regionOf(feed);
		const stored = await this.sql<(Counts & { asOf: string; written: number })[]>`
			select iso(as_of) as "asOf", rows, new, changed, disappeared,
				(select count(*) from changes c where c.snapshot_id = s.id and c.change_type not in ('first_listed', 'raw_update')) as written
			from snapshots s where region = ${region} and outcome = 'applied' order by id`;
		const byTime = Map.groupBy(stored, ({ asOf }) => asOf);
		const done = [...byTime.values()].map((twins) => {
			const [one, ...more] = twins.sort((a, b) => work(b) - work(a));
			for (const { asOf: _, rows: __, ...counts } of more)
				expect(counts).toEqual({ new: 0, changed: 0, disappeared: 0, written: 0 });
			return { rows: one?.rows, new: one?.new, changed: one?.changed, disappeared: one?.disappeared, asOf: one?.asOf };
		});
		expect(done).toEqual(this.#feeds[feed].model.applied);
		const others = await this.sql`
			select outcome, reason from snapshots where region = ${region} and outcome not in ('applied', 'started', 'unchanged')`;
		expect([...others]).toEqual([]);
	}
}

interface List {
	file: IncomingFile;
	asOf: string;
	sha256: string;
	rows: QueueRow[];
}

interface Ended {
	code: number | null;
	signal: NodeJS.Signals | null;
	out: string;
	errors: string;
}

interface Running {
	child: ChildProcess;
	ended: Promise<Ended>;
}

const work = (counts: Counts & { written: number }) =>
	counts.new + counts.changed + counts.disappeared + counts.written;

/** The outcome that the program says in its last line; its exit code says the same. */
async function outcomeOf({ ended }: Running): Promise<string> {
	const { code, out, errors } = await ended;
	expect(code, `${out}\n${errors}`).toBe(0);
	const { outcome }: { outcome: string } = JSON.parse(out.trim().split("\n").at(-1) ?? "");
	return outcome;
}

/** Runs a whole campaign and answers what became of it. */
export async function runCampaign({ runs, seed, rows, checkEvery }: Campaign): Promise<RunCounts> {
	await using campaign = await KillCampaign.open({ seed, rows });
	for (let step = 1; campaign.tally.runs < runs; step++) {
		await campaign.step();
		if (step % checkEvery === 0) await campaign.check();
	}
	await campaign.check();
	return campaign.tally;
}
