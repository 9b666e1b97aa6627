/** Limits of one caller at the gateway, tried with bare sockets: too much is refused, too slow is closed, every other caller is answered. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { register } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSecret } from "#libs/contract/key.ts";
import { startGateway, versioned } from "../api/support/gateway.ts";
import { eventually } from "../support/eventually.ts";
import { type BareSockets, bareSockets, readAll, statusOf } from "./support/bare-sockets.ts";

/** Longer than any of these tests: what is cut, is not cut by this. */
const patient = {
	HEADERS_TIMEOUT_MS: "600000",
	RECEIVE_TIMEOUT_MS: "600000",
	SEND_TIMEOUT_MS: "600000",
	IDLE_TIMEOUT_MS: "600000",
	KEEP_ALIVE_MS: "600000",
};
const begun = new Map<string, number>();
const megabyte = "x".repeat(1024 ** 2);
const owner = {
	listProjects: async () => versioned(Array.from({ length: 7 }, () => megabyte)) as never,
	// Without a first byte.
	async *exportProjects({ state: [state = ""] = [] }: { state?: string[] | undefined }) {
		begun.set(state, (begun.get(state) ?? 0) + 1);
		await new Promise(() => {});
		yield megabyte;
	},
};
const paidKey = makeSecret("pk_");
const grant = {
	...{ key_id: 1, account_id: 1, plan: "Enterprise" as const, monthly_queries: null, per_minute: null },
	...{ daily_queries: null, expires_at: null, revoked: false },
};
const billing = { resolveKey: async () => versioned({ grant }) };
const begunOf = (state: string): number => begun.get(state) ?? 0;

interface Limited extends AsyncDisposable, Pick<BareSockets, "open" | "say"> {
	port: number;
	/** Log lines of the gateway above debug level. */
	lines(): { level: number; msg: string }[];
}

async function start(settings: Record<string, string> = {}): Promise<Limited> {
	const gateway = await startGateway({ owner, billing, settings: { ...patient, ...settings } });
	const sockets = bareSockets(gateway.url);
	return {
		...sockets,
		port: Number(new URL(gateway.url).port),
		lines: () => gateway.logged.map((line) => JSON.parse(line)).filter(({ level }) => level > 20),
		async [Symbol.asyncDispose]() {
			sockets[Symbol.dispose]();
			await gateway[Symbol.asyncDispose]();
		},
	};
}

/** One byte after the other, without an end, as long as they are read. */
function drip(socket: Socket): void {
	const timer = setInterval(() => socket.write("x"), 50);
	socket.once("close", () => clearInterval(timer));
}

const get = (path: string, ...headers: string[]): string =>
	`GET ${path} HTTP/1.1\r\nhost: x\r\n${headers.map((line) => `${line}\r\n`).join("")}connection: close\r\n\r\n`;
