/**
 * What greedy callers do, in a thread of its own so that it costs the caller who is measured nothing but the machine. Ends with its
 * thread. Tells how much it has done when it has begun.
 */
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

export type FloodKind = "idle" | "readers" | "bodies" | "pages" | "statements";

export interface FloodOptions {
	kind: FloodKind;
	port: number;
	/** Connections of each address, or of each key. */
	connections: number;
	/** Addresses of this machine (127.0.0.x) that the connections come from, in turn. */
	addresses: string[];
	/** Keys, in turn; none for callers without one. */
	keys: string[];
}

/** A reader so slow that it would take hours: bytes, and how often (ms). */
const [sip, sipMs] = [512, 500];

const { kind, port, connections, addresses, keys } = workerData as FloodOptions;
const at = <T>(list: readonly T[], place: number): T | undefined => list[place % list.length];

/** Without a wait for each: the system's queue of new connections is short, so that a few hundred come at once. */
async function openAll(begin: (socket: Socket, place: number) => void): Promise<number> {
	let open = 0;
	for (let place = 0; place < connections; ) {
		const some = Array.from({ length: Math.min(200, connections - place) }, (_, next) => {
			const number = place + next;
			const socket = connect({ port, host: "127.0.0.1", localAddress: at(addresses, number) });
			socket.on("error", () => {});
			return new Promise<void>((resolve) => {
				socket.once("close", () => resolve());
				socket.once("connect", () => {
					open++;
					begin(socket, number);
					resolve();
				});
			});
		});
		place += some.length;
		await Promise.all(some);
	}
	return open;
}

const head = (place: number, first: string, ...more: string[]): string => {
	const key = at(keys, place);
	return [first, "host: x", ...(key === undefined ? [] : [`x-api-key: ${key}`]), ...more, "", ""].join("\r\n");
};

/** Every page another one, so that none is kept. */
async function askForPages(place: number, asked: { number: number }): Promise<never> {
	const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: at(addresses, place) });
	for (;;) {
		const path = `/projects?per_page=500&page=${1 + (asked.number % 70)}&capacity_max=${100_000 - Math.floor(asked.number++ / 70)}`;
		await new Promise<void>((resolve) => {
			const headers = { "x-api-key": at(keys, place) };
			const sent = request({ port, host: "127.0.0.1", path, headers, agent }, (answer) => {
				if (answer.statusCode === 422) throw new Error(`${path} is refused`);
				answer.on("error", () => {}).resume();
				answer.once("close", resolve);
			});
			sent.once("error", () => setTimeout(resolve, 100)).end();
		});
	}
}

/** Each takes all that its process may have of time, of memory or of both, until it is ended. */
const statements = [
	"select count(*) from projects a, projects b, projects c where a.region || '' <> b.region",
	"select array_agg(a.name || b.name) from projects a, projects b",
	"select repeat('x', 1000000000) as x",
	"select max(n) from (select row_number() over (order by a.name || b.name) n from projects a, projects b)",
];

async function sendStatements(place: number): Promise<never> {
	const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: at(addresses, place) });
	for (let number = place; ; number++) {
		const body = JSON.stringify({ sql: at(statements, number), database: "master" });
		await new Promise<void>((resolve) => {
			const headers = { "x-api-key": at(keys, place), "content-type": "application/json" };
			const sent = request({ port, host: "127.0.0.1", path: "/query", method: "POST", headers, agent }, (answer) => {
				if (answer.statusCode === 422) throw new Error("a statement is refused before it runs");
				answer.on("error", () => {}).resume();
				answer.once("close", resolve);
			});
			sent.once("error", () => setTimeout(resolve, 100)).end(body);
		});
	}
}

const floods: Record<FloodKind, () => Promise<number>> = {
	idle: () => openAll(() => {}),
	readers: () =>
		openAll((socket, place) => {
			socket.write(head(place, "GET /export/projects?format=csv HTTP/1.1"));
			socket.pause();
			setInterval(() => socket.read(sip), sipMs);
		}),
	bodies: () =>
		openAll((socket, place) => {
			const length = 60_000;
			socket.write(
				head(place, "POST /query HTTP/1.1", "content-type: application/json", `content-length: ${length}`) +
					" ".repeat(length - 1),
			);
		}),
	pages: async () => {
		const asked = { number: 0 };
		for (let place = 0; place < connections; place++) void askForPages(place, asked);
		return connections;
	},
	statements: async () => {
		for (let place = 0; place < connections; place++) void sendStatements(place);
		return connections;
	},
};

parentPort?.postMessage(await floods[kind]());
