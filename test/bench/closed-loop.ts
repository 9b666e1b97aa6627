/**
 * A process that asks as fast as it is answered: so many connections, each with one request under way. HTTP is written and read by
 * hand, as far as Content-Length goes, because a full client takes more of the machine than the servers it is to measure.
 *
 *     closed-loop.ts '{"port":8080,"path":"/projects?state=TX","connections":24,"seconds":2}'
 *
 * `{n}` in the path becomes another number in each request. Prints `{requests, seconds, p50, p99}` (ms).
 */
import { connect } from "node:net";

interface Task {
	port: number;
	path: string;
	connections: number;
	seconds: number;
	/** Where `{n}` starts. */
	first: number;
}

const task: Task = JSON.parse(process.argv[2] ?? "{}");
const latencies: number[] = [];
let asked = task.first;
const started = performance.now();
const end = started + task.seconds * 1000;
await Promise.all(Array.from({ length: task.connections }, ask));
const sorted = latencies.sort((a, b) => a - b);
const at = (share: number) => Math.round(100 * (sorted[Math.floor(share * sorted.length)] ?? 0)) / 100;
const seconds = (performance.now() - started) / 1000;
console.log(JSON.stringify({ requests: sorted.length, seconds, p50: at(0.5), p99: at(0.99) }));

/** One connection, until the time is over. */
function ask(): Promise<void> {
	return new Promise((resolve, reject) => {
		const socket = connect(task.port, "127.0.0.1");
		socket.setNoDelay(true);
		/** Bytes of the answer that have not come yet; undefined while its head has not. */
		let missing: number | undefined;
		let head: Buffer = Buffer.alloc(0);
		let since = 0;
		const send = () => {
			since = performance.now();
			socket.write(`GET ${task.path.replace("{n}", String(asked++))} HTTP/1.1\r\nHost: bench\r\n\r\n`);
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
				head = head.length === 0 ? bytes : Buffer.concat([head, bytes]);
				const body = head.indexOf("\r\n\r\n");
				if (body === -1) return;
				missing = lengthOf(head.toString("latin1", 0, body)) - (head.length - body - 4);
				head = Buffer.alloc(0);
			} else missing -= bytes.length;
			if (missing <= 0) finish();
		});
	});
}

function lengthOf(head: string): number {
	const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
	if (!head.startsWith("HTTP/1.1 200") || length === undefined) throw new Error(`not an answer to measure: ${head}`);
	return Number(length);
}
