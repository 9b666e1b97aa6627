/** Downloads ask no oftener than a host allows, all replicas together, and leave it alone once it has refused. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { take } from "../../services/signals/http/bucket.ts";
import type { Policy } from "../../services/signals/http/policies.ts";
import { Busy, politeClient } from "../../services/signals/http/polite.ts";
import { schema } from "../../services/signals/migrate.ts";
import { createDatabase } from "../support/database.ts";

/** So slow that no test waits for a second token. */
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

async function openSignals(): Promise<{ sql: Sql } & AsyncDisposable> {
	await using stack = new AsyncDisposableStack();
	const database = stack.use(await createDatabase("signals"));
	const sql = stack.use(connect(database.url, { schema, name: "polite", max: 4 }));
	const rest = stack.move();
	return { sql, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}

const client = (sql: Sql, policy: Policy, maxWaitMs = 0) =>
	politeClient({
		sql,
		userAgent: "Example Org data@example.org",
		signal: new AbortController().signal,
		maxWaitMs,
		policy: () => policy,
	});

describe("a host's tokens", () => {
	it("are shared by all who ask at once", async () => {
		await using world = await openSignals();
		const waits = await Promise.all(Array.from({ length: 6 }, () => take(world.sql, slow)));
		expect(waits.filter((wait) => wait === 0)).toHaveLength(2);
		for (const wait of waits.filter((ms) => ms > 0)) expect(wait).toBeGreaterThan(60_000);
	});

	it("come back with time, never more than the burst", async () => {
		await using world = await openSignals();
		await take(world.sql, slow);
		await world.sql`update hosts set tokens = 0, refilled_at = now() - interval '30 days'`;
		const waits = [await take(world.sql, slow), await take(world.sql, slow), await take(world.sql, slow)];
		expect(waits.map((wait) => wait === 0)).toEqual([true, true, false]);
	});
});

describe("a download", () => {
	it("says who asks, and is asked for again only if it changed", async () => {
		await using world = await openSignals();
		await using server = await host((request, response) => {
			if (request.headers["if-none-match"] === '"v1"') response.writeHead(304).end();
			else response.writeHead(200, { etag: '"v1"' }).end("body");
		});
		const polite = client(world.sql, quick);
		const first = await polite.get(server.url, { maxBytes: 100, conditional: true });
		expect(first).toMatchObject({ kind: "file", validators: { etag: '"v1"' } });
		await world.sql`
			insert into fetched (url, etag, last_modified, fetched_at) values (${server.url}, '"v1"', null, now())`;
		expect(await polite.get(server.url, { maxBytes: 100, conditional: true })).toEqual({ kind: "unchanged" });
		expect(server.seen.map((request) => request.headers["user-agent"])).toEqual([
			"Example Org data@example.org",
			"Example Org data@example.org",
		]);
	});

	it.each([429, 503, 403])("that is refused with %i is not tried again, by nobody", async (status) => {
		await using world = await openSignals();
		await using server = await host((_, response) => response.writeHead(status).end("too many requests"));
		await expect(client(world.sql, quick).get(server.url, { maxBytes: 100 })).rejects.toBeInstanceOf(Busy);
		await expect(client(world.sql, quick).get(server.url, { maxBytes: 100 })).rejects.toBeInstanceOf(Busy);
		expect(server.seen).toHaveLength(1);
	});

	it("waits longer after each refusal in a row, and as long as the host says", async () => {
		await using world = await openSignals();
		await using server = await host((_, response) => response.writeHead(429, { "retry-after": "7200" }).end());
		const cooling = async () => {
			await expect(client(world.sql, quick).get(server.url, { maxBytes: 100 })).rejects.toBeInstanceOf(Busy);
			const [row] = await world.sql<{ seconds: number }[]>`
				select extract(epoch from cooling_until - now())::float8 as seconds from hosts`;
			await world.sql`update hosts set cooling_until = '-infinity'`;
			return row?.seconds ?? 0;
		};
		const first = await cooling();
		expect(first).toBeGreaterThan(7_000);
		for (let refusal = 0; refusal < 3; refusal++) await cooling();
		expect(await cooling()).toBeGreaterThan(first);
	});

	it("of nothing is no refusal: 404, and a 403 that does not speak of limits where the host answers so", async () => {
		await using world = await openSignals();
		await using server = await host((request, response) =>
			request.url === "/file" ? response.writeHead(404).end() : response.writeHead(403).end("AccessDenied"),
		);
		const policy: Policy = { ...quick, refusal: /threshold/ };
		expect(await client(world.sql, policy).get(server.url, { maxBytes: 100 })).toEqual({ kind: "absent" });
		expect(await client(world.sql, policy).get(`${server.url}2`, { maxBytes: 100 })).toEqual({ kind: "absent" });
	});

	it("ends at its limit, whatever is still to come", async () => {
		await using world = await openSignals();
		await using server = await host((_, response) => response.writeHead(200).end("x".repeat(5_000)));
		await expect(client(world.sql, quick).get(server.url, { maxBytes: 100 })).rejects.toThrow("more than 100 bytes");
	});

	it("that fails three times leaves the host alone", async () => {
		await using world = await openSignals();
		await using server = await host((_, response) => response.writeHead(500).end());
		await expect(client(world.sql, quick).get(server.url, { maxBytes: 100 })).rejects.toBeInstanceOf(Busy);
		expect(server.seen).toHaveLength(3);
	});
});
