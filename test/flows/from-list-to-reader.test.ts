/** A headline's and a list's way through everything: ingested, matched, published to subscribers, seen by readers with cached responses. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { react } from "#libs/bus/events/react.ts";
import { projectChanged } from "#libs/contract/events/queue-ingest.ts";
import { newsRecorded } from "#libs/contract/events/signals.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { enqueueAll } from "../../services/scoring/tables/recompute-queue.ts";
import { storeArticles } from "../../services/signals/news/store-articles.ts";
import { pineGateHeadlines } from "../scoring/support/pine-gate.ts";
import { article } from "../signals/support/records.ts";
import { eventually } from "../support/eventually.ts";
import { queueFile, queueNumber, queueRows } from "../support/queue-files.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
const rows = queueRows("miso");
const received: { project: { id: string; status_std: string }; version: number; changes: { change_type: string }[] }[] =
	[];

beforeAll(async () => {
	world = await startWorld({ data: "none" });
});
afterAll(() => world[Symbol.asyncDispose]());

const take = async (list: typeof rows, hoursAgo: number) => {
	const asOf = new Date(world.clock.now.getTime() - hoursAgo * 3_600_000).toISOString();
	return ingestSnapshot(world.sql, { region: "MISO", files: [await queueFile("miso", list)], asOf });
};
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${world.url}${path}`, { headers });

test("a load balancer gets 503 before any data is loaded", async () => {
	const response = await get("/health");
	expect([response.status, await response.json()]).toEqual([
		503,
		expect.objectContaining({ detail: expect.stringContaining("0 rows") }),
	]);
});

const ask = async (path: string) => {
	const response = await fetch(`${world.url}${path}`);
	return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

test("a headline about a developer of the register reaches a reader with a cached response and a subscriber, once each", async () => {
	await world.settled();
	const announced: { title: string; version: number }[] = [];
	await using _reaction = await react(world.operator, world.sql, {
		service: "queue-ingest",
		name: "listen-to-news",
		event: newsRecorded,
		handler: async (_tx, events) => void announced.push(...events),
	});
	const path = "/events?developer=silicon%20ranch&days=365";
	expect(await ask(path)).toMatchObject({ status: 200, body: { data: [], meta: { total: 0 } } });
	const publishedAt = new Date(world.clock.now.getTime() - 3_600_000).toISOString().replace(/\.\d+Z/, "Z");
	const story = article({ title: "Silicon Ranch raises $500 million from AIP Management", publishedAt });
	await storeArticles(world.signalsSql, [story]);
	await storeArticles(world.signalsSql, [story]);
	const { body } = await eventually(async () => {
		const answer = await ask(path);
		return (answer.body.meta as { total: number }).total === 1 && answer;
	});
	expect(body.data).toEqual([
		expect.objectContaining({ developer_canonical: "Silicon Ranch", event_type: "financing", match_confidence: 0.9 }),
	]);
	await eventually(() => announced.length > 0);
	await world.settled();
	expect(announced.map(({ title, version }) => [title, version])).toEqual([[story.title, 1]]);
	expect(await ask("/developers/Silicon%20Ranch/events")).toMatchObject({
		status: 200,
		body: { developer: "Silicon Ranch", meta: { total: 1 } },
	});
	expect((await ask("/developers/unknown/events")).status).toBe(404);
});

test("health and freshness show the data of both services", async () => {
	const { body: health } = await ask("/health/detailed");
	expect((health.databases as { name: string }[]).map(({ name }) => name)).toEqual(
		expect.arrayContaining(["master", "signals", "capital"]),
	);
	const { body: fresh } = await ask("/health/freshness");
	const names = (fresh.pipelines as { pipeline: string }[]).map(({ pipeline }) => pipeline);
	expect(names).toEqual(expect.arrayContaining(["news", "8-k", "form-d"]));
	expect(fresh.never).toEqual(expect.arrayContaining(["news", "8-k", "form-d"]));
	const { body: sources } = await ask("/source-freshness");
	expect((sources.sources as { source: string }[]).map(({ source }) => source)).toEqual(expect.arrayContaining(names));
	expect(sources.total_sources).toBe((sources.sources as unknown[]).length);
	expect(sources.sources).toContainEqual(
		expect.objectContaining({ database: "capital", source: "form-d", records: 0 }),
	);
});

test("two loads of the same news at once store it once", async () => {
	const stories = Array.from({ length: 40 }, (_, at) =>
		article({ title: `Silicon Ranch plans solar farm number ${at} in Georgia`, domain: `outlet${at % 3}.com` }),
	);
	const done = await Promise.all([1, 2, 3].map(() => storeArticles(world.signalsSql, stories)));
	expect(done.map(({ stored }) => stored).sort((a, b) => a - b)).toEqual([0, 0, 40]);
});

interface Profile {
	distress_signal: { level: string; score: number; components: { bankruptcy: boolean } | null };
	needs_capital: boolean;
	needs_capital_reasons: string[];
	signal_events: { distress_events: number };
}

/** The profile of a developer on a day, when the headlines up to it have arrived. */
async function on(day: string, developer: string): Promise<Profile> {
	world.clock.now = new Date(`${day}T23:00:00Z`);
	await storeArticles(
		world.signalsSql,
		pineGateHeadlines
			.filter((headline) => headline.on <= day)
			.map(({ on: published, title, domain }) => article({ title, domain, publishedAt: `${published}T09:00:00Z` })),
	);
	// The day may be an earlier one than the last: everything is computed anew.
	await world.scoringSql.begin((tx) => enqueueAll(tx));
	await world.settled();
	const response = await fetch(`${world.url}/developers/${encodeURIComponent(developer)}/capital`);
	expect([developer, response.status]).toEqual([developer, 200]);
	return (await response.json()) as Profile;
}

