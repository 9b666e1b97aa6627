/** Downloads ask no oftener than a host allows, all replicas together, and leave it alone once it has refused. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { hosts, type Policy, policyOf } from "../../services/signals/polling/hosts.ts";
import { Busy, createPoliteClient, takeToken } from "../../services/signals/polling/polite.ts";
import { openSignals, type Signals } from "./support/signals.ts";

/** A rate so low that no test waits for a second token. */
const slow: Policy = { name: "slow.example", perSecond: 0.0001, burst: 2, coolDownMs: 600_000 };
const quick: Policy = { name: "quick.example", perSecond: 10_000, burst: 1_000, coolDownMs: 600_000 };

interface Host extends AsyncDisposable {
	url: string;
	seen: IncomingMessage[];
}

async function host(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Host> {
	const seen: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		seen.push(request);
		answer(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/file`,
		seen,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

let signals: Signals;
beforeAll(async () => {
	signals = await openSignals();
});
afterAll(() => signals[Symbol.asyncDispose]());
beforeEach(() => signals.clear());

/** Records waits instead of waiting. */
const client = (sql: Sql, policy: Policy | ((host: string) => Policy), pauses: number[] = []) =>
	createPoliteClient({
		sql,
		userAgent: "Example Org data@example.org",
		signal: new AbortController().signal,
		maxWaitMs: 0,
		policy: typeof policy === "function" ? policy : () => policy,
		pause: async (ms) => void pauses.push(ms),
	});

/** 1, 2 and 4 s, each with up to half as much again. */
function expectBackOff(pauses: readonly number[]): void {
	expect(pauses.map((ms) => Math.floor(Math.log2(ms / 1_000)))).toEqual([0, 1, 2]);
	for (const [at, ms] of pauses.entries()) expect(ms).toBeLessThanOrEqual(1_500 * 2 ** at);
}

describe("a host's tokens", () => {
	it("are shared by all concurrent callers", async () => {
		const waits = await Promise.all(Array.from({ length: 6 }, () => takeToken(signals.sql, slow)));
		expect(waits.filter((wait) => wait === 0)).toHaveLength(2);
		for (const wait of waits.filter((ms) => ms > 0)) expect(wait).toBeGreaterThan(60_000);
	});

	it("come back with time, never more than the burst", async () => {
		await takeToken(signals.sql, slow);
		await signals.sql`update hosts set tokens = 0, refilled_at = now() - interval '30 days'`;
		const waits = [
			await takeToken(signals.sql, slow),
			await takeToken(signals.sql, slow),
			await takeToken(signals.sql, slow),
		];
		expect(waits.map((wait) => wait === 0)).toEqual([true, true, false]);
	});
});

describe("a download", () => {
	it("names the client, and is fetched again only if it changed", async () => {
		await using server = await host((request, response) => {
			if (request.headers["if-none-match"] === '"v1"') response.writeHead(304).end();
			else response.writeHead(200, { etag: '"v1"' }).end("body");
		});
		const polite = client(signals.sql, quick);
		const first = await polite.get(server.url, { maxBytes: 100, conditional: true });
		expect(first).toMatchObject({ kind: "file", validators: { etag: '"v1"' } });
		await signals.sql`
			insert into fetched (url, etag, last_modified, fetched_at) values (${server.url}, '"v1"', null, now())`;
		expect(await polite.get(server.url, { maxBytes: 100, conditional: true })).toEqual({ kind: "unchanged" });
		expect(server.seen.map((request) => request.headers["user-agent"])).toEqual([
			"Example Org data@example.org",
			"Example Org data@example.org",
		]);
	});

	it.each([429, 503, 403])("that is refused with %i is not retried by any replica", async (status) => {
		await using server = await host((_, response) => response.writeHead(status).end("too many requests"));
		await expect(client(signals.sql, quick).get(server.url, { maxBytes: 100 })).rejects.toBeInstanceOf(Busy);
		await expect(client(signals.sql, quick).get(server.url, { maxBytes: 100 })).rejects.toBeInstanceOf(Busy);
		expect(server.seen).toHaveLength(1);
	});

	it("is paused longer after each consecutive refusal, and as long as the host requests", async () => {
		await using server = await host((_, response) => response.writeHead(429, { "retry-after": "7200" }).end());
		const cooling = async () => {
			await expect(client(signals.sql, quick).get(server.url, { maxBytes: 100 })).rejects.toBeInstanceOf(Busy);
			const [row] = await signals.sql<{ seconds: number }[]>`
				select extract(epoch from cooling_until - now())::float8 as seconds from hosts`;
			await signals.sql`update hosts set cooling_until = '-infinity'`;
			return row?.seconds ?? 0;
		};
		const first = await cooling();
		expect(first).toBeGreaterThan(7_000);
		for (let refusal = 0; refusal < 3; refusal++) await cooling();
		expect(await cooling()).toBeGreaterThan(first);
	});

	it("of a missing file is not a refusal: 404, or 403 without the host's text for rate limits", async () => {
		await using server = await host((request, response) =>
			request.url === "/file" ? response.writeHead(404).end() : response.writeHead(403).end("AccessDenied"),
		);
		const policy: Policy = { ...quick, refusal: /threshold/ };
		expect(await client(signals.sql, policy).get(server.url, { maxBytes: 100 })).toEqual({ kind: "absent" });
		expect(await client(signals.sql, policy).get(`${server.url}2`, { maxBytes: 100 })).toEqual({ kind: "absent" });
	});

	it("ends at its size limit", async () => {
		await using server = await host((_, response) => response.writeHead(200).end("x".repeat(5_000)));
		await expect(client(signals.sql, quick).get(server.url, { maxBytes: 100 })).rejects.toThrow("more than 100 bytes");
	});

	it("that fails is retried three times with increasing pauses, and then the host is paused", async () => {
		await using server = await host((_, response) => response.writeHead(500).end());
		const pauses: number[] = [];
		await expect(client(signals.sql, quick, pauses).get(server.url, { maxBytes: 100 })).rejects.toBeInstanceOf(Busy);
		expect(server.seen).toHaveLength(4);
		expectBackOff(pauses);
		await expect(client(signals.sql, quick).get(server.url, { maxBytes: 100 })).rejects.toBeInstanceOf(Busy);
		expect(server.seen).toHaveLength(4);
	});

	it("that finds no server is retried equally often, and is then an error, not a refusal", async () => {
		await using server = await host((request) => request.socket.destroy());
		const pauses: number[] = [];
		const got = client(signals.sql, quick, pauses).get(server.url, { maxBytes: 100 });
		await expect(got).rejects.toThrow("quick.example could not be reached");
		await expect(got).rejects.not.toBeInstanceOf(Busy);
		expect(server.seen).toHaveLength(4);
		expectBackOff(pauses);
	});

	it("that times out or breaks off succeeds at the next attempt", async () => {
		const answers: ((response: ServerResponse) => void)[] = [
			() => {},
			(response) => {
				response.writeHead(200, { "content-length": "4" }).write("bo");
				response.socket?.end();
			},
		];
		await using server = await host((_, response) => {
			const answer = answers.shift();
			if (answer) answer(response);
			else response.end("body");
		});
		const got = await client(signals.sql, quick).get(server.url, { maxBytes: 100, timeoutMs: 50 });
		expect(got).toMatchObject({ kind: "file", bytes: Buffer.from("body") });
	});

	it.each([200, 304, 404])("with status %i resets the count of refusals", async (status) => {
		await using server = await host((_, response) => response.writeHead(status).end());
		await takeToken(signals.sql, quick);
		await signals.sql`update hosts set failures = 5`;
		await client(signals.sql, quick).get(server.url, { maxBytes: 100, conditional: true });
		expect(await signals.sql`select failures from hosts`).toEqual([{ failures: 0 }]);
	});
});

describe("a redirect", () => {
	const to = (location: string) => host((_, response) => response.writeHead(302, { location }).end());

	it("is followed by the policy of its own host, without the first host's validators", async () => {
		await using second = await host((_, response) => response.end("body"));
		await using first = await to(second.url);
		await signals.sql`
			insert into fetched (url, etag, last_modified, fetched_at) values (${first.url}, '"v1"', 'yesterday', now())`;
		const firstHost = new URL(first.url).host;
		const polite = client(signals.sql, (asked) => (asked === firstHost ? quick : { ...slow, burst: 1 }));
		const got = await polite.get(first.url, { maxBytes: 100, conditional: true });
		expect(got).toMatchObject({ kind: "file", bytes: Buffer.from("body") });
		expect(first.seen[0]?.headers).toMatchObject({ "if-none-match": '"v1"', "if-modified-since": "yesterday" });
		expect(second.seen[0]?.headers).not.toHaveProperty("if-none-match");
		expect(second.seen[0]?.headers).not.toHaveProperty("if-modified-since");
		await expect(polite.get(first.url, { maxBytes: 100 })).rejects.toThrow(
			"slow.example allows no request for another",
		);
		expect(second.seen).toHaveLength(1);
	});

	it("to another address of the same host is still conditional", async () => {
		await using server = await host((request, response) => {
			if (request.url === "/file") response.writeHead(301, { location: "/moved" }).end();
			else response.writeHead(request.headers["if-none-match"] === '"v1"' ? 304 : 200).end();
		});
		await signals.sql`insert into fetched (url, etag, fetched_at) values (${server.url}, '"v1"', now())`;
		const polite = client(signals.sql, quick);
		expect(await polite.get(server.url, { maxBytes: 100, conditional: true })).toEqual({ kind: "unchanged" });
		expect(server.seen.map(({ url }) => url)).toEqual(["/file", "/moved"]);
	});

	it("in a loop ends after five", async () => {
		await using server = await to("/file");
		await expect(client(signals.sql, quick).get(server.url, { maxBytes: 100 })).rejects.toThrow("more than 5 times");
		expect(server.seen).toHaveLength(6);
	});

	it.each(["file:///etc/hosts", "data:,body", "http://"])("to %s is refused", async (location) => {
		await using server = await to(location);
		const got = client(signals.sql, quick).get(server.url, { maxBytes: 100 });
		await expect(got).rejects.toBeInstanceOf(StructureError);
	});
});

describe("the mirror of GDELT's files", () => {
	it("has its own rate limit, so that a refusal of the publisher does not stop it", () => {
		const [first, mirror] = hosts.gkg.map((folder) => policyOf(new URL(folder).host).name);
		expect(first).toBe("data.gdeltproject.org");
		expect(mirror).toBe("storage.googleapis.com");
	});
});
