/** The bytes of files that are written of others: a collection of GeoJSON of its features, and a file compressed. */
import { pipeline } from "node:stream";
import { createGzip } from "node:zlib";

const lineEnd = 0x0a;

/** Of features, one a line: a line end within one is escaped, as JSON has it. */
export async function* featureCollection(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
	yield Buffer.from('{"type":"FeatureCollection","features":[\n');
	// A line end is followed by a comma only where another feature follows.
	let ended = false;
	for await (const bytes of lines) {
		if (bytes.length === 0) continue;
		const whole = bytes.at(-1) === lineEnd ? bytes.subarray(0, -1) : bytes;
		// Latin 1 keeps bytes as they are.
		const text = Buffer.from(whole.buffer, whole.byteOffset, whole.length).toString("latin1");
		yield Buffer.from(`${ended ? ",\n" : ""}${text.replaceAll("\n", ",\n")}`, "latin1");
		ended = whole.length < bytes.length;
	}
	yield Buffer.from("\n]}\n");
}

/** The same bytes give the same bytes: the header of Node's gzip names no time. */
export async function* gzipped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
	const gzip = createGzip();
	pipeline(bytes, gzip, () => {});
	yield* gzip;
}
