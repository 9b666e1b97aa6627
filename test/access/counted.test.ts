/** Whatever a request is refused for, it is counted, and who has sent too many is refused before anything is done for the next. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { message, post } from "../mcp/support/client.ts";
import { bareSockets, statusOf } from "../security/support/bare-sockets.ts";
import { limitsIn, newHolder, postJson, refusal, withKey } from "./support/callers.ts";
import { startGateways, type TestGateways } from "./support/gateways.ts";
import { countingOwner } from "./support/owner.ts";

const most = 4;
const owner = countingOwner();
let gateways: TestGateways;
beforeAll(async () => {
	gateways = await startGateways({
		owner: owner.handlers,
		settings: {
			FREE_PER_MINUTE: String(most),
			KEYLESS: "closed",
			REQUESTS_PER_MINUTE: "40",
			HEADERS_MAX_COUNT: "20",
			URL_MAX_LENGTH: "400",
			BODY_MAX_BYTES: "60000",
			REDIS_TIMEOUT_MS: "5000",
			TRUSTED_PROXIES: "127.0.0.1",
		},
	});
});
afterAll(() => gateways?.[Symbol.asyncDispose]());

let addresses = 0;
const newAddress = () => `203.0.113.${++addresses}`;

/** The statuses of one request more than an address has free ones, each by a connection of its own. */
async function statusesAtLimit(send: () => Promise<number>): Promise<number[]> {
	const statuses: number[] = [];
	for (let sent = 0; sent <= most; sent++) statuses.push(await send());
	return statuses;
}
const counted = (status: number) => [...Array<number>(most).fill(status), 429];

/** Written by hand, because no client sends it. */
const say = async (bytes: string): Promise<string> => {
	using sockets = bareSockets(gateways.url);
	return await sockets.say(bytes);
};
const raw = (first: string, address: string, ...headers: string[]) =>
	[first, "connection: close", `x-forwarded-for: ${address}`, ...headers, "", ""].join("\r\n");

describe("counts as a free request of its address:", () => {
	it.each<[string, number, (address: string) => string]>([
		["a path that is not there", 404, (address) => raw("GET /nope HTTP/1.1", address, "host: x")],
		["a method that is not there", 405, (address) => raw("DELETE /plans HTTP/1.1", address, "host: x")],
		["a preflight", 204, (address) => raw("OPTIONS /plans HTTP/1.1", address, "host: x")],
		["a file of a page", 200, (address) => raw("GET /favicon.svg HTTP/1.1", address, "host: x")],
		[
			"an address that is too long",
			414,
			(address) => raw(`GET /plans?a=${"x".repeat(400)} HTTP/1.1`, address, "host: x"),
		],
		["too many parameters", 414, (address) => raw(`GET /plans?${"a&".repeat(101)} HTTP/1.1`, address, "host: x")],
		["a path that is no UTF-8", 400, (address) => raw("GET /projects/%ff HTTP/1.1", address, "host: x")],
		["a query that is no UTF-8", 400, (address) => raw("GET /plans?a=%ff HTTP/1.1", address, "host: x")],
		[
			"too many headers",
			431,
			(address) => raw("GET /plans HTTP/1.1", address, "host: x", ...Array.from({ length: 20 }, () => "a: b")),
		],
		["two hosts", 400, (address) => raw("GET /plans HTTP/1.1", address, "host: x", "Host: y")],
		["no host", 400, (address) => raw("GET /plans HTTP/1.1", address)],
		["a key that is none", 403, (address) => raw("GET /plans HTTP/1.1", address, "host: x", "x-api-key: pk_no")],
		["two keys", 403, (address) => raw("GET /plans?api_key=a HTTP/1.1", address, "host: x", "x-api-key: b")],
		["what needs a key", 403, (address) => raw("GET /usage HTTP/1.1", address, "host: x")],
		[
			"a body that is too long",
			413,
			(address) => raw("POST /mcp HTTP/1.1", address, "host: x", "content-length: 60001"),
		],
		[
			"MCP that is no JSON",
			400,
			(address) => raw("POST /mcp HTTP/1.1", address, "host: x", "content-type: application/json"),
		],
		[
			"a compressed body",
			415,
			(address) => raw("POST /mcp HTTP/1.1", address, "host: x", "content-encoding: gzip", "content-length: 9"),
		],
		[
			"MCP of another page",
			403,
			(address) => raw("POST /mcp HTTP/1.1", address, "host: x", "origin: https://elsewhere.example"),
		],
	])("%s (%i)", async (_what, status, bytes) => {
		const address = newAddress();
		expect(await statusesAtLimit(async () => statusOf(await say(bytes(address))))).toEqual(counted(status));
		const free = await fetch(`${gateways.url}/plans`, { headers: { "x-forwarded-for": address } });
		expect(await refusal(free)).toEqual({ status: 429, detail: expect.stringContaining("the limit is 4") });
	});
});

