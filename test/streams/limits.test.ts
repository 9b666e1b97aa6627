/** Streams: refusals, how many there may be, and who is disconnected. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { register } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { streamLog } from "#libs/bus/events/stream-log.ts";
import { newKey, unlimitedKey } from "../api/support/walk.ts";
import { eventually } from "../support/eventually.ts";
import { startWorld, type World } from "../support/world.ts";
import { follow } from "./support/client.ts";

const paths = ["/changes/stream", "/scores/stream", "/events/stream"];

let world: World;
let key: string;

beforeAll(async () => {
	world = await startWorld({
		data: "none",
		gateway: {
			EVENT_STREAM_HEARTBEAT_MS: "50",
			EVENT_STREAMS_PER_CALLER: "3",
			EVENT_STREAMS_MAX: "5",
			EVENT_STREAMS_PER_NETWORK: "2",
			EVENT_STREAMS_KEYLESS: "4",
			TRUSTED_PROXIES: "127.0.0.1",
			EVENT_STREAM_BUFFER_BYTES: "20000",
			REGISTRATIONS_PER_HOUR: "1000",
		},
	});
	key = await unlimitedKey(world);
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** An open stream, whose body is not read, or an answer. */
async function open(path: string, headers: Record<string, string> = { "x-api-key": key }, method = "GET") {
	const gone = new AbortController();
	const answer = await fetch(world.url + path, { method, headers, signal: gone.signal });
	return { answer, status: answer.status, [Symbol.dispose]: () => gone.abort() };
}

const cuts = async () =>
	(await register.getSingleMetric("gateway_event_streams_cut_total")?.get())?.values[0]?.value ?? 0;

const isFree = () =>
	eventually(async () => {
		using stream = await open("/changes/stream");
		return stream.status === 200;
	});

