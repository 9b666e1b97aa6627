import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { problem, problemType } from "../support/problem.ts";
import { startGateway, type TestGateway, versioned } from "./support/gateway.ts";

let gateway: TestGateway;
const get: TestGateway["get"] = (path, headers) => gateway.get(path, headers);

beforeAll(async () => {
	gateway = await startGateway({
		owner: {
			// The owner echoes what reached it.
			listProjects: async (params) => versioned(params) as never,
			getProject: async (params) => versioned(params) as never,
			validate: async () => {
				throw new Error("the password is hunter2");
			},
			describeDatabases: async () =>
				versioned({ databases: [{ name: "master" as const, row_count: 3, size_mb: 1, last_modified: null }] }),
		},
		settings: { HEALTH_MIN_ROWS: "master=3" },
	});
});
afterAll(() => gateway[Symbol.asyncDispose]());

/** Status and body of an error, which is always JSON with a `detail`. */
async function failure(path: string, init: RequestInit = {}): Promise<[number, { detail: string }]> {
	const response = await fetch(gateway.url + path, init);
	expect(response.headers.get("content-type")).toBe(problemType);
	const body = (await response.json()) as { detail: string };
	expect(body.detail).toMatch(/./);
	return [response.status, body];
}

/** The server's response to raw bytes that no client would send. */
async function say(bytes: string): Promise<string> {
	const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
	socket.write(bytes);
	return text(socket);
}

describe("a request", () => {
	test("reaches the owning service parsed, and the reply's bytes are returned unchanged", async () => {
		const response = await get("/projects?state=tx&per_page=2");
		expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
		expect(await response.text()).toBe(
			'{"state":["TX"],"population":"transmission","sort":"id","order":"asc","page":1,"per_page":2}',
		);
	});

	test.each(["PJM-AE1%20049~2", "PJM-AE1+049.3-x", "SPP-GEN%2F2024%2F1", "X-100%25", "NYISO-%C3%89", "a;b"])(
		"names a project by any id (%s)",
		async (id) => {
			const response = await get(`/projects/${id}`);
			expect(await response.json()).toEqual({ project_id: decodeURIComponent(id) });
		},
	);

	test("may have a trailing slash in its path", async () => {
		expect((await get("/projects/")).status).toBe(200);
		expect(await (await get("/projects/PJM-1/")).json()).toEqual({ project_id: "PJM-1" });
	});

	test("with an invalid key is refused, and the key is in no log and no reply", async () => {
		for (const path of ["/projects?api_key=pk_secret&per_page=3", "/projects?api_key=pk_secret&nope=1"])
			expect(await failure(path)).toEqual([
				403,
				problem({ detail: expect.not.stringContaining("pk_secret"), code: "key_invalid" }),
			]);
		expect((await failure("/pk?api_key=pk_secret"))[0]).toBe(404);
		expect((await failure("/projects", { headers: { "x-api-key": "pk_secret" } }))[0]).toBe(403);
		expect(gateway.logged.join("")).not.toContain("pk_secret");
		expect(gateway.logged.join("")).toContain('"path":"/projects"');
	});

	test("has its own id", async () => {
		const ids = await Promise.all([get("/"), get("/"), get("/nope")]);
		expect(new Set(ids.map(({ headers }) => headers.get("x-request-id"))).size).toBe(3);
	});
});

