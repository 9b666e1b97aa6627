/** The same authorization: keys, limits, quota and usage of tool calls are those of HTTP. */
import { request } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { badRequest } from "#libs/contract/errors.ts";
import { newHolder, usageOf } from "../access/support/callers.ts";
import { startGateways, type TestGateways } from "../access/support/gateways.ts";
import { countingOwner } from "../access/support/owner.ts";
import { eventually } from "../support/eventually.ts";
import { connect, eras, httpOf, message, post, textOf } from "./support/client.ts";

const owner = countingOwner();
let gateways: TestGateways;
beforeAll(async () => {
	gateways = await startGateways({
		owner: {
			...owner.handlers,
			getStats: owner.handlers.listProjects as never,
		},
		settings: {
			REGISTRATIONS_PER_HOUR: "1000000",
			REDIS_TIMEOUT_MS: "10000",
			FREE_PER_MINUTE: "5",
			ANONYMOUS_PER_MINUTE: "3",
			TRUSTED_PROXIES: "127.0.0.1",
		},
	});
});
beforeEach(() => owner.reset());
afterAll(() => gateways?.[Symbol.asyncDispose]());

let addresses = 0;
const newAddress = () => ({ "x-forwarded-for": `203.0.113.${++addresses}` });

test.each(eras)("the limits per minute of keys and addresses are shared by HTTP and MCP (%s)", async (era) => {
	const { key } = await newHolder(gateways);
	// Connecting and listing are requests too, as free ones.
	await using agent = await connect(gateways.url, { era, headers: newAddress() });
	const from = { "x-api-key": key, ...newAddress() };
	const call = () => post(gateways.url, callOf(era), headersOf(era, from));
	for (let count = 1; count <= 13; count++) {
		const status =
			count % 2 === 1 ? (await fetch(`${gateways.url}/projects`, { headers: from })).status : statusIn(await call());
		expect([count, status]).toEqual([count, 200]);
	}
	const refused = await call();
	expect(refused.status).toBe(200);
	expect(refused.json.result).toMatchObject({
		isError: true,
		_meta: {
			http: { status: 429, retry_after_seconds: expect.any(Number), ratelimit: expect.stringContaining("r=0") },
		},
	});
	expect(JSON.stringify(refused.json.result)).toContain("the limit is 10 in any 60 seconds");
	expect(owner.runs).toBe(13);
	// Usage can be read when the minute's requests are used up.
	expect(await usageOf(gateways, key)).toMatchObject({ plan: "Free" });
	expect(agent.client.getServerVersion()?.version).toBe("1.0.0");
});