describe.each(paths)("%s", (path) => {
	test.each<[string, string, Record<string, string>]>([
		["as_of=2026-01-01", "as_of", {}],
		["cursor=*", "cursor", {}],
		["after=999999999", "after", {}],
		["after=-1", "after", {}],
		["after=x", "after", {}],
		["", "Last-Event-ID", { "last-event-id": "999999999" }],
		["after=0", "Last-Event-ID", { "last-event-id": "abc" }],
		["after=0", "Last-Event-ID", { "last-event-id": "-1" }],
		["after=0", "Last-Event-ID", { "last-event-id": "99999999999999999999" }],
		["colour=red", "colour", {}],
		[
			path === "/changes/stream" ? "since_days=7" : "region=PJM",
			path === "/changes/stream" ? "since_days" : "region",
			{},
		],
		[
			path === "/changes/stream" ? "updated_since=2026-01-01" : "q=sun",
			path === "/changes/stream" ? "updated_since" : "q",
			{},
		],
	])("?%s is refused, and says that it is %s", async (query, field, headers) => {
		const { answer, status } = await open(`${path}?${query}`, { "x-api-key": key, ...headers });
		expect(status).toBe(422);
		expect(await answer.json()).toMatchObject({
			detail: expect.stringContaining(field),
			errors: expect.arrayContaining([expect.objectContaining({ loc: expect.arrayContaining([field]) })]),
		});
	});

	test("HEAD answers headers alone", async () => {
		const { answer, status } = await open(path, undefined, "HEAD");
		expect([status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
		expect((await answer.text()).length).toBe(0);
	});

	test("counts one query of a key when it opens", async () => {
		const own = await newKey(world.url);
		const used = async () => {
			const answer = await fetch(`${world.url}/usage`, { headers: { "x-api-key": own } });
			return JSON.stringify(await answer.json());
		};
		using stream = await open(path, { "x-api-key": own });
		expect(stream.status).toBe(200);
		await eventually(async () => expect(await used()).toMatch(/"used":1\b/));
	});
});

test("without a paid plan the addresses of a network have a share together, and all networks leave places to paid plans", async () => {
	await isFree();
	const keys = await Promise.all([1, 2, 3, 4].map(() => newKey(world.url)));
	{
		using stack = new DisposableStack();
		const from = async (address: string, freeKey?: string) => {
			const headers = { "x-forwarded-for": address, ...(freeKey !== undefined && { "x-api-key": freeKey }) };
			return stack.use(await open("/changes/stream", headers)).answer;
		};
		expect([await from("2001:db8:1:1::1"), await from("2001:db8:1:2::1", keys[0])].map(({ status }) => status)).toEqual(
			[200, 200],
		);
		const neighbour = await from("2001:db8:1:ffff::1", keys[1]);
		expect([neighbour.status, await neighbour.text()]).toEqual([429, expect.stringContaining("2001:db8:1::/48")]);
		expect([await from("2001:db8:2:1::1", keys[2]), await from("192.0.2.1")].map(({ status }) => status)).toEqual([
			200, 200,
		]);
		for (const freeKey of [undefined, keys[3]]) expect((await from("2001:db8:3:1::1", freeKey)).status).toBe(503);
		expect(stack.use(await open("/changes/stream")).status).toBe(200);
	}
	await isFree();
});

test("an account has so many streams, and a gateway; where one ends there is room", async () => {
	await isFree();
	{
		using stack = new DisposableStack();
		for (const path of paths) expect(stack.use(await open(path)).status).toBe(200);
		const refused = await open("/changes/stream");
		expect(refused.status).toBe(429);
		expect(refused.answer.headers.get("retry-after")).toBe("10");
		const other = await unlimitedKey(world);
		for (const path of paths.slice(1)) expect(stack.use(await open(path, { "x-api-key": other })).status).toBe(200);
		const full = await open("/changes/stream", { "x-api-key": other });
		expect([full.status, full.answer.headers.get("retry-after")]).toEqual([503, "10"]);
	}
	await isFree();
});

test("a client that does not read is cut off, and resumes where it was", async () => {
	await isFree();
	const before = await cuts();
	const sent = request(`${world.url}/events/stream`, { headers: { "x-api-key": key } }).end();
	const [answer] = (await once(sent, "response")) as [IncomingMessage];
	let last = 0;
	// The systems at both ends hold some megabytes.
	while ((await cuts()) === before) {
		last++;
		world.operator.nats.publish("event.signals.news.recorded", JSON.stringify(headline(last)));
		await eventually(async () => (await streamLog(world.operator, "signals").head()) === last);
	}
	let text = "";
	answer.on("data", (part: Buffer) => (text += part.toString())).on("error", () => {});
	await new Promise((resolve) => answer.once("close", resolve));
	const seen = [...text.matchAll(/^id: (\d+)\nevent: .*\ndata: .*\n\n/gm)].map(([, id]) => Number(id));
	expect(seen).toEqual(Array.from({ length: seen.length }, (_, at) => at + 1));
	expect(seen.length).toBeLessThan(last);
	using again = follow(`${world.url}/events/stream?after=0`, { key, lastEventId: String(seen.length) });
	await eventually(() => expect([...seen, ...again.ids()]).toEqual(Array.from({ length: last }, (_, at) => at + 1)));
});

const headline = (article_id: number) => ({
	id: `news:${article_id}`,
	occurred_at: "2026-03-01T12:00:00Z",
	version: 1,
	article_id,
	title: "long ".repeat(80_000),
	url: "https://example.org/",
	domain: "example.org",
	published_at: "2026-03-01T12:00:00Z",
	event_type: "mention",
	seeks_capital: false,
	developers: [],
});

test("a key that is revoked ends its streams", async () => {
	const own = await newKey(world.url);
	using stream = await open("/scores/stream", { "x-api-key": own });
	expect(stream.status).toBe(200);
	const revoked = await fetch(`${world.url}/keys/revoke`, { method: "POST", headers: { "x-api-key": own } });
	expect(revoked.status).toBe(200);
	// The body has an end.
	expect(await stream.answer.text()).toContain("retry: ");
});