describe("an invalid request", () => {
	test.each([
		["an unknown path", "/nope", 404],
		["an undecodable path", "/projects/%zz", 400],
		["an undecodable query", "/projects?state=%zz", 400],
		["an unknown parameter", "/projects?foo=1", 422],
		["a repeated parameter", "/projects?q=solar&q=wind", 422],
		["an id that is too long", `/projects/${"x".repeat(201)}`, 422],
		["an address that is too long", `/projects?developer=${"x".repeat(9_000)}`, 414],
		["headers that are too long", `/projects?developer=${"x".repeat(40_000)}`, 431],
		["a project that does not exist", "/search?q=nothing", 404],
	])("%s", async (_what, path, status) => {
		expect((await failure(path))[0]).toBe(status);
	});

	test("is refused with every invalid parameter named", async () => {
		const [, body] = await failure("/projects?foo=1&per_page=0");
		expect(body).toEqual(
			problem({
				detail: "foo: is not a parameter of GET /projects; per_page: must be at least 1",
				code: "invalid_parameters",
				errors: [
					{ loc: ["query", "foo"], msg: "is not a parameter of GET /projects" },
					{ loc: ["query", "per_page"], msg: "must be at least 1" },
				],
			}),
		);
	});

	test("an internal error reveals no details", async () => {
		const [status, body] = await failure("/validate");
		expect(status).toBe(500);
		expect(JSON.stringify(body)).not.toMatch(/hunter2|stack|\.ts/);
	});

	test.each(["POST", "PUT", "PATCH", "DELETE"])("%s to a read-only path is refused", async (method) => {
		const response = await fetch(`${gateway.url}/projects/PJM-1`, { method, body: "x".repeat(1_000_000) });
		expect(response.status).toBe(405);
		expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
		expect(await response.json()).toHaveProperty("detail");
	});

	test("bytes that are not HTTP are refused", async () => {
		expect(await say("rubbish\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 [\s\S]*"detail":"/);
		expect(await say("GET /\u0000 HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 [\s\S]*"detail":"/);
	});
});

describe("other methods", () => {
	test("HEAD returns the headers of GET", async () => {
		const response = await fetch(`${gateway.url}/projects`, { method: "HEAD" });
		const full = await get("/projects");
		expect(response.status).toBe(200);
		expect(response.headers.get("etag")).toBe(full.headers.get("etag"));
		expect(response.headers.get("content-length")).toBe(String((await full.text()).length));
		expect(await response.text()).toBe("");
	});

	test("OPTIONS allows requests from any page, with a key", async () => {
		const response = await fetch(`${gateway.url}/projects`, { method: "OPTIONS" });
		expect(response.status).toBe(204);
		expect(response.headers.get("access-control-allow-methods")).toContain("GET");
		const headers = response.headers.get("access-control-allow-headers")?.split(", ");
		for (const header of ["X-API-Key", "Authorization", "Content-Type", "PAYMENT-SIGNATURE"])
			expect(headers).toContain(header);
		expect((await fetch(`${gateway.url}/nope`, { method: "OPTIONS" })).status).toBe(404);
		// That there is nothing is for the page to read, too.
		const preflightHeaders = { "access-control-request-method": "GET", origin: "https://example.com" };
		const preflight = await fetch(`${gateway.url}/nope`, { method: "OPTIONS", headers: preflightHeaders });
		expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, "GET"]);
	});

	test("every response may be read by any page and must not be sniffed", async () => {
		for (const path of ["/", "/nope", "/projects", "/docs"]) {
			const { headers } = await get(path);
			expect(headers.get("access-control-allow-origin")).toBe("*");
			for (const exposed of ["RateLimit", "RateLimit-Policy", "Retry-After", "PAYMENT-REQUIRED", "WWW-Authenticate"])
				expect(headers.get("access-control-expose-headers")?.split(", ")).toContain(exposed);
			expect(headers.get("x-content-type-options")).toBe("nosniff");
			expect(headers.get("content-security-policy")).toContain("default-src 'none'");
		}
	});
});

describe("/health", () => {
	test("is ok with enough projects", async () => {
		expect(await (await get("/health")).json()).toMatchObject({ status: "ok", version: "1.0.0" });
	});

	test("is 503 with fewer than configured, with the reason", async () => {
		const databases = [{ name: "master" as const, row_count: 2, size_mb: 1, last_modified: null }];
		await using poor = await startGateway({
			owner: { describeDatabases: async () => versioned({ databases }) },
			settings: { HEALTH_MIN_ROWS: "master=3" },
		});
		const response = await poor.get("/health");
		expect(response.status).toBe(503);
		expect(await response.json()).toMatchObject({
			status: "unhealthy",
			version: "1.0.0",
			detail: "the database master has 2 rows, fewer than the required 3",
		});
	});

	test("is 503 with fewer rows in any named database, and without its owner", async () => {
		const rows = (name: "master" | "developer", row_count: number) => ({
			name,
			row_count,
			size_mb: 1,
			last_modified: null,
		});
		const owner = {
			describeDatabases: async () => versioned({ databases: [rows("master", 9), rows("developer", 4)] }),
		};
		const healthWith = async (leastRows: string) => {
			await using gateway = await startGateway({ owner, settings: { HEALTH_MIN_ROWS: leastRows } });
			const response = await gateway.get("/health");
			return [response.status, ((await response.json()) as { detail?: string }).detail];
		};
		expect(await healthWith("master=9,developer=4")).toEqual([200, undefined]);
		expect(await healthWith("master=9,developer=5")).toEqual([
			503,
			"the database developer has 4 rows, fewer than the required 5",
		]);
		expect(await healthWith("master=9,scoring=1")).toEqual([503, expect.stringContaining("describeScoringDatabases")]);
	});
});

test("without an owning service its operations are 503 with Retry-After; the others work", async () => {
	await using lonely = await startGateway({ owner: null });
	for (const path of ["/projects", "/health", "/health/detailed", "/health/freshness", "/export/projects"]) {
		const response = await lonely.get(path);
		expect([path, response.status]).toEqual([path, 503]);
		expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(await response.json()).toHaveProperty("detail");
	}
	for (const path of ["/", "/docs", "/docs/events", "/openapi.json", "/asyncapi.json"])
		expect((await lonely.get(path)).status).toBe(200);
});

test("an owner that takes too long is 503", async () => {
	await using slow = await startGateway({
		owner: { validate: () => sleep(300, versioned({}) as never) },
		settings: { REQUEST_TIMEOUT_MS: "50" },
	});
	expect((await slow.get("/validate")).status).toBe(503);
});
