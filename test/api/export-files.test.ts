/** An export over HTTP is a file: made once, resumed, compressed, described by its manifest, and bounded on disk. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, rmSync, statSync } from "node:fs";
import { get, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { operations } from "#libs/contract/index.ts";
import { contentEncodings } from "../../services/gateway/http/negotiation.ts";
import { eventually } from "../support/eventually.ts";
import { spooled } from "../support/export-files.ts";
import { openHome } from "../support/home.ts";
import { startGateway, type TestGateway } from "./support/gateway.ts";

const home = openHome();
afterAll(() => home[Symbol.asyncDispose]());
const path = "/export/projects";
const line = "PJM-1,Example,Solar,100\n";
/** The file's text with this many rows. */
const rowsOf = (rows: number) => line.repeat(rows);
/** Longer than what stays in memory. */
const long = 60_000;

/** The owner's data now, and counts of the exports it was asked for. */
const owner = { version: 1, rows: long, end: "", made: 0, ended: 0, hold: Promise.resolve() };
let spools = 0;
beforeEach(() => Object.assign(owner, { version: 1, rows: long, end: "", made: 0, ended: 0, hold: Promise.resolve() }));

interface Files extends TestGateway {
	/** The folder of files, and the bytes of each. */
	folder: string;
	spooled(): number[];
}

async function start(settings: Record<string, string> = {}): Promise<Files> {
	const folder = join(home.directory, `spool-${++spools}`);
	const gateway = await startGateway({
		settings: { SPOOL_DIR: folder, ...settings },
		owner: {
			async *exportProjects({ state = "" }, { head }) {
				owner.made++;
				const { version, rows, end } = owner;
				const fields = { "x-data-version": String(version), "generated-at": "2026-11-01T00:00:00Z" };
				head?.(fields);
				try {
					for (let part = 0; part < rows; part += 4_000) {
						yield rowsOf(Math.min(4_000, rows - part));
						if (part === 0) await owner.hold;
						await turn();
					}
					yield `${state}${end}`;
					head?.({ ...fields, rows: String(rows) });
				} finally {
					owner.ended++;
				}
			},
		},
	});
	await gateway.announce(owner.version);
	return Object.assign(gateway, { folder, spooled: () => spooled(folder).map((name) => statSync(name).size) });
}

interface Raw {
	status: number | undefined;
	headers: IncomingHttpHeaders;
	bytes: Buffer;
}