test("Pine Gate's distress is not High on rumours, is High once two outlets report the filing, and it needs capital before", async () => {
	const before = await on("2025-09-20", "Pine Gate Renewables");
	expect(before.distress_signal.level).not.toBe("High");
	const rumours = await on("2025-11-05", "Pine Gate Renewables");
	expect(rumours.distress_signal.components?.bankruptcy).toBe(false);
	expect(rumours.distress_signal.level).not.toBe("High");
	expect(rumours.signal_events.distress_events).toBeGreaterThan(before.signal_events.distress_events);
	expect(rumours.needs_capital).toBe(true);
	expect(rumours.needs_capital_reasons.join(" ")).toContain("seeks buyers");
	const after = await on("2025-11-06", "Pine Gate Renewables");
	expect(after.distress_signal).toMatchObject({ level: "High", components: { bankruptcy: true } });
	expect(after.distress_signal.score).toBeGreaterThanOrEqual(85);
	const row = await eventually(async () => {
		const response = await fetch(`${world.url}/developers?q=Pine%20Gate&needs_capital=true`);
		const { data } = (await response.json()) as { data: { canonical_name: string }[] };
		return data.find(({ canonical_name }) => canonical_name === "Pine Gate Renewables");
	});
	expect(row).toMatchObject({ needs_capital: true });
	const leaders = await fetch(`${world.url}/capital/leaderboard?sort=distress&limit=1`);
	expect(((await leaders.json()) as { data: { developer: string }[] }).data[0]?.developer).toBe("Pine Gate Renewables");
	// Two years on the filing is history.
	const history = await on("2027-12-31", "Pine Gate Renewables");
	expect(history.distress_signal).toMatchObject({ level: "unknown", score: 0 });
});

test("a large healthy utility is not in distress, whatever headlines mention it", async () => {
	const titles = [
		"Duke Energy closes $1.2 billion green bond",
		"Duke Energy wins approval for solar farm",
		"Contractor of Duke Energy files for Chapter 11 bankruptcy",
		"Supplier to Duke Energy enters Chapter 11 bankruptcy",
		"Duke Energy announces quarterly dividend",
	];
	world.clock.now = new Date("2026-11-20T12:00:00Z");
	await storeArticles(
		world.signalsSql,
		titles.map((title, at) => article({ title, domain: `outlet${at}.example`, publishedAt: "2026-10-01T09:00:00Z" })),
	);
	const utility = await on("2026-11-20", "Duke Energy");
	// No list of requests is loaded, so that the headlines alone do not make it Low.
	expect(utility.distress_signal).toMatchObject({ level: "unknown", judged: true });
	expect(utility.distress_signal.components?.bankruptcy).not.toBe(true);
});

test("a withdrawal reaches a reader with a cached response, the change feed and a subscriber, once each", async () => {
	world.clock.now = new Date();
	await using _reaction = await react(world.operator, world.sql, {
		service: "queue-ingest",
		name: "listen-to-requests",
		event: projectChanged,
		handler: async (_tx, events) => void received.push(...events),
	});
	expect(await take(rows, 24)).toMatchObject({ outcome: "applied", new: 120 });
	await eventually(() => received.length === 120);
	const active = rows.find((row) => row.status === "active");
	if (active === undefined) throw new Error("the generated list has no active request");
	const path = `/projects/MISO-${active.number}`;
	const before = await eventually(async () => {
		const response = await get(path);
		return response.ok && response;
	});
	expect(await before.json()).toMatchObject({ status_std: "Active", version: 1 });
	const etag = before.headers.get("etag") ?? "";
	expect((await get(path, { "if-none-match": etag })).status).toBe(304);

	const today = rows.map((row) =>
		row === active ? { ...row, status: "withdrawn" as const, ended: "2026-11-01" } : row,
	);
	expect(await take(today, 1)).toMatchObject({ outcome: "applied", status_changes: 1, withdrawn: 1, new: 0 });
	const after = await eventually(async () => {
		const response = await get(path, { "if-none-match": etag });
		return response.status === 200 && response;
	});
	expect(await after.json()).toMatchObject({ status_std: "Withdrawn", construction_stage: "withdrawn", version: 2 });

	const { data } = (await (await get("/changes?change_type=status_change")).json()) as {
		data: { project_id: string }[];
	};
	expect(data).toEqual([
		expect.objectContaining({ project_id: `MISO-${active.number}`, old_value: "Active", new_value: "Withdrawn" }),
	]);
	await eventually(() => received.length > 120);
	await world.settled();
	const later = received.slice(120);
	expect(later.map(({ project, version }) => [project.id, project.status_std, version])).toEqual([
		[`MISO-${active.number}`, "Withdrawn", 2],
	]);
	expect(later[0]?.changes.map((change) => change.change_type)).toContain("status_change");
});

