/** The change feed as server-sent events: from any `seq` into the present, equal to `/changes`. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { freePort, root } from "../../deploy/local/data-dir.ts";
import { mainArguments } from "../../deploy/local/services.ts";
import { unlimitedKey } from "../api/support/walk.ts";
import { eventually } from "../support/eventually.ts";
import { openHome } from "../support/home.ts";
import { withFiled } from "../support/rebuilt.ts";
import { startRedis } from "../support/servers.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Client, follow } from "./support/client.ts";
import { type Lists, openLists } from "./support/lists.ts";

type Row = Record<string, unknown> & { seq: number };

let world: World;
let key: string;
let lists: Lists;
let open = new DisposableStack();

const stream = (query: string, options: object = {}): Client =>
	open.use(follow(`${world.url}/changes/stream?${query}`, { key, ...options }));

/** The whole log after a number, page by page. */
async function log(query: string, after = 0): Promise<Row[]> {
	const shape = z.object({ data: z.array(z.looseObject({ seq: z.number() })), next: z.number() });
	const rows: Row[] = [];
	for (let at = after; ; ) {
		const answer = await fetch(`${world.url}/changes?after=${at}&per_page=500&${query}`, {
			headers: { "x-api-key": key },
		});
		const { data, next } = shape.parse(await answer.json());
		rows.push(...data);
		if (next === at) return rows;
		at = next;
	}
}

const seqs = (rows: Row[]) => rows.map(({ seq }) => seq);

beforeAll(async () => {
	world = await startWorld({ data: "none", gateway: { EVENT_STREAM_HEARTBEAT_MS: "100" } });
	lists = await openLists(world);
	await lists.next(["J1001", "J1002", "J1003", "J1004"]);
	for (let day = 0; day < 8; day++) await lists.next([`J${1001 + (day % 4)}`, `J${1005 + day}`]);
	await lists.next(["J1007"], { status: "Withdrawn", withdrawn: "2026-02-01", state: "TX", county: "Harris" });
	await lists.next(["J1008"], { fuel: "Wind", facility: "Wind Turbine", state: "IA", county: "O'Brien" });
	await world.settled();
	key = await unlimitedKey(world);
}, 120_000);
afterEach(() => {
	open.dispose();
	open = new DisposableStack();
});
afterAll(() => world?.[Symbol.asyncDispose]());

test("a stream from the beginning delivers each seq once, in order, with the rows of /changes", async () => {
	const client = stream("after=0");
	const withRows = stream("after=0&include=row");
	const whole = stream("after=0&include=row,raw");
	await lists.next(["J1001", "J1200"]);
	await eventually(async () => expect(withRows.ids().at(-1)).toBe(await lists.newest()));
	await lists.next(["J1002", "J1201"]);
	const newest = await lists.newest();
	await eventually(() => expect([client.ids().at(-1), withRows.ids().at(-1)]).toEqual([newest, newest]));
	await eventually(() => expect(whole.ids()).toEqual(Array.from({ length: newest }, (_, at) => at + 1)));
	expect(whole.received.map(({ data }) => withFiled(data))).toEqual((await log("include=row,raw")).map(withFiled));
	const logged = await log("include=row");
	expect(withRows.received.map(({ data }) => withFiled(data))).toEqual(logged.map(withFiled));
	expect(client.received.map(({ data }) => data)).toEqual(await log(""));
	expect(new Set([...client.received, ...withRows.received].map(({ event }) => event))).toEqual(
		new Set(["change.recorded"]),
	);
});

test("a page of this service receives notice of changes without their data", async () => {
	const [cookie = ""] = (
		await fetch(`${world.url}/changes`, { headers: { accept: "text/html" } })
	).headers.getSetCookie();
	const page = { headers: { cookie: cookie.split(";", 1)[0] ?? "" }, lastEventId: "0" };
	const client = open.use(follow(`${world.url}/web/data/changes/stream?include=row`, page));
	await eventually(() => expect(client.opened).toBe(1));
	const before = await lists.newest();
	await lists.next(["J1001"]);
	await eventually(() => expect(client.ids().length).toBeGreaterThan(0));
	expect(client.ids()[0]).toBeGreaterThan(before);
	for (const { event, data } of client.received)
		expect({ event, data }).toEqual({ event: "change.recorded", data: null });
});

test("a stream starts at any position, by parameter or Last-Event-ID, which takes precedence", async () => {
	const all = seqs(await log("include=row"));
	const places = [0, 1, 59, 60, 61, 99, 100, 101, all.length - 1, all.length];
	const clients = places.map(
		(at) =>
			[at, stream(`include=row&after=${at}`), stream("include=row&after=3", { lastEventId: String(at) })] as const,
	);
	await lists.next(["J1003"]);
	const more = await eventually(async () => {
		const seen = seqs(await log("include=row"));
		return seen.length > all.length && seen;
	});
	for (const [at, ...both] of clients)
		for (const client of both) await eventually(() => expect(client.ids()).toEqual(more.filter((seq) => seq > at)));
});