/** Sends exactly these headers: fetch would request gzip and unpack it. */
async function raw(url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Raw> {
	const [response] = (await once(request(url, { headers, method }).end(), "response")) as [IncomingMessage];
	return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}

/** An answer of which nothing is read beyond what its connection holds. */
async function unread(url: string): Promise<IncomingMessage> {
	const [response] = (await once(get(url, { agent: false }), "response")) as [IncomingMessage];
	response.pause();
	response.on("error", () => {});
	return response;
}

/** The first bytes of an answer whose connection is cut then. */
async function begun(response: IncomingMessage, length: number): Promise<Buffer> {
	const had: Buffer[] = [];
	let size = 0;
	for await (const bytes of response as AsyncIterable<Buffer>) {
		had.push(bytes);
		size += bytes.length;
		if (size >= length) break;
	}
	return Buffer.concat(had).subarray(0, length);
}

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

describe.each([
	["in memory", 100],
	["on disk", long],
])("a file %s", (_where, rows) => {
	let gateway: Files;
	/** Each test begins with a version of its own, of which the gateway has no file yet. */
	let versions = 1;
	const change = async (end: string) => {
		Object.assign(owner, { version: ++versions, end });
		await gateway.announce(versions);
	};
	beforeAll(async () => {
		owner.version = versions;
		gateway = await start();
	});
	afterAll(() => gateway?.[Symbol.asyncDispose]());
	beforeEach(async () => {
		owner.rows = rows;
		await change("");
	});

	test("read in ranges equals the whole, whose hash is the ETag and is in the manifest", async () => {
		const url = gateway.url + path;
		const manifest = operations.getExportManifest.reply.parse(
			(await (await gateway.get(`${path}/manifest`)).json()) as object,
		);
		expect(manifest).toMatchObject({ rows, bytes: rows * line.length, data_version: versions });
		const parts: Buffer[] = [];
		for (let at = 0; at < manifest.bytes; at += 700_001) {
			const last = Math.min(at + 700_000, manifest.bytes - 1);
			const part = await raw(url, { range: `bytes=${at}-${last}` });
			expect([part.status, part.headers["content-range"], part.headers["content-length"]]).toEqual([
				206,
				`bytes ${at}-${last}/${manifest.bytes}`,
				String(last + 1 - at),
			]);
			parts.push(part.bytes);
		}
		expect(sha256(Buffer.concat(parts))).toBe(manifest.sha256);
		const whole = await raw(url);
		expect(whole.headers).toMatchObject({
			etag: `"${manifest.sha256}"`,
			"accept-ranges": "bytes",
			"content-length": String(manifest.bytes),
			"x-data-version": String(versions),
			vary: "Accept, Accept-Encoding",
		});
		expect(sha256(whole.bytes)).toBe(manifest.sha256);
		expect(owner.made).toBe(1);
	});

	test("supports HEAD, 304 and 416", async () => {
		const url = gateway.url + path;
		const head = await raw(url, {}, "HEAD");
		const { etag = "", "content-length": length } = head.headers;
		expect([head.status, Number(length), head.bytes.length]).toEqual([200, rows * line.length, 0]);
		const known = await raw(url, { "if-none-match": etag });
		expect([known.status, known.bytes.length, known.headers.etag]).toEqual([304, 0, etag]);
		const beyond = await raw(url, { range: `bytes=${length}-` });
		expect([beyond.status, beyond.headers["content-range"]]).toEqual([416, `bytes */${length}`]);
		expect(JSON.parse(beyond.bytes.toString())).toMatchObject({
			detail: expect.stringContaining(`${length} bytes`),
			code: "range_not_satisfiable",
		});
		expect((await raw(url, { range: "bytes=-5" })).bytes.toString()).toBe(line.slice(-5));
		const part = await raw(url, { range: "bytes=2-6" }, "HEAD");
		expect([part.status, part.headers["content-range"], part.headers["content-length"], part.bytes.length]).toEqual([
			206,
			`bytes 2-6/${length}`,
			"5",
			0,
		]);
		expect(owner.made).toBe(1);
	});

	test("compressed is another representation with its own ETag, without ranges", async () => {
		const url = gateway.url + path;
		const gzip = { "accept-encoding": "gzip" };
		const [plain, coded] = [await raw(url), await raw(url, gzip)];
		expect(coded.headers).toMatchObject({ "content-encoding": "gzip", "content-length": String(coded.bytes.length) });
		expect(coded.headers.etag).toBe(`"${sha256(coded.bytes)}"`);
		expect(gunzipSync(coded.bytes).equals(plain.bytes)).toBe(true);
		expect((await raw(url, { ...gzip, "if-none-match": String(coded.headers.etag) })).status).toBe(304);
		for (const [encoding, decompress] of [
			["zstd", zstdDecompressSync],
			["br", brotliDecompressSync],
		] as const) {
			const { headers, bytes } = await raw(url, { "accept-encoding": `gzip;q=0.9, ${encoding}` });
			expect([headers["content-encoding"], headers.etag]).toEqual([encoding, `"${sha256(bytes)}"`]);
			expect(decompress(bytes).equals(plain.bytes)).toBe(true);
		}
		const part = await raw(url, { ...gzip, range: "bytes=0-99" });
		expect([part.status, part.headers.etag, part.headers["content-encoding"]]).toEqual([
			206,
			plain.headers.etag,
			undefined,
		]);
		expect(part.bytes.equals(plain.bytes.subarray(0, 100))).toBe(true);
		const other = await raw(url, { range: "bytes=0-99", "if-range": String(coded.headers.etag) });
		expect([other.status, other.bytes.length]).toEqual([200, plain.bytes.length]);
		const parquet = await raw(`${url}?format=parquet`, gzip);
		expect([parquet.status, parquet.headers["content-encoding"]]).toEqual([200, undefined]);
		expect(owner.made).toBe(2);
	});

	test("is resumed while it is unchanged, and sent completely after the data has changed", async () => {
		const url = gateway.url + path;
		const { etag = "" } = (await raw(url)).headers;
		const rest = { range: "bytes=10-", "if-range": etag };
		const same = await raw(url, rest);
		expect([same.status, same.bytes.length]).toEqual([206, rows * line.length - 10]);
		expect((await raw(url, { "if-none-match": etag })).status).toBe(304);
		await change("one more\n");
		const changed = await raw(url, rest);
		expect([changed.status, changed.bytes.length]).toEqual([200, rows * line.length + 9]);
		expect(changed.headers.etag).not.toBe(etag);
		expect(changed.headers["x-data-version"]).toBe(String(versions));
		expect((await raw(url, { "if-none-match": etag })).status).toBe(200);
		// A date is no proof that it is the same.
		expect((await raw(url, { range: "bytes=10-", "if-range": "Sun, 01 Nov 2026 00:00:00 GMT" })).status).toBe(200);
	});

	test.each(["if-range", "if-match"])(
		"interrupted twenty times and resumed with %s matches the manifest, and never mixes two versions",
		async (condition) => {
			const url = gateway.url + path;
			const manifest = operations.getExportManifest.reply.parse(
				(await (await gateway.get(`${path}/manifest`)).json()) as object,
			);
			const known = { [condition]: `"${manifest.sha256}"` };
			const share = Math.floor(manifest.bytes / 21);
			const had: Buffer[] = [];
			let at = 0;
			while (at < manifest.bytes) {
				const headers = { ...known, range: `bytes=${at}-` };
				const [response] = (await once(get(url, { agent: false, headers }), "response")) as [IncomingMessage];
				expect([response.statusCode, response.headers["content-range"]]).toEqual([
					206,
					`bytes ${at}-${manifest.bytes - 1}/${manifest.bytes}`,
				]);
				const bytes = had.length === 20 ? await buffer(response) : await begun(response, share);
				had.push(bytes);
				at += bytes.length;
			}
			expect(had).toHaveLength(21);
			expect(sha256(Buffer.concat(had))).toBe(manifest.sha256);
			await change("one more\n");
			const after = await raw(url, { ...known, range: "bytes=10-" });
			if (condition === "if-match") expect(JSON.parse(after.bytes.toString()).code).toBe("precondition_failed");
			else expect([after.bytes.length, after.headers.etag]).toEqual([manifest.bytes + 9, `"${sha256(after.bytes)}"`]);
			expect(after.status).toBe(condition === "if-match" ? 412 : 200);
		},
	);

	test("is sent for If-Match only with a strong ETag of the encoding sent", async () => {
		const url = gateway.url + path;
		const gzip = { "accept-encoding": "gzip" };
		const [{ etag = "" }, { etag: coded = "" }] = [(await raw(url)).headers, (await raw(url, gzip)).headers];
		for (const [match, headers, status] of [
			[etag, {}, 200],
			["*", {}, 200],
			[`"other", ${etag}`, {}, 200],
			[`W/${etag}`, {}, 412],
			[coded, {}, 412],
			[coded, gzip, 200],
			[coded, { ...gzip, range: "bytes=5-" }, 412],
			['"other"', { range: `bytes=${owner.rows * line.length}-` }, 412],
		] as const)
			expect([match, headers, (await raw(url, { ...headers, "if-match": match })).status]).toEqual([
				match,
				headers,
				status,
			]);
	});

	test("has the same ETag at every replica and after every restart", async () => {
		await using replica = await start();
		const etagsAt = ({ url }: Files) =>
			Promise.all(
				["identity", ...contentEncodings].map(
					async (encoding) => (await raw(url + path, { "accept-encoding": encoding })).headers.etag,
				),
			);
		const etags = await etagsAt(gateway);
		expect(await etagsAt(replica)).toEqual(etags);
		expect(new Set(etags).size).toBe(4);
	});
});

test("concurrent callers share one file, which later callers reuse; other filters create another file", async () => {
	await using gateway = await start();
	const { promise, resolve } = Promise.withResolvers<void>();
	owner.hold = promise;
	const requests = Array.from({ length: 20 }, (_, at) =>
		raw(`${gateway.url}${path}${at % 2 === 0 ? "?state=TX" : "?state=tx&format=csv"}`),
	);
	await eventually(() => owner.made > 0);
	resolve();
	expect(new Set((await Promise.all(requests)).map(({ bytes }) => sha256(bytes))).size).toBe(1);
	await raw(`${gateway.url}${path}?state=TX`);
	expect(owner.made).toBe(1);
	await raw(`${gateway.url}${path}?state=OH`);
	expect(owner.made).toBe(2);
});

describe("the spool", () => {
	/** More than a connection holds, so that who does not read it is still reading it. */
	const large = 400_000;
	const one = large * line.length;
	beforeEach(() => {
		owner.rows = large;
	});

	test("stays within its limit: only files without a reader are removed, and otherwise the response is 503", async () => {
		await using gateway = await start({ SPOOL_MAX_BYTES: String(3 * one), SPOOL_SHARE_BYTES: String(10 * one) });
		const ask = (state: string) => raw(`${gateway.url}${path}?state=${state}`);
		for (const state of ["AL", "AZ", "AR"]) expect((await ask(state)).status).toBe(200);
		await eventually(() => gateway.spooled().length === 2);
		owner.made = 0;
		await ask("AR");
		expect(owner.made).toBe(0);
		await ask("AL");
		expect(owner.made).toBe(1);
		const reading = await Promise.all(["AR", "AL"].map((state) => unread(`${gateway.url}${path}?state=${state}`)));
		const refused = await ask("OH");
		expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "30"]);
		expect(JSON.parse(refused.bytes.toString())).toMatchObject({
			detail: expect.stringContaining("no space"),
			code: "unavailable",
		});
		expect(gateway.spooled().reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3 * one);
		// Short files need none.
		owner.rows = 10;
		expect((await ask("TX")).status).toBe(200);
		owner.rows = large;
		for (const response of reading) response.destroy();
		await eventually(async () => (await ask("OH")).status === 200);
	});

	test("limits each caller to a share", async () => {
		const settings = {
			SPOOL_MAX_BYTES: String(20 * one),
			SPOOL_SHARE_BYTES: String(2 * one + 1_000),
			ANONYMOUS_PER_MINUTE: "0",
			TRUSTED_PROXIES: "127.0.0.1",
		};
		await using gateway = await start(settings);
		const url = (state: string) => `${gateway.url}${path}?state=${state}`;
		const from = (address: string) => ({ "x-forwarded-for": address });
		const held = await Promise.all(
			["TX", "OH"].map(async (state) => {
				const asking = get(url(state), { agent: false, headers: from("192.0.2.1") });
				const [response] = (await once(asking, "response")) as [IncomingMessage];
				response.pause();
				response.on("error", () => {});
				return response;
			}),
		);
		// The same file twice is held once.
		const again = await raw(url("TX"), { ...from("192.0.2.1"), range: "bytes=0-9" });
		expect(again.status).toBe(206);
		const refused = await raw(url("CA"), from("192.0.2.1"));
		expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "30"]);
		expect(held).toHaveLength(2);
		expect((await raw(url("CA"), from("192.0.2.2"))).status).toBe(200);
		// At once: the other caller does not fail by the share of the one that had the file made.
		const both = await Promise.all(["192.0.2.1", "192.0.2.3"].map((address) => raw(url("NV"), from(address))));
		expect(both.map(({ status }) => status)).toEqual([429, 200]);
		for (const response of held) response.destroy();
		await eventually(async () => (await raw(url("AL"), from("192.0.2.1"))).status === 200);
	});

	test("removes files after their maximum age, and disconnects their readers", async () => {
		await using gateway = await start({ SPOOL_MAX_AGE_MS: "1000" });
		const reading = await unread(gateway.url + path);
		await eventually(() => gateway.spooled().length === 0);
		reading.resume();
		await expect(buffer(reading)).rejects.toThrow();
		owner.rows = long;
		await raw(gateway.url + path);
		expect(owner.made).toBe(2);
	});

	test("contains no file of an older data version or of an interrupted export", async () => {
		await using gateway = await start();
		await raw(gateway.url + path);
		expect(gateway.spooled()).toHaveLength(1);
		owner.version = 2;
		await gateway.announce(2);
		await eventually(() => gateway.spooled().length === 0);
		const { promise, reject } = Promise.withResolvers<void>();
		owner.hold = promise;
		const asking = raw(gateway.url + path);
		await eventually(() => owner.made === 2);
		reject(new Error("the disk is full"));
		expect((await asking).status).toBe(500);
		expect(gateway.spooled()).toEqual([]);
		owner.hold = Promise.resolve();
		expect((await raw(gateway.url + path)).bytes.length).toBe(one);
	});

	test("leaves nothing in its folder, which may be removed", async () => {
		await using gateway = await start();
		const first = await raw(gateway.url + path);
		expect([gateway.spooled(), readdirSync(gateway.folder)]).toEqual([[one], []]);
		rmSync(gateway.folder, { recursive: true });
		expect((await raw(gateway.url + path)).headers.etag).toBe(first.headers.etag);
		expect(owner.made).toBe(1);
		owner.version = 2;
		await gateway.announce(2);
		expect((await raw(gateway.url + path)).headers.etag).toBe(first.headers.etag);
		expect(owner.made).toBe(2);
	});
});

test("while the data version is uncertain every request reaches the owning service, and yields an identical file", async () => {
	await using gateway = await startGateway({
		settings: { SPOOL_DIR: join(home.directory, "undelivered") },
		owner: {
			async *exportProjects(_params, { head }) {
				owner.made++;
				head?.({ "x-data-version": "1" });
				for (let part = 0; part < 100; part++) yield rowsOf(1_000);
			},
		},
	});
	const answers = [await raw(gateway.url + path), await raw(gateway.url + path)];
	expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1);
	expect(owner.made).toBe(2);
	expect(spooled(join(home.directory, "undelivered"))).toHaveLength(1);
});
