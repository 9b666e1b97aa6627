/** Callers share resources with greedy ones: every other caller is answered, before the greedy one's backlog, and its connection is not closed. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { startGateway, versioned } from "../api/support/gateway.ts";
import { eventually } from "../support/eventually.ts";
import { type BareSockets, bareSockets, readAll, statusOf } from "./support/bare-sockets.ts";

const megabyte = "x".repeat(1024 ** 2);

interface Tried extends AsyncDisposable, Pick<BareSockets, "open" | "say"> {
	/** Developers, or receipts, that the owner was asked for, in order; each waits for `answer`. */
	developers: string[];
	/** Has the owner answer so many of those that wait, the oldest first. */
	answer(count: number): void;
	/** Closes it as a stopping process does; the end of the test does so by itself. */
	close(): Promise<void>;
}

async function start(settings: Record<string, string> = {}): Promise<Tried> {
	const developers: string[] = [];
	const waiting: (() => void)[] = [];
	const work = async (name: string | undefined, reply: object) => {
		developers.push(String(name));
		await new Promise<void>((resolve) => waiting.push(resolve));
		return versioned(reply) as never;
	};
	const owner = {
		listProjects: (({ developer }: { developer?: string }) => work(developer, [])) as never,
		getStats: async () => versioned(Array.from({ length: 7 }, () => megabyte)) as never,
	};
	const billing = { readReceipt: ({ receipt_id }: { receipt_id: string }) => work(receipt_id, { receipt: {} }) };
	const patient = { SEND_TIMEOUT_MS: "600000", IDLE_TIMEOUT_MS: "600000", RECEIVE_TIMEOUT_MS: "600000" };
	const limits = { ANONYMOUS_PER_MINUTE: "0", FREE_PER_MINUTE: "0", TRUSTED_PROXIES: "127.0.0.1" };
	const gateway = await startGateway({ owner, billing, settings: { ...patient, ...limits, ...settings } });
	const sockets = bareSockets(gateway.url);
	return {
		...sockets,
		developers,
		answer(count) {
			for (const resolve of waiting.splice(0, count)) resolve();
		},
		close: async () => gateway[Symbol.asyncDispose](),
		async [Symbol.asyncDispose]() {
			for (const resolve of waiting.splice(0)) resolve();
			sockets[Symbol.dispose]();
			await gateway[Symbol.asyncDispose]();
		},
	};
}

/** A request with the address in the proxy's header. */
const request = (first: string, address: string, ...headers: string[]) =>
	[`${first} HTTP/1.1`, "host: x", "connection: close", `x-forwarded-for: ${address}`, ...headers, "", ""].join("\r\n");
const cheap = (address = "203.0.113.99") => request("GET /favicon.svg", address);
const times = (count: number) => Array.from({ length: count }, (_, number) => number);

describe("connections", () => {
	test("an address that opens more connections than its share keeps only its share, and no other address loses one", async () => {
		await using gateway = await start({ CONNECTIONS_MAX: "300", CONNECTIONS_PER_ADDRESS: "50" });
		const proxy = times(60).map(() => gateway.open());
		const neighbour = gateway.open("127.0.0.3");
		await Promise.all([...proxy, neighbour].map((socket) => once(socket, "connect")));
		const idle = times(500).map(() => gateway.open("127.0.0.2"));
		await eventually(() => idle.filter(({ closed }) => closed).length === 450);
		// The oldest.
		expect(idle.findIndex(({ closed }) => !closed)).toBeGreaterThanOrEqual(300);
		expect([...proxy, neighbour].filter(({ closed }) => closed)).toEqual([]);
		neighbour.write(cheap());
		expect(statusOf(await readAll(neighbour))).toBe(200);
		// The greedy one's next request is as good as any.
		expect(statusOf(await gateway.say(cheap(), "127.0.0.2"))).toBe(200);
	});

	test("when many addresses have taken all connections, the one with the most loses one", async () => {
		await using gateway = await start({ CONNECTIONS_MAX: "40" });
		const many = times(30).map(() => gateway.open("127.0.0.2"));
		await Promise.all(many.map((socket) => once(socket, "connect")));
		const few = times(10).map(() => gateway.open("127.0.0.3"));
		await Promise.all(few.map((socket) => once(socket, "connect")));
		const answers = times(15).map(() => gateway.say(cheap(), "127.0.0.4"));
		expect((await Promise.all(answers)).map(statusOf)).toEqual(Array(15).fill(200));
		expect(few.filter(({ closed }) => closed)).toEqual([]);
	});
});

