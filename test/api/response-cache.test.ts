import { get as httpGet, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGatewayOptions, versioned } from "./support/gateway.ts";

/** A gateway before an owner that counts what it is asked; its data is at `state.version`. */
async function counting(settings: TestGatewayOptions["settings"] = {}) {
	const state = { version: 1, asked: 0, text: "", hold: Promise.resolve() };
	const gateway = await startGateway({
		owner: {
			listProjects: async (params) => {
				const { version, text } = state;
				state.asked++;
				await state.hold;
				return versioned({ version, params, text }, version) as never;
			},
			validate: async () => versioned({ version: state.version }, state.version) as never,
		},
		settings,
	});
	const version = async (path = "/projects") =>
		((await (await gateway.get(path)).json()) as { version: number }).version;
	return { gateway, state, version, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
}

/** Sends exactly these headers and returns the received bytes: fetch requests gzip by itself and unpacks it. */
function asSent(url: string, headers: OutgoingHttpHeaders) {
	return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
		httpGet(url, { headers }, (response) => {
			const { statusCode: status, headers } = response;
			buffer(response).then((bytes) => resolve({ status, headers, bytes }), reject);
		}).on("error", reject);
	});
}

test("equal requests, in any spelling, reach the owner once per version", async () => {
	await using owner = await counting();
	await owner.gateway.announce(1);
	for (const query of ["?state=TX&per_page=50", "?per_page=50&state=tx", "?state=TX&sort=id", "?state=TX&page=1"])
		expect((await owner.gateway.get(`/projects${query}`)).status).toBe(200);
	expect(owner.state.asked).toBe(1);
});

test("a raised version takes effect at once, and no older response follows a newer one", async () => {
	await using owner = await counting();
	await owner.gateway.announce(1);
	expect(await owner.version()).toBe(1);
	owner.state.version = 2;
	expect(await owner.version()).toBe(1);
	// Nothing was announced, but another answer shows the newer version.
	expect(await owner.version("/validate")).toBe(1 + 1);
	expect(await owner.version()).toBe(2);
	owner.state.version = 3;
	await owner.gateway.announce(3);
	expect(await owner.version()).toBe(3);
	expect(owner.state.asked).toBe(3);
});

test("a hundred equal requests at once reach the owner once", async () => {
	await using owner = await counting();
	await owner.gateway.announce(1);
	const { promise, resolve } = Promise.withResolvers<void>();
	owner.state.hold = promise;
	const all = Array.from({ length: 100 }, () => owner.gateway.get("/projects"));
	await eventually(() => owner.state.asked === 1);
	resolve();
	const texts = await Promise.all(all.map(async (one) => (await one).text()));
	expect(new Set(texts).size).toBe(1);
	expect(owner.state.asked).toBe(1);
});

test("without announcements, or without space, nothing is cached", async () => {
	await using silent = await counting();
	await silent.version();
	await silent.version();
	expect(silent.state.asked).toBe(2);

	await using small = await counting({ CACHE_MAX_BYTES: "0" });
	await small.gateway.announce(1);
	await small.version();
	await small.version();
	expect(small.state.asked).toBe(2);
});

test("a client that has the response gets 304 until it differs", async () => {
	await using owner = await counting();
	await owner.gateway.announce(1);
	const first = await owner.gateway.get("/projects");
	const etag = first.headers.get("etag") ?? "";
	expect(etag).toMatch(/^"[\w-]+"$/);
	expect(first.headers.get("cache-control")).toBe("private, no-cache");
	expect(first.headers.get("x-data-version")).toBe("1");

	for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
		const again = await owner.gateway.get("/projects", { "if-none-match": tag });
		expect([tag, again.status, await again.text()]).toEqual([tag, 304, ""]);
		expect(again.headers.get("etag")).toBe(etag);
		expect(again.headers.get("cache-control")).toBe("private, no-cache");
	}
	owner.state.version = 2;
	await owner.gateway.announce(2);
	const changed = await owner.gateway.get("/projects", { "if-none-match": etag });
	expect(changed.status).toBe(200);
	expect(changed.headers.get("etag")).not.toBe(etag);
});

