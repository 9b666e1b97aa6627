/** Streams: refusals, how many there may be, and who is disconnected. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { register } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bus, connectBus } from "#libs/bus/connect.ts";
import { streamLog } from "#libs/bus/events/stream-log.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import type { Json } from "#libs/contract/index.ts";
import { newHolder } from "../access/support/callers.ts";
import { startGateways, type TestGateways } from "../access/support/gateways.ts";
import { eventually } from "../support/eventually.ts";
import { silent } from "../support/silent.ts";
import { follow } from "./support/client.ts";

const paths = ["/changes/stream", "/scores/stream", "/events/stream"];

const stack = new AsyncDisposableStack();
let gateways: TestGateways;
let operator: Bus;
let key: string;

beforeAll(async () => {
	gateways = stack.use(
		await startGateways({
			owner: { readNewestSeq: async () => ({ json: '{"seq":0}' as Json<never>, dataVersion: 1 }) },
			settings: {
				EVENT_STREAM_HEARTBEAT_MS: "50",
				EVENT_STREAMS_PER_CALLER: "3",
				EVENT_STREAMS_MAX: "5",
				EVENT_STREAMS_PER_NETWORK: "2",
				EVENT_STREAMS_KEYLESS: "4",
				TRUSTED_PROXIES: "127.0.0.1",
				EVENT_STREAM_BUFFER_BYTES: "20000",
				REGISTRATIONS_PER_HOUR: "1000",
			},
		}),
	);
	const { nats } = gateways;
	operator = stack.use(await connectBus({ url: nats.url, name: "operator", log: silent, ...nats.login("operator") }));
	for (const owner of ["signals", "scoring"] as const) await ensureStream(operator, owner);
	key = await paidKey();
});
afterAll(() => stack.disposeAsync());

const paidKey = async () => (await newHolder(gateways, { plan: "Enterprise" })).key;

/** An open stream, whose body is not read, or an answer. */
async function open(path: string, headers: Record<string, string> = { "x-api-key": key }, method = "GET") {
	const gone = new AbortController();
	const answer = await fetch(gateways.url + path, { method, headers, signal: gone.signal });
	return { answer, status: answer.status, [Symbol.dispose]: () => gone.abort() };
}

const cuts = async () =>
	(await register.getSingleMetric("gateway_event_streams_cut_total")?.get())?.values[0]?.value ?? 0;

const isFree = () =>
	eventually(async () => {
		using stream = await open("/changes/stream");
		return stream.status === 200;
	});

async function expectRefused(path: string, field: string, headers: Record<string, string> = {}): Promise<void> {
	const { answer, status } = await open(path, { "x-api-key": key, ...headers });
	expect(status).toBe(422);
	expect(await answer.json()).toMatchObject({
		detail: expect.stringContaining(field),
		errors: expect.arrayContaining([expect.objectContaining({ loc: expect.arrayContaining([field]) })]),
	});
}

test.each<[string, string, string?]>([
	["after=-1", "after"],
	["after=x", "after"],
	["", "Last-Event-ID", "999999999"],
	["after=0", "Last-Event-ID", "abc"],
	["after=0", "Last-Event-ID", "-1"],
	["after=0", "Last-Event-ID", "99999999999999999999"],
])("?%s is refused as %s", (query, field, id) =>
	expectRefused(`/changes/stream?${query}`, field, id === undefined ? {} : { "last-event-id": id }),
);

describe.each(paths)("%s", (path) => {
	const others = path === "/changes/stream" ? ["since_days=7", "updated_since=2026-01-01"] : ["region=PJM", "q=sun"];
	test.each(["as_of=2026-01-01", "cursor=*", "after=999999999", "colour=red", ...others])(
		"?%s is refused by its name",
		(query) => expectRefused(`${path}?${query}`, query.split("=")[0] ?? ""),
	);

	test("HEAD returns only headers", async () => {
		const { answer, status } = await open(path, undefined, "HEAD");
		expect([status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
		expect((await answer.text()).length).toBe(0);
	});

	test("counts one query of a key when it opens", async () => {
		const own = await gateways.register();
		const used = async () => {
			const answer = await fetch(`${gateways.url}/usage`, { headers: { "x-api-key": own } });
			return JSON.stringify(await answer.json());
		};
		using stream = await open(path, { "x-api-key": own });
		expect(stream.status).toBe(200);
		await eventually(async () => expect(await used()).toMatch(/"used":1\b/));
	});
});

test("without a paid plan the addresses of a network share a limit, and all networks leave slots for paid plans", async () => {
	await isFree();
	const keys = await Promise.all([1, 2, 3, 4].map(() => gateways.register()));
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

test("an account and a gateway have a limit of streams, and an ended stream frees a slot", async () => {
	await isFree();
	{
		using stack = new DisposableStack();
		for (const path of paths) expect(stack.use(await open(path)).status).toBe(200);
		const refused = await open("/changes/stream");
		expect(refused.status).toBe(429);
		expect(refused.answer.headers.get("retry-after")).toBe("10");
		const other = await paidKey();
		for (const path of paths.slice(1)) expect(stack.use(await open(path, { "x-api-key": other })).status).toBe(200);
		const full = await open("/changes/stream", { "x-api-key": other });
		expect([full.status, full.answer.headers.get("retry-after")]).toEqual([503, "10"]);
	}
	await isFree();
});

test("a client that does not read is disconnected, and can resume", async () => {
	await isFree();
	const before = await cuts();
	const sent = request(`${gateways.url}/events/stream`, { headers: { "x-api-key": key } }).end();
	const [answer] = (await once(sent, "response")) as [IncomingMessage];
	let last = 0;
	// The systems at both ends hold some megabytes.
	while ((await cuts()) === before) {
		last++;
		operator.nats.publish("event.signals.news.recorded", JSON.stringify(headline(last)));
		await eventually(async () => (await streamLog(operator, "signals").head()) === last);
	}
	let text = "";
	answer.on("data", (part: Buffer) => (text += part.toString())).on("error", () => {});
	await new Promise((resolve) => answer.once("close", resolve));
	const seen = [...text.matchAll(/^id: (\d+)\nevent: .*\ndata: .*\n\n/gm)].map(([, id]) => Number(id));
	expect(seen).toEqual(Array.from({ length: seen.length }, (_, at) => at + 1));
	expect(seen.length).toBeLessThan(last);
	using again = follow(`${gateways.url}/events/stream?after=0`, { key, lastEventId: String(seen.length) });
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

test("revoking a key ends its streams", async () => {
	const own = await gateways.register();
	using stream = await open("/scores/stream", { "x-api-key": own });
	expect(stream.status).toBe(200);
	const revoked = await fetch(`${gateways.url}/keys/revoke`, { method: "POST", headers: { "x-api-key": own } });
	expect(revoked.status).toBe(200);
	// The body has an end.
	expect(await stream.answer.text()).toContain("retry: ");
});