describe("slow readers", () => {
	const settings = { SLOW_READER_AFTER_MS: "400", CONNECTIONS_MAX: "4" };
	const read = (socket: Socket, bytesAtOnce: number) => {
		let taken = 0;
		const timer = setInterval(() => {
			for (let chunk = socket.read(bytesAtOnce); chunk !== null && taken >= 0; chunk = null) taken += chunk.length;
		}, 20);
		socket.once("close", () => clearInterval(timer));
		return () => taken;
	};

	test("retain their responses while no other waits; then the slowest is disconnected, but not an active one", async () => {
		await using gateway = await start(settings);
		const [stopped, ...readers] = times(4).map(() => gateway.open("127.0.0.2"));
		for (const socket of [stopped, ...readers]) socket?.write(request("GET /stats", "203.0.113.1"));
		await Promise.all([stopped, ...readers].map((socket) => socket && once(socket, "readable")));
		const taken = readers.map((socket) => read(socket, 20_000));
		await eventually(() => taken.every((bytes) => bytes() > 1_000_000));
		expect(stopped?.closed).toBe(false);
		// Every place has an answer that is being read, but one.
		await eventually(async () => statusOf(await gateway.say(cheap(), "127.0.0.3")) === 200);
		expect(readers.filter(({ closed, readableEnded }) => closed && !readableEnded)).toEqual([]);
	});

	test("have a share of the response memory: the next response is refused, other callers are answered, the slowest are disconnected", async () => {
		await using gateway = await start({
			SLOW_READER_AFTER_MS: "400",
			SENDING_BYTES_PER_CALLER: "10000000",
			SENDING_MAX_BYTES: "40000000",
		});
		const stats = (caller: number) => request("GET /stats", `203.0.113.${caller}`);
		const slow: Socket[] = [];
		for (const caller of [1, 1, 2, 2, 3, 3]) {
			const socket = gateway.open();
			slow.push(socket);
			socket.write(stats(caller));
			await once(socket, "readable");
		}
		const refused = await gateway.say(stats(1));
		expect(refused).toMatch(/^HTTP\/1.1 503 .*too many bytes of your responses are unread/s);
		await eventually(async () => (await gateway.say(stats(4))).length > 7 * megabyte.length);
		// Known by its own end alone: it has taken nothing so far.
		const ends = await Promise.all(slow.map(readAll));
		expect(ends.filter((text) => text.length < 7 * megabyte.length).length).toBeGreaterThan(0);
	});
});

describe("bodies", () => {
	const stalled = (address: string) =>
		`${request("POST /register", address, "content-type: application/json", "content-length: 60000")}{`;
	const whole = (address: string) => {
		const body = JSON.stringify({ nope: 1 });
		const head = request("POST /register", address, "content-type: application/json", `content-length: ${body.length}`);
		return head + body;
	};

	test("that never end are limited per caller, and are evicted for others when all slots are taken", async () => {
		await using gateway = await start({ BODIES_PER_CALLER: "20", BODIES_MAX: "50" });
		const open = (address: string, count: number) =>
			times(count).map(() => {
				const socket = gateway.open();
				socket.write(stalled(address));
				return readAll(socket);
			});
		const first = open("203.0.113.1", 300);
		const refused: string[] = [];
		for (const answer of first) void answer.then((text) => refused.push(text));
		await eventually(() => refused.length === 280);
		expect(refused[0]).toMatch(/^HTTP\/1.1 429 .*connection: close.*you are sending too many bodies/s);
		for (const caller of [2, 3]) void open(`203.0.113.${caller}`, 20);
		// All slots are taken: the caller with most loses the oldest.
		const answered = await Promise.all(times(10).map((caller) => gateway.say(whole(`203.0.113.${100 + caller}`))));
		expect(answered.map(statusOf)).toEqual(Array(10).fill(422));
		expect(statusOf(await gateway.say(cheap()))).toBe(200);
	});
});