test("a time-dependent response states how long it may be cached", async () => {
	const owner = { getStats: async () => versioned({ data: {} }) as never };
	await using gateway = await startGateway({ owner });
	const response = await gateway.get("/stats");
	expect(response.headers.get("cache-control")).toMatch(/^public, max-age=(299|300)$/);
});

test("a long response is compressed once per version and encoding, with its own ETag", async () => {
	await using owner = await counting();
	await owner.gateway.announce(1);
	owner.state.text = "long ".repeat(600);
	const get = (headers: OutgoingHttpHeaders) => asSent(`${owner.gateway.url}/projects`, headers);
	const plain = await get({});
	expect(plain.headers).toMatchObject({ "content-length": String(plain.bytes.length) });
	expect(plain.headers["content-encoding"]).toBeUndefined();

	const squeezed = await get({ "accept-encoding": "br;q=0.4, gzip;q=0.5" });
	expect(squeezed.headers).toMatchObject({
		"content-encoding": "gzip",
		vary: expect.stringContaining("Accept-Encoding"),
	});
	expect(squeezed.bytes.length).toBeLessThan(plain.bytes.length / 2);
	expect(gunzipSync(squeezed.bytes)).toEqual(plain.bytes);
	expect(squeezed.headers.etag).not.toBe(plain.headers.etag);
	const etag = String(squeezed.headers.etag);
	expect((await get({ "accept-encoding": "gzip", "if-none-match": etag })).status).toBe(304);
	// The client's copy is out of date.
	expect((await get({ "if-none-match": etag })).status).toBe(200);
	const others = [
		["br", "br", brotliDecompressSync],
		["gzip, br, zstd", "zstd", zstdDecompressSync],
		["*", "zstd", zstdDecompressSync],
		["zstd;q=0, br;q=0, *", "gzip", gunzipSync],
	] as const;
	for (const [accepted, encoding, decompress] of others) {
		const { headers, bytes } = await get({ "accept-encoding": accepted });
		expect([accepted, headers["content-encoding"], headers.etag]).toEqual([
			accepted,
			encoding,
			String(plain.headers.etag).replace(/"$/, `-${encoding}"`),
		]);
		expect(decompress(bytes)).toEqual(plain.bytes);
	}
	for (const refused of ["deflate", "gzip;q=0", "identity", "identity, gzip;q=0.9"])
		expect((await get({ "accept-encoding": refused })).headers["content-encoding"], refused).toBeUndefined();
	expect(owner.state.asked).toBe(1);

	owner.state.version = 2;
	await owner.gateway.announce(2);
	const newer = await get({ "accept-encoding": "gzip" });
	expect(JSON.parse(gunzipSync(newer.bytes).toString())).toMatchObject({ version: 2 });
});

test("a short response is sent uncompressed", async () => {
	await using owner = await counting();
	const { headers } = await asSent(`${owner.gateway.url}/projects`, { "accept-encoding": "gzip" });
	expect(headers["content-encoding"]).toBeUndefined();
});

test("documents are also compressed, and revalidated by the ETag of their encoding", async () => {
	await using owner = await counting();
	for (const path of ["/openapi.json", "/llms-full.txt"]) {
		const get = (headers: OutgoingHttpHeaders) => asSent(`${owner.gateway.url}${path}`, headers);
		const [plain, coded] = [await get({}), await get({ "accept-encoding": "br" })];
		expect(coded.headers).toMatchObject({ "content-encoding": "br", vary: expect.stringContaining("Accept-Encoding") });
		expect(brotliDecompressSync(coded.bytes).equals(plain.bytes), path).toBe(true);
		const known = { "accept-encoding": "br", "if-none-match": String(coded.headers.etag) };
		expect((await get(known)).status).toBe(304);
		expect((await get({ "if-none-match": String(coded.headers.etag) })).status).toBe(200);
	}
});