test("a number in another spelling leads to the same project through the gateway", async () => {
	const number = queueNumber("miso", 7);
	const ids = await Promise.all(
		[`MISO-${number}`, `miso-${number.toLowerCase()}`, `${number}?region=MISO`, `%20${number}%20`].map(
			async (path) => ((await (await get(`/projects/${path}`)).json()) as { id: string }).id,
		),
	);
	expect(ids).toEqual(Array(4).fill(`MISO-${number}`));
});

test("a list read by cursor during an ingest, plus the later changes, equals the present", async () => {
	await world.settled();
	const list = "/projects?region=MISO";
	const read = async (path: string) => (await get(path)).json() as Promise<unknown>;
	const copy = new Map<string, { id: string }>();
	let next: number | undefined;
	for (let cursor: string | null = "*"; cursor !== null; ) {
		const { data, meta } = (await read(`${list}&per_page=50&cursor=${cursor}`)) as {
			data: { id: string }[];
			meta: { next_cursor: string | null; seq?: number };
		};
		for (const row of data) copy.set(row.id, row);
		if (cursor === "*") {
			next = meta.seq;
			const last = rows.findLast((row) => row.status === "active");
			const later = rows.map((row) =>
				row === last ? { ...row, status: "withdrawn" as const, ended: "2026-11-02" } : row,
			);
			expect(await take(later, 0.5)).toMatchObject({ outcome: "applied" });
		}
		cursor = meta.next_cursor;
	}
	const changed = await eventually(async () => {
		const log = (await read(`/changes?after=${next}`)) as { data: { project_id: string }[]; next: number };
		return log.data.length > 0 && log;
	});
	expect(await read(`/changes?after=${changed.next}`)).toMatchObject({ data: [], next: changed.next });
	await world.settled();
	for (const { project_id } of changed.data)
		copy.set(project_id, (await read(`/projects/${project_id}`)) as { id: string });
	const statusOf = (rows: Iterable<unknown>) =>
		[...(rows as Iterable<{ id: string; status_std: string }>)]
			.map(({ id, status_std }) => `${id} ${status_std}`)
			.sort();
	const { data: present } = (await read(`${list}&per_page=500`)) as { data: unknown[] };
	expect(statusOf(copy.values())).toEqual(statusOf(present));
});

test("a cursor through the changes reads each existing change once while further lists are ingested", async () => {
	await world.settled();
	const path = "/changes?since_days=2&region=MISO&per_page=2";
	interface Answer {
		data: { seq: number }[];
		total: number;
		next_cursor?: string | null;
	}
	const seen: number[] = [];
	const totals = new Set<number>();
	let taken = 0;
	for (let cursor: string | null = "*"; cursor !== null; ) {
		const response = await get(`${path}&cursor=${cursor}`);
		expect(response.status).toBe(200);
		const { data, total, next_cursor } = (await response.json()) as Answer;
		seen.push(...data.map(({ seq }) => seq));
		totals.add(total);
		const next = rows.map((row, at) =>
			at % 40 === taken && row.status === "active"
				? { ...row, status: "withdrawn" as const, ended: "2026-11-02" }
				: row,
		);
		taken++;
		expect(await take(next, 0.5 - taken / 100)).toMatchObject({ outcome: "applied" });
		cursor = next_cursor ?? null;
	}
	const [total] = totals;
	expect(total).toBeGreaterThan(2);
	const newest = seen[0] ?? 0;
	expect(seen).toEqual(Array.from({ length: total ?? 0 }, (_, at) => newest - at));
	const now = (await (await get(`/changes?since_days=2&region=MISO&per_page=500`)).json()) as Answer;
	expect(now.total).toBeGreaterThan(total ?? 0);
	expect(now).not.toHaveProperty("next_cursor");
});