test("a response in progress while the server closes is sent with Connection: close", async () => {
	const gateway = await start();
	const socket = gateway.open();
	const answer = readAll(socket);
	socket.write(request("GET /projects?developer=a", "203.0.113.1").replace("connection: close\r\n", ""));
	await eventually(() => gateway.developers.length === 1);
	const closed = gateway.close();
	// A connection that is refused has no answer.
	await eventually(async () => (await gateway.say(cheap())) === "");
	gateway.answer(1);
	expect(await answer).toMatch(/^HTTP\/1.1 200 .*\r\nconnection: close\r\n/is);
	await closed;
});

describe("work", () => {
	const list = (name: string, address: string) => request(`GET /projects?developer=${name}`, address);

	const quote = (name: string, address: string) => {
		const body = JSON.stringify({ operation: "listProjects", params: { developer: name } });
		return request("POST /quote", address, "content-type: application/json", `content-length: ${body.length}`) + body;
	};

	const receipt = (name: string, address: string) => request(`GET /receipts/${name}`, address);

	test.each([
		["lists", list],
		["prices of lists", quote],
		["receipts", receipt],
	])(
		"of a caller with many requests for %s is queued, and another caller is answered before that backlog",
		async (_what, ask) => {
			await using gateway = await start({ REQUESTS_AT_ONCE: "4", REQUESTS_PER_CALLER: "2" });
			const greedy = times(20).map((number) => gateway.say(ask(`greedy-${number}`, "203.0.113.1")));
			await eventually(() => gateway.developers.length === 2);
			const other = gateway.say(ask("other", "203.0.113.2"));
			await eventually(() => gateway.developers.includes("other"));
			expect(gateway.developers).toHaveLength(3);
			gateway.answer(3);
			expect(statusOf(await other)).toBe(200);
			// The same question of another caller does not wait for the greedy one's turn.
			const same = gateway.say(ask("greedy-19", "203.0.113.3"));
			await eventually(() => gateway.developers.includes("greedy-19"));
			expect(gateway.developers.length).toBeLessThan(10);
			const done = Promise.all([...greedy, same]);
			let isDone = false;
			void done.then(() => (isDone = true));
			await eventually(() => {
				gateway.answer(100);
				return isDone;
			});
			expect((await done).map(statusOf)).toEqual(Array(21).fill(200));
		},
	);

	test("that waits is limited: another request of the same caller is 429, and others are still served", async () => {
		const limits = { REQUESTS_AT_ONCE: "1", REQUESTS_WAITING: "40", REQUESTS_WAITING_PER_CALLER: "39" };
		await using gateway = await start({ ...limits, REQUESTS_WAIT_MS: "60000" });
		const ask = (name: string, address: string) => gateway.say(list(name, address));
		const greedy = times(50).map((number) => ask(`g${number}`, "203.0.113.1"));
		expect(await Promise.race(greedy)).toMatch(/^HTTP\/1.1 429 .*you have too many requests in progress/s);
		const other = ask("other", "203.0.113.2");
		await eventually(() => {
			gateway.answer(1);
			return gateway.developers.includes("other");
		});
		expect(gateway.developers.length).toBeLessThan(35);
		let isDone = false;
		const done = Promise.all([other, ...greedy]).finally(() => (isDone = true));
		await eventually(() => {
			gateway.answer(1);
			return isDone;
		});
		const [itsStatus, ...statuses] = (await done).map(statusOf);
		expect(itsStatus).toBe(200);
		expect(new Set(statuses)).toEqual(new Set([200, 429]));
	});
});
