/**
 * A process that asks as fast as it is answered: so many connections, each with one request under way. HTTP is written and read by
 * hand, as far as Content-Length goes, because a full client takes more of the machine than the servers it is to measure.
 *
 *     closed-loop.ts '{"port":8080,"path":"/projects?state=TX","connections":24,"seconds":2}'
 *
 * `{n}` in the path becomes another number in each request, `{line}` the next line of the file `lines`; `headers` go with each, and
 * `status` is expected (200). Prints `{requests, seconds, p50, p99}` (ms).
 */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import type { Task } from "./load.ts";

const task: Task = JSON.parse(process.argv[2] ?? "{}");
const lines = task.lines === undefined ? [""] : readFileSync(task.lines, "utf8").trimEnd().split("\n");
const head = Object.entries({ Host: "bench", ...task.headers })
	.map(([name, value]) => `${name}: ${value}\r\n`)
	.join("");
const latencies: number[] = [];
let next = task.first ?? 0;
const started = performance.now();
const end = started + task.seconds * 1000;
await Promise.all(Array.from({ length: task.connections }, ask));
const sorted = latencies.sort((a, b) => a - b);
const at = (share: number) => Math.round(1000 * (sorted[Math.floor(share * sorted.length)] ?? 0)) / 1000;
const seconds = (performance.now() - started) / 1000;
console.log(JSON.stringify({ requests: sorted.length, seconds, p50: at(0.5), p99: at(0.99) }));

/** One connection, until the time is over. */
function ask(): Promise<void> {
	return new Promise((resolve, reject) => {
		const socket = connect(task.port, "127.0.0.1");
		socket.setNoDelay(true);
		/** Bytes of the answer that have not come yet; undefined while its head has not. */
		let missing: number | undefined;
		let begun: Buffer = Buffer.alloc(0);
		let since = 0;
		const send = () => {
			since = performance.now();
			const nth = next++;
			const path = task.path.replace("{n}", String(nth)).replace("{line}", lines[nth % lines.length] ?? "");
			socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\n`);
		};
		const finish = () => {
			missing = undefined;
			latencies.push(performance.now() - since);
			if (performance.now() < end) return send();
			socket.destroy();
			resolve();
		};
		socket.on("connect", send);
		socket.on("error", reject);
		socket.on("data", (bytes: Buffer) => {
			if (missing === undefined) {
				begun = begun.length === 0 ? bytes : Buffer.concat([begun, bytes]);
				const body = begun.indexOf("\r\n\r\n");
				if (body === -1) return;
				missing = lengthOf(begun.toString("latin1", 0, body)) - (begun.length - body - 4);
				begun = Buffer.alloc(0);
			} else missing -= bytes.length;
			if (missing <= 0) finish();
		});
	});
}

function lengthOf(answered: string): number {
	// A 304 has no body and no content length.
	const length = task.status === 304 ? "0" : /\r\ncontent-length: (\d+)/i.exec(answered)?.[1];
	if (!answered.startsWith(`HTTP/1.1 ${task.status ?? 200} `) || length === undefined)
		throw new Error(`not an answer to measure: ${answered}`);
	return Number(length);
}