const post = (length: number): string =>
	`POST /register HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

describe("too large or too many", () => {
	test("headers are 431: one, all together, or too many", async () => {
		await using gateway = await start({ HEADERS_MAX_BYTES: "1024", HEADERS_MAX_COUNT: "20", URL_MAX_LENGTH: "1024" });
		const headers = (count: number, length: number) =>
			Array.from({ length: count }, (_, number) => `x-${number}: ${"x".repeat(length)}`);
		for (const [sent, status] of [
			[headers(1, 3_000), 431],
			[headers(12, 300), 431],
			[headers(20, 1), 431],
			[headers(10, 10), 200],
		] as const) {
			const answer = await gateway.say(get("/favicon.svg", ...sent));
			expect(statusOf(answer), answer.slice(0, 300)).toBe(status);
			expect(answer).toContain("x-content-type-options: nosniff\r\n");
			if (status !== 200)
				expect(answer).toMatch(
					/\r\n\r\n\{"type":"[^"]+","title":"[^"]+","status":\d+,"detail":"[^"]+","code":"\w+"(,"request_id":"[^"]+")?\}$/,
				);
		}
	});

	test("a path or a query is 414, a body 413, before it is read and however it is sent", async () => {
		await using gateway = await start({ URL_MAX_LENGTH: "300", BODY_MAX_BYTES: "100" });
		const query = `/projects?developer=${"x".repeat(300)}`;
		expect(statusOf(await gateway.say(get(query)))).toBe(414);
		expect(statusOf(await gateway.say(get(`/projects/${"x".repeat(300)}`)))).toBe(414);
		// Announced, and not sent.
		expect(statusOf(await gateway.say(post(101)))).toBe(413);
		const chunked = post(0).replace("content-length: 0", "transfer-encoding: chunked");
		expect(statusOf(await gateway.say([chunked, `65\r\n${"x".repeat(101)}\r\n`]))).toBe(413);
	});

	test.each([
		["all together", "CONNECTIONS_MAX"],
		["one address", "CONNECTIONS_PER_ADDRESS"],
	])("connections of %s: an idle one is closed for the next", async (_whose, setting) => {
		await using gateway = await start({ [setting]: "2" });
		const held = [gateway.open(), gateway.open()];
		await Promise.all(held.map((socket) => once(socket, "connect")));
		expect(statusOf(await gateway.say(get("/favicon.svg")))).toBe(200);
		await eventually(() => held[0]?.closed === true);
		expect(held[1]?.closed).toBe(false);
	});

	test("busy connections: the next one is closed at once, and accepted when one of them has closed", async () => {
		await using gateway = await start({ CONNECTIONS_MAX: "2", SLOW_READER_AFTER_MS: "600000" });
		const held = [gateway.open(), gateway.open()];
		for (const socket of held) socket.write(get("/projects"));
		await Promise.all(held.map((socket) => once(socket, "readable")));
		expect(await gateway.say(get("/favicon.svg"))).toBe("");
		held[0]?.destroy();
		await eventually(async () => statusOf(await gateway.say(get("/favicon.svg"))) === 200);
		held[1]?.destroy();
	});
});

describe("slow clients", () => {
	describe("before a request is complete", () => {
		let gateway: Limited;
		beforeAll(async () => {
			gateway = await start({ HEADERS_TIMEOUT_MS: "300", RECEIVE_TIMEOUT_MS: "300", KEEP_ALIVE_MS: "300" });
		});
		afterAll(() => gateway?.[Symbol.asyncDispose]());

		test.each([
			["headers that never end", "GET /projects HTTP/1.1\r\nhost: x\r\nx-slow: "],
			["a request that never begins", "GET /proj"],
			["a body that never ends", post(60_000)],
		])("%s, sent byte by byte, get a 408 and are disconnected", async (_what, bytes) => {
			const socket = gateway.open();
			socket.write(bytes);
			drip(socket);
			expect(statusOf(await readAll(socket))).toBe(408);
			expect(statusOf(await gateway.say(get("/favicon.svg")))).toBe(200);
		});

		test("a silent connection is closed, before its first request and after its last", async () => {
			expect(statusOf(await gateway.say([]))).toBe(408);
			const kept = get("/favicon.svg").replace("connection: close\r\n", "");
			expect(statusOf(await gateway.say(kept))).toBe(200);
		});
	});

	test.each(["SEND_TIMEOUT_MS", "IDLE_TIMEOUT_MS"])(
		"a client that does not read its response is disconnected (%s)",
		async (setting) => {
			await using gateway = await start({ [setting]: "2000", CONNECTIONS_MAX: "1" });
			const socket = gateway.open();
			socket.pause();
			socket.write(get("/projects"));
			// The place is free: the connection was cut with most of the answer unsent.
			await once(socket, "connect");
			await eventually(async () => statusOf(await gateway.say(get("/favicon.svg"))) === 200);
			expect((await readAll(socket)).length).toBeLessThan(7 * megabyte.length);
		},
	);

	test("a client that reads its response byte by byte is disconnected too, however busy the connection", async () => {
		await using gateway = await start({ SEND_TIMEOUT_MS: "300", CONNECTIONS_MAX: "1" });
		const socket = gateway.open();
		socket.write(get("/projects"));
		await once(socket, "readable");
		let taken = 0;
		const timer = setInterval(() => {
			taken += (socket.read(1_000) ?? socket.read() ?? "").length;
		}, 20);
		await eventually(async () => statusOf(await gateway.say(get("/favicon.svg"))) === 200);
		clearInterval(timer);
		socket.destroy();
		expect(taken).toBeLessThan(7 * megabyte.length);
	});
});

describe("a client that resets its connection", () => {
	/** Sends bytes on so many connections and resets each, while the gateway, in this process, accepts none. */
	function resetBeforeAccepted(port: number, bytes: string, connections: number): void {
		const code = `const [port, bytes, connections] = process.argv.slice(1);
			for (let number = 0; number < Number(connections); number++) {
				const socket = require("node:net").connect(Number(port), "127.0.0.1", () =>
					socket.write(bytes, () => socket.resetAndDestroy()));
			}`;
		const { status } = spawnSync(process.execPath, ["-e", code, String(port), bytes, String(connections)]);
		expect(status).toBe(0);
	}
	const countOf = async (name: string, labels: object = {}) => {
		const { values } = (await register.getSingleMetric(name)?.get()) ?? { values: [] };
		const chosen = values.filter((one) =>
			Object.entries(labels).every(([label, value]) => one.labels[label] === value),
		);
		return chosen.reduce((sum, { value }) => sum + value, 0);
	};

	test("before it is accepted causes no request, no error and no log line", async () => {
		await using gateway = await start();
		const before = await countOf("http_connections_reset_total");
		const requests = await countOf("http_requests_total");
		resetBeforeAccepted(gateway.port, get("/projects"), 20);
		await eventually(async () => (await countOf("http_connections_reset_total")) === before + 20);
		expect(statusOf(await gateway.say(get("/favicon.svg")))).toBe(200);
		await eventually(async () => (await countOf("http_requests_total")) === requests + 1);
		expect(gateway.lines()).toEqual([]);
	});

	test.each(["/register", "/mcp"])("while it sends a body to %s is counted as 499, with one log line", async (path) => {
		await using gateway = await start({ BODIES_MAX: "5" });
		const of = (status: number | string) => countOf("http_requests_total", { status });
		const [left, failed] = [await of(499), await of(500)];
		for (let sent = 1; sent <= 8; sent++) {
			const socket = gateway.open();
			socket.write(`${post(100).replace("/register", path)}{`);
			await eventually(async () => (await countOf("http_in_flight")) === 1);
			socket.resetAndDestroy();
			await eventually(async () => (await of(499)) === left + sent);
		}
		expect(await of(500)).toBe(failed);
		expect(gateway.lines().map(({ msg }) => msg)).toEqual(["clients disconnect before they are answered"]);
	});
});

test("other callers are answered while a hundred slow callers hold their connections", async () => {
	await using gateway = await start();
	const slow = Array.from({ length: 100 }, () => gateway.open());
	for (const socket of slow) socket.write("GET /projects HTTP/1.1\r\nhost: x\r\nx-slow: ");
	await Promise.all(slow.map((socket) => once(socket, "connect")));
	for (let number = 0; number < 20; number++) {
		for (const socket of slow) socket.write("x");
		expect(statusOf(await gateway.say(get("/favicon.svg")))).toBe(200);
	}
	expect(slow.filter(({ destroyed }) => destroyed)).toEqual([]);
});

test("a caller with several exports in progress leaves slots for others", async () => {
	await using gateway = await start({ STREAMS_PER_CALLER: "2" });
	const statuses: string[] = [];
	// The address in the proxy's header: this machine itself is not limited. None of these files ever exists.
	const ask = (state: string, more = "X-Forwarded-For: 192.0.2.1\r\n") => {
		const socket = gateway.open();
		socket.write(`GET /export/projects?state=${state} HTTP/1.1\r\nHost: test\r\n${more}\r\n`);
		socket.once("data", (head) => statuses.push(String(head)));
		return socket;
	};
	const [first] = [ask("TX"), ask("TX")];
	await eventually(() => begunOf("TX") === 1);
	const refused = ask("OH");
	await once(refused, "data");
	expect(statuses).toEqual([
		expect.stringMatching(/^HTTP\/1.1 429 .*retry-after: 5\r\n.*you have 2 exports in progress/s),
	]);
	ask("CA", "");
	await eventually(() => begunOf("CA") === 1);
	first?.destroy();
	await eventually(async () => {
		ask("OH");
		return begunOf("OH") > 0;
	});
});

test("exports of callers without a paid plan run four at a time, and never delay a paid plan", async () => {
	await using gateway = await start({ STREAMS_PER_CALLER: "1", TRUSTED_PROXIES: "127.0.0.1" });
	const states = ["AL", "AK", "AZ", "AR", "CO", "CT"];
	const sockets = states.map((state, number) => {
		const socket = gateway.open();
		const from = `X-Forwarded-For: 192.0.2.${number + 10}`;
		socket.write(`GET /export/projects?state=${state} HTTP/1.1\r\nHost: test\r\n${from}\r\n\r\n`);
		return socket;
	});
	const begun = () => states.filter((state) => begunOf(state) > 0);
	await eventually(() => begun().length === 4);
	// Had the others begun at once, they would be there before this answer.
	expect(statusOf(await gateway.say(get("/favicon.svg")))).toBe(200);
	expect(begun()).toHaveLength(4);
	sockets[states.indexOf(begun()[0] ?? "")]?.destroy();
	await eventually(() => begun().length === 5);
	const [last] = states.filter((state) => begunOf(state) === 0);
	const paid = gateway.open();
	paid.write(get(`/export/projects?state=${last}`, `X-API-Key: ${paidKey}`));
	await eventually(() => begun().length === 6);
	for (const socket of [...sockets, paid]) socket.destroy();
});
