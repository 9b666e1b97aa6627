/** With a key: one query of the month covers a file for a day, whichever gateway sends it, and in whatever parts. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { countsOf, newHolder, usageOf } from "./support/callers.ts";
import { startGateways, type TestGateways } from "./support/gateways.ts";
import { begin, held, leave } from "./support/leaving.ts";
import { chunk, countingOwner } from "./support/owner.ts";

const owner = countingOwner();
let gateways: TestGateways;
beforeAll(async () => {
	gateways = await startGateways({
		owner: owner.handlers,
		replicas: 2,
		settings: { KEYLESS: "closed", REGISTRATIONS_PER_HOUR: "1000", REDIS_TIMEOUT_MS: "10000" },
	});
});
beforeEach(() => {
	owner.reset();
	gateways.clock.now = new Date();
});
afterAll(() => gateways?.[Symbol.asyncDispose]());

const path = "/export/projects";
const whole = `${chunk}the end\n`;
const roomy = { perMinute: 1_000 };
const used = async (key: string) => (await usageOf(gateways, key)).used;

interface Asking {
	headers?: Record<string, string>;
	replica?: number;
	query?: string;
	method?: string;
}

async function ask(key: string, { headers = {}, replica = 0, query = "", method = "GET" }: Asking = {}) {
	const url = `${gateways.urls[replica]}${path}${query}`;
	const response = await fetch(url, {
		method,
		headers: { "x-api-key": key, "accept-encoding": "identity", ...headers },
	});
	return { status: response.status, headers: response.headers, text: await response.text() };
}

test("repeated requests for a file, its parts and its compressed form count once, at every replica", async () => {
	const { key } = await newHolder(gateways, roomy);
	const statuses: number[] = [];
	for (let times = 0; times < 4; times++) {
		const replica = times % 2;
		statuses.push((await ask(key, { replica })).status);
		statuses.push((await ask(key, { replica, headers: { range: "bytes=5-9" } })).status);
		statuses.push((await ask(key, { replica, headers: { "accept-encoding": "gzip" } })).status);
		// Another question that has the same answer.
		statuses.push((await ask(key, { replica, query: "?state=TX" })).status);
	}
	expect(new Set(statuses)).toEqual(new Set([200, 206]));
	expect(await used(key)).toBe(1);
	await gateways.recorded();
	expect(await countsOf(gateways, key)).toMatchObject({ exportProjects: [16, 1] });
});

test("concurrent requests count once", async () => {
	const { key } = await newHolder(gateways, roomy);
	const all = await Promise.all(
		Array.from({ length: 4 }, (_, at) => ask(key, { replica: at % 2, headers: { range: `bytes=${at}-` } })),
	);
	expect(all.map(({ status }) => status)).toEqual([206, 206, 206, 206]);
	await eventually(async () => (await used(key)) === 1);
	await gateways.recorded();
	expect(await countsOf(gateways, key)).toMatchObject({ exportProjects: [4, 1] });
});

test("another file counts, and so does the same file a day later", async () => {
	const { key } = await newHolder(gateways, roomy);
	await ask(key);
	owner.exportOf(1, "another end\n");
	await ask(key);
	await ask(key, { headers: { range: "bytes=0-9" } });
	expect(await used(key)).toBe(2);
	const { key: other } = await newHolder(gateways, roomy);
	await ask(other);
	expect([await used(key), await used(other)]).toEqual([2, 1]);
	gateways.clock.now = new Date(Date.now() + 86_500_000);
	const before = await used(key);
	await ask(key);
	await ask(key);
	expect(await used(key)).toBe(before + 1);
});

test("HEAD is not counted, and returns the headers of GET", async () => {
	const { key } = await newHolder(gateways, roomy);
	const head = await ask(key, { method: "HEAD" });
	expect([head.status, head.headers.get("content-length"), head.text]).toEqual([200, String(whole.length), ""]);
	expect(await used(key)).toBe(0);
	expect((await ask(key)).headers.get("etag")).toBe(head.headers.get("etag"));
	expect(await used(key)).toBe(1);
});

test("with an exhausted month a counted file is still served, but no other is made", async () => {
	const { key } = await newHolder(gateways, { ...roomy, monthlyQueries: 1 });
	const first = await ask(key);
	expect(first.headers.get("ratelimit")).toMatch(/^"minute";r=\d+;t=\d+, "month";r=0;/);
	expect((await ask(key, { replica: 1, headers: { range: "bytes=10-" } })).text).toBe(whole.slice(10));
	const { runs } = owner;
	const refused = await ask(key, { query: "?state=OH" });
	expect([refused.status, JSON.parse(refused.text)]).toMatchObject([429, { "violated-policies": ["month"] }]);
	expect(owner.runs).toBe(runs);
	owner.exportOf(1, "another end\n");
	expect((await ask(key)).status).toBe(429);
	await gateways.recorded();
	expect(await countsOf(gateways, key)).toMatchObject({ exportProjects: [4, 1] });
});

test.each([
	["fails before its first chunk", () => owner.next(() => Promise.reject(new Error("it fell over")))],
	["breaks off", () => owner.midway(() => Promise.reject(new Error("the disk is full")))],
])("a file whose creation %s is not counted", async (_what, fail) => {
	const { key } = await newHolder(gateways, roomy);
	fail();
	expect((await ask(key)).status).toBe(500);
	await eventually(async () => (await used(key)) === 0);
	expect((await ask(key)).text).toBe(whole);
	await eventually(async () => (await used(key)) === 1);
	await gateways.recorded();
	expect(await countsOf(gateways, key)).toMatchObject({ exportProjects: [2, 1] });
});

test("a caller that disconnects before the file exists is not counted", async () => {
	const { key } = await newHolder(gateways, roomy);
	const rest = held();
	owner.midway(rest.wait);
	const socket = await begin(gateways.url, path, { "x-api-key": key });
	await rest.reached;
	await leave(socket);
	rest.go();
	await eventually(async () => {
		await gateways.recorded();
		expect(await countsOf(gateways, key)).toMatchObject({ exportProjects: [1, 0] });
		return (await used(key)) === 0;
	});
});

test("a range outside of the file is not counted, and does not cover the file", async () => {
	const { key } = await newHolder(gateways, roomy);
	expect((await ask(key, { headers: { range: "bytes=99999999-" } })).status).toBe(416);
	expect(await used(key)).toBe(0);
	expect((await ask(key)).status).toBe(200);
	expect(await used(key)).toBe(1);
});

test("while the ledger is unavailable each response counts, and none is refused", async () => {
	const key = await gateways.register();
	await ask(key);
	await gateways.stopBilling();
	try {
		expect((await ask(key)).status).toBe(200);
		expect((await ask(key, { headers: { range: "bytes=0-9" } })).status).toBe(206);
	} finally {
		await gateways.startBilling();
	}
	await eventually(async () => (await used(key)) === 3);
});