describe("filters select the same changes as /changes", () => {
	test.each([
		"change_type=status_change,field_update",
		"change_type=first_listed",
		"include_evidence=true",
		"include=raw",
		"change_type=raw_update",
		"include=row&change_type=capacity_change",
		"id=MISO-J1001,MISO-J1009",
		"region=PJM,MISO",
		"region=PJM",
		"county=o%27brien",
		"status=withdrawn",
		"q=J1008&state=IA",
		"listed=listed",
		"capacity_min=102",
		"lat=43&lon=-95.6&radius_km=30",
		"construction_stage=withdrawn,early",
	])("%s", async (query) => {
		const expected = await log(query);
		const client = stream(`after=0&${query}`);
		const marker = stream("after=0&include=row");
		await eventually(async () => expect(marker.ids().at(-1)).toBe(await lists.newest()));
		// Credits may add something between the two readings.
		const now = (rows: Row[]) =>
			rows.filter((row) => !changedLater.has(String(row.project_id)) || !byRequest.test(query)).map(withFiled);
		await eventually(() => expect(now(client.received.map(({ data }) => data as Row))).toEqual(now(expected)));
	});
	const byRequest = /lat=|state|county|fuel|status=|q=|capacity_min|construction/;
	/** Requests that /changes shows as they are now, the stream as they were. */
	const changedLater = new Set(["MISO-J1001", "MISO-J1002", "MISO-J1003", "MISO-J1004", "MISO-J1007", "MISO-J1008"]);
});

test("filters apply to the request after the change, not as it is now", async () => {
	const client = stream("after=0&state=TX");
	const [last] = (await log("project_id=MISO-J1007")).slice(-1);
	await eventually(() => expect(client.ids()).toContain(last?.seq));
	expect(client.received.filter(({ data }) => data.project_id === "MISO-J1007").length).toBeLessThan(
		(await log("project_id=MISO-J1007")).length,
	);
	await lists.next(["J1300"], { state: "TX", county: "Harris" });
	await eventually(() => expect(client.received.at(-1)?.data).toMatchObject({ project_id: "MISO-J1300", state: "TX" }));
});

test("a stream without a position begins now, and a heartbeat states its position", async () => {
	const answer = await fetch(`${world.url}/changes/stream?state=HI`, { headers: { "x-api-key": key } });
	expect(Object.fromEntries(answer.headers)).toMatchObject({
		"content-type": "text/event-stream",
		"cache-control": "no-store",
		"x-accel-buffering": "no",
	});
	const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
	let text = "";
	const read = async (until: string) => {
		while (!text.includes(until)) text += (await reader?.read())?.value ?? "";
	};
	const newest = await lists.newest();
	await read(`retry: 2000\nid: ${newest}\n\n`);
	await read(`:\nid: ${newest}\n\n`);
	await lists.next(["J1004"]);
	await read(`:\nid: ${await lists.newest()}\n\n`);
	expect(text).not.toContain("data:");
	await reader?.cancel();
});

test("a gateway that is stopped by SIGTERM ends its streams cleanly, and another continues from their last ids", async () => {
	await using redis = await startRedis();
	await using home = openHome();
	const login = world.nats.login("gateway");
	const port = await freePort();
	const drainMs = 20_000;
	const gateway = home.children.launch({
		name: "gateway",
		program: process.execPath,
		args: mainArguments("gateway"),
		cwd: root,
		env: {
			...process.env,
			...{ HOST: "127.0.0.1", PORT: String(port), HEALTH_HOST: "127.0.0.1", DRAIN_MS: String(drainMs) },
			...{ NATS_URL: world.nats.url, REDIS_URL: redis.url },
			...(login !== undefined && { NATS_USER: login.user, NATS_PASSWORD: login.password }),
			...{ ANONYMOUS_PER_MINUTE: "0", EVENT_STREAMS_PER_CALLER: "1000" },
		},
	});
	await eventually(async () => (await fetch(`http://127.0.0.1:${port}/health`)).ok, { withinMs: 30_000 });
	const newest = await lists.newest();
	const first = newest - 9;
	const query = `include=row,raw&after=${first - 1}`;
	const streams = Array.from({ length: 100 }, () => read(`http://127.0.0.1:${port}/changes/stream?${query}`));
	await eventually(() => {
		for (const { text } of streams) expect(text()).toContain(`id: ${newest}\n`);
		return true;
	});
	const stoppedAt = performance.now();
	process.kill(gateway.pid, "SIGTERM");
	// Each body has an end; one that is cut off rejects.
	const ends = await Promise.all(streams.map(({ end }) => end));
	expect((await gateway.exited).code).toBe(0);
	expect(performance.now() - stoppedAt).toBeLessThan(drainMs);
	await lists.next(["J1001", "J1302"]);
	const now = await lists.newest();
	const between = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
	for (const text of ends) {
		// Whole events, to the last byte.
		expect(text.endsWith("\n\n")).toBe(true);
		expect([...text.matchAll(/^id: (\d+)\nevent: /gm)].map(([, id]) => Number(id))).toEqual(between(first, newest));
	}
	const resumed = stream(query, { lastEventId: String(newest) });
	await eventually(() => expect(resumed.ids()).toEqual(between(newest + 1, now)));
});

/** Everything that a stream sends, until its end. */
function read(url: string): { text(): string; end: Promise<string> } {
	let text = "";
	const end = (async () => {
		const answer = await fetch(url);
		if (answer.status !== 200 || answer.body === null) throw new Error(`${answer.status}`);
		for await (const part of answer.body.pipeThrough(new TextDecoderStream())) text += part;
		return text;
	})();
	// Its error is thrown where it is awaited.
	end.catch(() => {});
	return { text: () => text, end };
}
