/** The protocol itself, by hand: what no client of good faith sends, and what each era is answered. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway, versioned } from "../api/support/gateway.ts";
import { connect, eras, message, post } from "./support/client.ts";

let gateway: TestGateway;
beforeAll(async () => {
	gateway = await startGateway({
		owner: { getStats: async () => versioned({ data: {} } as never) },
		settings: { PUBLIC_URL: "https://data.example.com" },
	});
});
afterAll(() => gateway?.[Symbol.asyncDispose]());

const list = message("tools/list");
const call = message("tools/call", { name: "get_stats", arguments: {} });
const initialize = {
	jsonrpc: "2.0",
	id: 1,
	method: "initialize",
	params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const legacyHeaders = { "content-type": "application/json", accept: "application/json, text/event-stream" };

test("each revision of the protocol is supported, with the same capabilities", async () => {
	for (const version of ["2025-03-26", "2025-06-18", "2025-11-25"]) {
		const params = { ...initialize.params, protocolVersion: version };
		const { status, json } = await post(gateway.url, { ...initialize, params }, legacyHeaders);
		expect([status, json.result]).toEqual([
			200,
			{
				protocolVersion: version,
				capabilities: { tools: {}, prompts: {}, resources: {} },
				serverInfo: expect.objectContaining({ name: "energy-infrastructure-data", version: "1.0.0" }),
				instructions: expect.stringContaining("X-API-Key"),
			},
		]);
	}
	const discover = message("server/discover");
	const { json } = await post(gateway.url, discover.body, discover.headers);
	expect(json.result).toMatchObject({
		supportedVersions: ["2026-07-28"],
		capabilities: { tools: {} },
		ttlMs: 3_600_000,
		cacheScope: "public",
	});
	const lists = await Promise.all(
		eras.map(async (era) => {
			await using agent = await connect(gateway.url, { era });
			return (await agent.client.listTools()).tools;
		}),
	);
	expect(lists[0]).toEqual(lists[1]);
});

test("headers that do not match the message are refused with -32020", async () => {
	const wrong: [string, string][] = [
		["mcp-protocol-version", "2025-11-25"],
		["mcp-method", "tools/list"],
		["mcp-name", "list_projects"],
	];
	for (const [name, value] of wrong) {
		const { status, json } = await post(gateway.url, call.body, { ...call.headers, [name]: value });
		expect([name, status, json.error?.code]).toEqual([name, 400, -32_020]);
	}
	const { "mcp-method": _, ...missing } = call.headers;
	const { status, json } = await post(gateway.url, call.body, missing);
	expect([status, json.error?.code]).toEqual([400, -32_020]);
});

test("an unknown revision is refused with the supported ones", async () => {
	const { body, headers } = message("tools/list", {}, "2031-01-01");
	const { status, json } = await post(gateway.url, body, headers);
	expect([status, json.error]).toEqual([
		400,
		expect.objectContaining({ code: -32_022, data: expect.objectContaining({ supported: ["2026-07-28"] }) }),
	]);
	const legacy = await post(gateway.url, initialize, { ...legacyHeaders, "mcp-protocol-version": "1999-01-01" });
	expect(legacy.status).toBe(200);
	const later = await post(
		gateway.url,
		{ jsonrpc: "2.0", id: 1, method: "tools/list" },
		{ ...legacyHeaders, "mcp-protocol-version": "1999-01-01" },
	);
	expect(later.status).toBe(400);
});

test("only pages of this service and of this machine may use it; a request without an origin is not from a page", async () => {
	const statusOf = async (origin: string | undefined, host?: string) =>
		(
			await post(gateway.url, list.body, {
				...list.headers,
				...(origin !== undefined && { origin }),
				...(host !== undefined && { host }),
			})
		).status;
	for (const origin of [
		undefined,
		"https://data.example.com",
		"http://localhost:3000",
		"http://127.0.0.1",
		"http://[::1]:9",
	])
		expect([origin, await statusOf(origin)]).toEqual([origin, 200]);
	for (const origin of [
		"https://evil.example",
		"null",
		"nonsense",
		"https://data.example.com.evil.example",
		"http://localhost.evil.example",
		"file:///etc",
	])
		expect([origin, await statusOf(origin)]).toEqual([origin, 403]);
});

test("a body that is not JSON is refused", async () => {
	const answers: [string | undefined, number, number | undefined][] = [
		["text/plain", 415, -32_000],
		["application/x-www-form-urlencoded", 415, -32_000],
		["application/json; charset=utf-8", 200, undefined],
	];
	for (const [type, expected, code] of answers) {
		const { status, json } = await post(gateway.url, list.body, { ...list.headers, "content-type": type ?? "" });
		expect([type, status, json.error?.code]).toEqual([type, expected, code]);
	}
	for (const body of ["", "{", "nonsense", Buffer.from([0x22, 0xff, 0x22]), `{"jsonrpc":"2.0"`]) {
		const { status, json } = await post(gateway.url, body, list.headers);
		expect([String(body), status, json.error?.code]).toEqual([String(body), 400, -32_700]);
	}
});

test("JSON that is not a message is refused", async () => {
	const deep = nested('{"params":', "}");
	const none = ["null", "5", '"text"', "{}", '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', deep];
	for (const body of [...none, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${deep}}`]) {
		for (const headers of [list.headers, legacyHeaders]) {
			const { status, json } = await post(gateway.url, body, headers);
			// The earlier era answers what is a message, if a wrong one, within the answer.
			const statuses = none.includes(body) || headers === list.headers ? [400] : [200];
			expect([body.slice(0, 60), statuses.includes(status), json.error?.code]).toEqual([
				body.slice(0, 60),
				true,
				expect.any(Number),
			]);
		}
	}
});

/** The deepest nesting of a body. */
const nested = (open: string, close: string): string => `${open.repeat(5_000)}1${close.repeat(5_000)}`;

