import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import {
	CodedBytes,
	chooseEncoding,
	compress,
	compressingStream,
	contentEncodings,
	encodedEtag,
	prefersPage,
} from "./negotiation.ts";

test.each([
	[undefined, undefined],
	["", undefined],
	["gzip", "gzip"],
	["x-gzip", "gzip"],
	["GZIP", "gzip"],
	["br", "br"],
	["gzip, deflate, br, zstd", "zstd"],
	["gzip, deflate, br", "br"],
	["br;q=0.5, gzip;q=0.8", "gzip"],
	["zstd;q=0.1, br ; q=0.2", "br"],
	["*", "zstd"],
	["zstd;q=0, *", "br"],
	["*;q=0", undefined],
	["gzip;q=0", undefined],
	["gzip;q=0.000", undefined],
	["gzip;q=1.5", undefined],
	["deflate, compress", undefined],
	["identity", undefined],
	["identity, gzip;q=0.5", undefined],
	["identity;q=0.5, gzip;q=0.5", "gzip"],
	["identity;q=0.2, br;q=0.5", "br"],
])("for %j the server sends %s", (accepted, encoding) => {
	expect(chooseEncoding(accepted)).toBe(encoding);
});

const decompress = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

test.each(contentEncodings)("%s round-trips the bytes, whole and as a stream, with its own ETag", async (encoding) => {
	const bytes = Buffer.concat([randomBytes(300_000), Buffer.alloc(900_000, "PJM,Solar,100\n")]);
	const atOnce = await compress(bytes, encoding);
	expect(atOnce.length).toBeLessThan(400_000);
	expect(decompress[encoding](atOnce).equals(bytes)).toBe(true);
	const pieces = [bytes.subarray(0, 500_000), bytes.subarray(500_000)];
	const streamed = await buffer(Readable.from(pieces).pipe(compressingStream(encoding, bytes.length)));
	expect(decompress[encoding](streamed).equals(bytes)).toBe(true);
	expect(encodedEtag('"abc"', encoding)).toBe(`"abc-${encoding}"`);
});

test("cached bytes are compressed once per encoding", async () => {
	const kept = new CodedBytes(Buffer.alloc(5_000, "a"));
	expect(await kept.in("br")).toBe(await kept.in("br"));
	expect(await kept.in("br")).not.toEqual(await kept.in("gzip"));
});

test.each([
	"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
	"text/html",
	"TEXT/HTML; level=1",
	"text/*",
	"application/json;q=0.5, text/html;q=0.51",
	"application/json;q=0, */*",
])("a page is preferred with Accept: %s", (accept) => {
	expect(prefersPage({ accept })).toBe(true);
});

test.each([
	undefined,
	"",
	"*/*",
	"application/json",
	"application/json, text/html",
	"application/json, text/plain, */*",
	"text/html;q=0",
	"text/html;q=0.5, application/*",
	"text/html;q=2",
	"text/html;q=x",
	"text/htmlx, ,;;,",
	"text/*, text/html;q=0",
])("JSON is preferred with Accept: %s", (accept) => {
	expect(prefersPage({ accept })).toBe(false);
});

test("repeated headers are read as one list", () => {
	expect(prefersPage({ accept: ["application/json;q=0.1", "text/html"] })).toBe(true);
});