/** A call of list_projects in the words of an era. */
function callOf(era: (typeof eras)[number], name = "list_projects", given: object = {}) {
	if (era === "2026-07-28") return message("tools/call", { name, arguments: given }).body;
	return { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
}
function headersOf(era: (typeof eras)[number], more: Record<string, string> = {}, name = "list_projects") {
	const { headers } = message("tools/call", { name });
	if (era === "2026-07-28") return { ...headers, ...more };
	return { accept: headers.accept ?? "", "content-type": "application/json", ...more };
}
const statusIn = ({ json }: Awaited<ReturnType<typeof post>>) =>
	(json.result?._meta as { http?: { status?: number } } | undefined)?.http?.status;

test("a call uses one monthly query and is recorded once, under its operation", async () => {
	const { key } = await newHolder(gateways);
	await using agent = await connect(gateways.url, { headers: { "x-api-key": key } });
	const list = message("tools/list");
	expect((await post(gateways.url, list.body, { ...list.headers, "x-api-key": key })).status).toBe(200);
	expect(httpOf(await agent.call("list_projects", { state: "TX" })).status).toBe(200);
	expect(httpOf(await agent.call("list_projects", { per_page: 0 })).status).toBe(422);
	await gateways.recorded();
	const usage = JSON.parse(textOf(await agent.call("get_usage")));
	expect(usage).toMatchObject({ used: 1, by_operation: [{ operation: "listProjects", requests: 2, counted: 1 }] });
	expect(owner.runs).toBe(1);
});

test("a key is read from either header or from the URL, and an invalid one is refused", async () => {
	const { key } = await newHolder(gateways);
	for (const options of [
		{ headers: { "x-api-key": key } },
		{ headers: { authorization: `Bearer ${key}` } },
		{ query: `?api_key=${key}` },
	]) {
		await using agent = await connect(gateways.url, options);
		expect(JSON.parse(textOf(await agent.call("get_usage"))).plan).toBe("Free");
	}
	const { body, headers } = message("tools/call", { name: "list_projects", arguments: {} });
	const bad = await post(gateways.url, body, { ...headers, "x-api-key": `${key.slice(0, -1)}-` });
	expect(bad.json.result).toMatchObject({ isError: true, _meta: { http: { status: 403 } } });
	const listing = message("tools/list");
	const badList = await post(gateways.url, listing.body, { ...listing.headers, "x-api-key": "pk_nonsense" });
	expect([badList.status, badList.json.error?.code]).toEqual([403, -32_000]);
	// Among the arguments it would stand in the conversation.
	const inArguments = message("tools/call", { name: "list_projects", arguments: { api_key: key } });
	const refused = await post(gateways.url, inArguments.body, { ...inArguments.headers, ...newAddress() });
	expect(JSON.stringify(refused.json.result)).toContain("is not an argument");
});

test("tools that need a key state it", async () => {
	const { body, headers } = message("tools/call", { name: "get_usage", arguments: {} });
	const { status, json } = await post(gateways.url, body, { ...headers, ...newAddress() });
	expect([status, json.error?.message]).toEqual([401, expect.stringContaining("this call requires an API key")]);
});

test("calls without a key count against the caller's own address, not the proxy's", async () => {
	const [one, other] = [newAddress(), newAddress()];
	const { body, headers } = message("tools/call", { name: "list_projects", arguments: {} });
	const statuses = async (from: Record<string, string>, times: number) => {
		const seen = [];
		for (let count = 0; count < times; count++)
			seen.push(statusIn(await post(gateways.url, body, { ...headers, ...from })));
		return seen;
	};
	expect(await statuses(one, 5)).toEqual([200, 200, 200, 429, 429]);
	expect((await fetch(`${gateways.url}/projects`, { headers: one })).status).toBe(429);
	expect(await statuses(other, 1)).toEqual([200]);
});

test("messages without a call count as free requests of the address, even if refused", async () => {
	const list = message("tools/list");
	const mixed = message("tools/call", { name: "list_projects", arguments: {} });
	const unknownTool = message("tools/call", { name: "no_such_tool" });
	const kinds: [string, unknown, Record<string, string>][] = [
		["lists", list.body, list.headers],
		["calls that their headers deny", mixed.body, { ...mixed.headers, "mcp-name": "search" }],
		["calls of no tool", unknownTool.body, unknownTool.headers],
		[
			"calls that name no project",
			message("tools/call", { name: "get_project", arguments: {} }).body,
			{ ...mixed.headers, "mcp-name": "get_project" },
		],
		[
			"an unknown protocol",
			message("tools/list", {}, "2031-01-01").body,
			{ ...list.headers, "mcp-protocol-version": "2031-01-01" },
		],
		...eras.flatMap((era): typeof kinds => {
			const sent = callOf(era) as { params: object };
			const { id: _, ...withoutId } = callOf(era) as { id: number };
			return [
				[`calls without an id (${era})`, withoutId, headersOf(era)],
				[`calls whose id is no id (${era})`, { ...sent, id: {} }, headersOf(era)],
				[
					`calls whose arguments are none (${era})`,
					{ ...sent, params: { ...sent.params, arguments: 5 } },
					headersOf(era),
				],
				[`calls whose _meta is none (${era})`, { ...sent, params: { ...sent.params, _meta: "text" } }, headersOf(era)],
			];
		}),
		["notifications", { jsonrpc: "2.0", method: "notifications/initialized" }, headersOf("2025-11-25")],
	];
	for (const [what, body, headers] of kinds) {
		const from = newAddress();
		const seen = [];
		for (let count = 0; count < 7; count++) {
			const { status, json } = await post(gateways.url, body, { ...headers, ...from });
			seen.push(status === 429 || json.error?.code === -32_603 ? 429 : status);
		}
		expect([what, seen.slice(0, 5).includes(429), seen.slice(5)]).toEqual([what, false, [429, 429]]);
		// The same limit as of free requests over HTTP.
		expect([what, (await fetch(`${gateways.url}/plans`, { headers: from })).status]).toEqual([what, 429]);
	}
	expect(owner.runs).toBe(0);
});

test("a client that disconnects during a call aborts the route, as over HTTP", async () => {
	const { key } = await newHolder(gateways);
	let answer = () => {};
	const reached = new Promise<void>((resolve) => {
		owner.next(() => {
			resolve();
			return new Promise<void>((done) => (answer = done));
		});
	});
	const { body, headers } = message("tools/call", { name: "list_changes", arguments: { developer: "who leaves" } });
	const url = new URL(`${gateways.url}/mcp`);
	const leaving = request(url, { method: "POST", headers: { ...headers, "x-api-key": key } });
	leaving.on("error", () => {}).end(JSON.stringify(body));
	await reached;
	leaving.destroy();
	await eventually(async () => {
		await gateways.recorded();
		const rows = await gateways.sql`select status from usage where operation = 'listChanges' and status = 499`;
		return rows.count === 1;
	});
	answer();
});

test("an owner's error is the tool's error, with its message", async () => {
	await using agent = await connect(gateways.url, { headers: newAddress() });
	owner.next(() => {
		throw badRequest("not like this");
	});
	const result = await agent.call("get_project", { project_id: "refused" });
	expect(JSON.parse(textOf(result))).toEqual({ status: 400, detail: "not like this", code: "bad_request" });
	expect(result.isError).toBe(true);
});

test("internal errors are not shown", async () => {
	await using agent = await connect(gateways.url, { headers: newAddress() });
	owner.next(() => {
		throw new Error("secret words");
	});
	const result = await agent.call("get_project", { project_id: "broken" });
	expect([result.isError, httpOf(result).status]).toEqual([true, 500]);
	expect(textOf(result)).not.toContain("secret");
});
