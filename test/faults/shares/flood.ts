/**
 * Greedy callers, in a thread of their own so that they cost the measured caller nothing but the machine. Ends with its thread. Reports
 * how much it has done when it has begun.
 */
import { Agent, request } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

export type FloodKind = "idle" | "readers" | "bodies" | "pages" | "statements" | "resets" | "streams" | "switchers";

export interface FloodOptions {
	kind: FloodKind;
	port: number;
	/** Connections of each address, or of each key. */
	connections: number;
	/** Addresses of this machine (127.0.0.x) that the connections come from, in turn. */
	addresses: string[];
	/** Addresses of callers that a trusted proxy forwards, in turn. Callers of this machine itself are not limited. */
	forwarded?: string[];
	/** Keys, in turn; none for callers without one. */
	keys: string[];
}

/** A reader so slow that it would take hours: bytes, and how often (ms). */
const [sip, sipMs] = [512, 500];
/** Webhooks of all accounts together: as many as a process sends to at once. */
const webhooks = 32;

const { kind, port, connections, addresses, keys, forwarded = [] } = workerData as FloodOptions;
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

/** The sender of a place's request. */
function callerHeaders(place: number): Record<string, string> {
	const [key, address] = [at(keys, place), at(forwarded, place)];
	return {
		...(key !== undefined && { "x-api-key": key }),
		...(address !== undefined && { "x-forwarded-for": address }),
	};
}

const head = (place: number, first: string, ...more: string[]): string => {
	const caller = Object.entries(callerHeaders(place)).map(([name, value]) => `${name}: ${value}`);
	return [first, "host: x", ...caller, ...more, "", ""].join("\r\n");
};

/** Every page another one, so that none is kept. */
async function askForPages(place: number, asked: { number: number }): Promise<never> {
	const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: at(addresses, place) });
	for (;;) {
		const path = `/projects?per_page=500&page=${1 + (asked.number % 70)}&capacity_max=${100_000 - Math.floor(asked.number++ / 70)}`;
		await new Promise<void>((resolve) => {
			const headers = callerHeaders(place);
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
			const headers = { ...callerHeaders(place), "content-type": "application/json" };
			const sent = request({ port, host: "127.0.0.1", path: "/query", method: "POST", headers, agent }, (answer) => {
				if (answer.statusCode === 422) throw new Error("a statement is refused before it runs");
				answer.on("error", () => {}).resume();
				answer.once("close", resolve);
			});
			sent.once("error", () => setTimeout(resolve, 100)).end(body);
		});
	}
}

/** Connections that are reset as soon as they have sent a request, without an end. */
async function resetAll(place: number): Promise<never> {
	for (;;) {
		const socket = connect({ port, host: "127.0.0.1", localAddress: at(addresses, place) }).on("error", () => {});
		socket.once("connect", () => socket.write(head(place, "GET /stats HTTP/1.1"), () => socket.resetAndDestroy()));
		await new Promise((resolve) => socket.once("close", resolve));
	}
}

/** @returns how many streams of events are open. */
async function openStreams(): Promise<number> {
	let open = 0;
	await openAll((socket, place) => {
		socket.once("data", (answer) => (open += Number(answer.toString("latin1").startsWith("HTTP/1.1 200"))));
		socket.resume().write(head(place, "GET /changes/stream HTTP/1.1"));
	});
	await pause(3_000);
	return open;
}

/** Webhooks whose server answers 101 and says nothing more, and tests of them without an end. */
async function testSwitchers(): Promise<number> {
	const server = createServer((socket) => {
		socket
			.on("error", () => {})
			.once("data", () => {
				socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n");
			});
	}).listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	const body = JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
	const post = async (place: number, path: string, body: string | null = null) => {
		const headers = { ...callerHeaders(place), ...(body !== null && { "content-type": "application/json" }) };
		const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body });
		return (await answer.json()) as { webhook_id?: number };
	};
	const made = await Promise.all(Array.from({ length: webhooks }, (_, place) => post(place, "/webhooks", body)));
	const ids = made.map(({ webhook_id: id }) => {
		if (id === undefined) throw new Error("no webhook was made");
		return id;
	});
	const test = async (place: number) => {
		for (;;) await post(place, `/webhooks/${at(ids, place)}/test`).catch(() => pause(100));
	};
	for (let place = 0; place < connections; place++) void test(place);
	return connections;
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
		const next = { number: 0 };
		for (let place = 0; place < connections; place++) void askForPages(place, next);
		return connections;
	},
	resets: async () => {
		for (let place = 0; place < connections; place++) void resetAll(place);
		return connections;
	},
	streams: openStreams,
	switchers: testSwitchers,
	statements: async () => {
		for (let place = 0; place < connections; place++) void sendStatements(place);
		return connections;
	},
};

parentPort?.postMessage(await floods[kind]());