test("a deep or large argument is an error of that call only", async () => {
	const values = [nested("[", "]"), nested('{"a":', "}"), `"${"x".repeat(20_000)}"`, '"\\ud800"'];
	for (const [tool, argument] of [
		["list_changes", "region"],
		["get_project", "project_id"],
		["run_query", "sql"],
	])
		for (const value of values) {
			const { body, headers } = message("tools/call", { name: tool, arguments: { [String(argument)]: "HERE" } });
			const text = JSON.stringify(body).replace('"HERE"', value);
			const { status, json } = await post(gateway.url, text, headers);
			expect([tool, value.slice(0, 20), status, json.result?.isError]).toEqual([tool, value.slice(0, 20), 200, true]);
		}
	const { body, headers } = message("tools/call", { name: "list_changes", arguments: { HERE: 1 } });
	for (const name of [`"${"x".repeat(20_000)}"`, '"\\ud800"', '"__proto__"']) {
		const { status, json } = await post(gateway.url, JSON.stringify(body).replace('"HERE"', name), headers);
		expect([name.slice(0, 20), status, json.result?.isError]).toEqual([name.slice(0, 20), 200, true]);
	}
});

test("a batch is refused in each protocol revision", async () => {
	for (const headers of [list.headers, legacyHeaders])
		for (const batch of [[], [list.body], [call.body, call.body]]) {
			const { status, json } = await post(gateway.url, batch, headers);
			expect([status, json.error?.code]).toEqual([400, -32_600]);
		}
});

test("a body beyond the limit is 413, whatever its type", async () => {
	const { status, json } = await post(gateway.url, `"${"x".repeat(70_000)}"`, list.headers);
	expect([status, json.detail]).toEqual([413, expect.any(String)]);
});

test("POST is the only method, because there are no sessions", async () => {
	for (const method of ["GET", "DELETE", "PUT", "HEAD"]) {
		const response = await fetch(`${gateway.url}/mcp`, { method, headers: { accept: "text/event-stream" } });
		expect([method, response.status, response.headers.get("allow")]).toEqual([method, 405, "OPTIONS, POST"]);
	}
	const { headers } = await post(gateway.url, initialize, legacyHeaders);
	expect(headers.get("mcp-session-id")).toBeNull();
});

test("a notification is accepted without a reply", async () => {
	for (const method of ["notifications/initialized", "notifications/cancelled"]) {
		const { status, json } = await post(
			gateway.url,
			{ jsonrpc: "2.0", method, params: method.endsWith("cancelled") ? { requestId: 1 } : {} },
			legacyHeaders,
		);
		expect([method, status, json]).toEqual([method, 202, {}]);
	}
});

test("a method that does not exist is distinguished from one that does", async () => {
	for (const method of ["no/such", "completion/complete", "logging/setLevel", "resources/subscribe", "tasks/list"]) {
		const { body, headers } = message(method);
		const { json } = await post(gateway.url, body, headers);
		expect([method, json.error?.code]).toEqual([method, -32_601]);
	}
});

test("a stream of notifications opens, remains empty, and does not keep the server from closing", async () => {
	await using other = await startGateway();
	const { body, headers } = message("subscriptions/listen", { notifications: { toolsListChanged: true } });
	const response = await fetch(`${other.url}/mcp`, { method: "POST", headers, body: JSON.stringify(body) });
	expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
	const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
	expect((await reader?.read())?.value).toContain("notifications/subscriptions/acknowledged");
	const closing = other[Symbol.asyncDispose]();
	const rest = [];
	for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) rest.push(part.value);
	expect(rest.join("")).not.toContain("list_changed");
	await closing;
});

test("every response has the common headers, and is uncacheable", async () => {
	const answers = [
		await post(gateway.url, list.body, list.headers),
		await post(gateway.url, initialize, legacyHeaders),
		await post(gateway.url, "{", list.headers),
		await post(gateway.url, list.body, { ...list.headers, origin: "https://evil.example" }),
	];
	for (const { headers } of answers) {
		expect(headers.get("cache-control")).toBe("no-store");
		expect(headers.get("x-content-type-options")).toBe("nosniff");
		expect(headers.get("access-control-allow-origin")).toBe("*");
		expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{16}-/);
	}
	const preflight = await fetch(`${gateway.url}/mcp`, { method: "OPTIONS", headers: { origin: "http://localhost:1" } });
	expect(preflight.status).toBe(204);
	for (const name of ["mcp-protocol-version", "mcp-method", "mcp-name", "x-api-key"])
		expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase()).toContain(name);
});

test("the manifest names the URL", async () => {
	const { mcp_server } = (await (await gateway.get("/")).json()) as { mcp_server: string };
	expect(mcp_server).toBe("https://data.example.com/mcp");
});