it("a single Host header is accepted in any spelling", async () => {
	expect(statusOf(await say(raw("GET /plans HTTP/1.1", newAddress(), "HoSt: x")))).toBe(200);
	expect(statusOf(await say(raw("GET /plans HTTP/1.0", newAddress())))).toBe(200);
});

it.each([
	["no HTTP", 400, "nonsense\r\n\r\n"],
	["headers that are too long", 431, `GET /plans HTTP/1.1\r\nhost: x\r\na: ${"x".repeat(20_000)}\r\n\r\n`],
])(
	"an invalid request is counted for the address of its connection, unless that is a proxy: %s",
	async (_what, status, bytes) => {
		// Behind the proxy its caller is unknown.
		expect(await statusesAtLimit(async () => statusOf(await say(bytes)))).toEqual(Array(most + 1).fill(status));
	},
);

describe("a body is read after its request is counted", () => {
	const endless = (address: string, ...headers: string[]) =>
		`${raw("POST /query HTTP/1.1", address, "host: x", "content-length: 50000", ...headers)}{`;

	it("so that a caller beyond the limit cannot send it", async () => {
		const { key } = await newHolder(gateways, { perMinute: 2 });
		const ask = () => postJson(`${gateways.url}/query`, { sql: "" }, { "x-api-key": key });
		expect([(await ask()).status, (await ask()).status]).toEqual([422, 422]);
		expect(statusOf(await say(endless(newAddress(), `x-api-key: ${key}`)))).toBe(429);
		expect(statusOf(await say(endless(newAddress(), "x-api-key: pk_no")))).toBe(403);
	});

	it("and uses one request of the minute, and one query if it is valid", async () => {
		const { key } = await newHolder(gateways, { perMinute: 10 });
		const bad = await postJson(`${gateways.url}/query`, { nope: 1 }, { "x-api-key": key });
		expect([bad.status, limitsIn(bad).left.minute?.r]).toEqual([422, 9]);
		const response = await postJson(`${gateways.url}/query`, { sql: "select 1" }, { "x-api-key": key });
		const { left } = limitsIn(response);
		// No service answers statements here.
		expect([response.status, left.minute?.r, left.month?.r]).toEqual([404, 8, 49]);
		const { headers } = await fetch(`${gateways.url}/projects`, withKey(key));
		expect(limitsIn({ headers } as Response).left).toMatchObject({ minute: { r: 7 }, month: { r: 48 } });
	});
});

describe("a tool call", () => {
	// Without a key, a priced tool is refused before its arguments are read.
	const call = (given: object, meta: object = {}) =>
		message("tools/call", { name: "describe_dataset", arguments: given, _meta: meta });
	const outcome = async ({ body, headers }: ReturnType<typeof call>, from: Record<string, string>) => {
		const { json } = await post(gateways.url, body, { ...headers, ...from });
		const text = (json.result?.content as { text: string }[] | undefined)?.[0]?.text;
		return text === undefined ? json.error?.message : (JSON.parse(text) as { status: number }).status;
	};
	const unknown = Object.fromEntries(Array.from({ length: 5_500 }, (_, number) => [`a${number}`, 1]));

	it.each([
		["5,500 unknown arguments", 431, call(unknown)],
		["an argument longer than an address", 414, call({ dataset: "x".repeat(500) })],
		["one that is so when it is escaped", 414, call({ dataset: "é".repeat(100) })],
		[
			"a payment longer than all headers",
			431,
			call({ dataset: "queues" }, { "x402/payment": { text: "x".repeat(30_000) } }),
		],
	])("with %s is refused (%i), and counted", async (_what, status, sent) => {
		owner.reset();
		const from = { "x-forwarded-for": newAddress() };
		const seen = [];
		for (let count = 0; count < most; count++) seen.push(await outcome(sent, from));
		expect(seen).toEqual(Array(most).fill(status));
		expect(String(await outcome(sent, from))).toContain("the limit is 4");
		expect(owner.runs).toBe(0);
	});
});

it("a body of more fields than any operation has is 413", async () => {
	const fields = Object.fromEntries(Array.from({ length: 101 }, (_, number) => [`a${number}`, 1]));
	const { key } = await newHolder(gateways);
	const refused = await postJson(`${gateways.url}/query`, fields, { "x-api-key": key });
	expect(await refusal(refused)).toEqual({ status: 413, detail: "the body has more than 100 fields" });
});

it("an address has a limit for requests of all kinds, with any key, separate from other addresses", async () => {
	const { key } = await newHolder(gateways, { perMinute: 1_000_000 });
	const ask = (address: string) =>
		fetch(`${gateways.url}/projects`, { headers: { "x-api-key": key, "x-forwarded-for": address } });
	const [one, other] = [newAddress(), newAddress()];
	const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await ask(one)).status));
	expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(40);
	const refused = statuses.includes(429) ? await ask(one) : undefined;
	if (refused !== undefined) expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
	expect(statuses).toContain(429);
	expect((await ask(other)).status).toBe(200);
});
