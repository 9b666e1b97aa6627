/** Every client of a server that is not ours ends in its time, whatever that server does with the connection. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { connectStripe, findCharge } from "../../services/gateway/payments/credits/stripe.ts";
import { openTempoNode } from "../../services/gateway/payments/rails/mpp/node.ts";
import { readChain } from "../../services/gateway/payments/rails/x402/chain.ts";
import { facilitatorAt } from "../../services/gateway/payments/rails/x402/facilitator.ts";
import { httpClient } from "../../services/queue-ingest/sources/http.ts";
import { schema } from "../../services/signals/migrate.ts";
import { createPoliteClient } from "../../services/signals/polling/polite.ts";
import { Sender } from "../../services/subscriptions/dispatch/send.ts";
import { createDatabase } from "../support/database.ts";

const timeoutMs = 200;
/** Far beyond what any of them takes with its repetitions. */
const hangsMs = 20_000;
const never = new AbortController().signal;
let sql: Sql;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
	const database = stack.use(await createDatabase("signals"));
	sql = stack.use(connect(database.url, { schema, name: "outgoing", max: 4 }));
});
afterAll(() => stack.disposeAsync());

/** Servers that fail once a request has begun to arrive. */
const servers: Record<string, (socket: Socket) => void> = {
	"answers 101": (socket) =>
		socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"),
	"answers nothing": () => {},
	"closes the connection": (socket) => socket.destroy(),
	"sends 103 again and again": (socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"),
	"sends headers that do not end": (socket) => {
		socket.write("HTTP/1.1 200 OK\r\n");
		drip(socket, "X-More: more\r\n");
	},
	"sends a body that does not end": (socket) => {
		socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
		drip(socket, "1\r\n \r\n");
	},
};

function drip(socket: Socket, text: string): void {
	const timer = setInterval(() => socket.write(text), 20);
	socket.on("close", () => clearInterval(timer));
}

const hash = `0x${"1".repeat(64)}` as const;
const address = `0x${"1".repeat(40)}` as const;
/** Clients by the file that opens the connections. */
const clients: Record<string, (url: string) => Promise<unknown>> = {
	"services/subscriptions/dispatch/send.ts": async (url) => {
		const sender = new Sender({ policy: { allowPrivate: true, ports: [] }, timeoutMs });
		const { delivered, error } = await sender.send(url, {}, "{}", never);
		if (!delivered) throw new Error(error ?? "");
	},
	"services/queue-ingest/sources/http.ts": (url) => httpClient(undefined, never, 1_000).get(url, { timeoutMs }),
	"services/signals/polling/polite.ts": (url) =>
		createPoliteClient({
			...{ sql, userAgent: "Example Org data@example.org", signal: never, pause: async () => {} },
			policy: (name) => ({ name, perSecond: 10_000, burst: 1_000, coolDownMs: 1 }),
		}).get(url, { maxBytes: 1_000, timeoutMs }),
	"services/gateway/payments/rails/x402/facilitator.ts": (url) =>
		facilitatorAt({ url, token: undefined, timeoutMs }).getSupported(),
	"services/gateway/payments/rails/x402/chain.ts": (url) =>
		readChain(
			url,
			timeoutMs,
		)({
			asset: address,
			authorization: { from: address, to: address, value: "1", validAfter: "0", validBefore: "1", nonce: hash },
			ageSeconds: 1,
		}),
	"services/gateway/payments/rails/mpp/node.ts": (url) =>
		openTempoNode({ url, chainId: 4_217, timeoutMs }).receiptOf(hash),
	"services/gateway/payments/credits/stripe.ts": async (apiUrl) => {
		const stripe = connectStripe({ secretKey: "sk_test_1", apiUrl, timeoutMs });
		const charged = await findCharge(stripe, { challengeId: "c", begunAt: new Date() }, 1);
		if (charged.outcome === "unknown") throw new Error(charged.reason);
	},
};

const cases = Object.keys(clients).flatMap((client) => Object.keys(servers).map((server) => ({ client, server })));

test.concurrent.each(cases)("$client handles a server that $server", async ({ client, server }) => {
	const sockets = new Set<Socket>();
	const listening = createServer((socket) => {
		sockets.add(socket);
		socket.on("error", () => {}).once("data", () => servers[server]?.(socket));
	});
	await once(listening.listen(0, "127.0.0.1"), "listening");
	const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
	const ended = Promise.resolve(clients[client]?.(url)).then(
		() => "answered",
		() => "failed",
	);
	const late = AbortSignal.timeout(hangsMs);
	const hangs = once(late, "abort").then(() => "hangs");
	// A delivery is taken once its status is 2xx.
	const taken = client.endsWith("send.ts") && server === "sends a body that does not end";
	expect(await Promise.race([ended, hangs])).toBe(taken ? "answered" : "failed");
	for (const socket of sockets) socket.destroy();
	listening.close();
});

test("each file that opens connections to other servers is in the list of clients", () => {
	const root = new URL("../../", import.meta.url);
	const opens = /\bfetch(?:Once)?\(|\bfrom "node:https"|\bnew Stripe\(|\bnew HTTPFacilitatorClient\(|\bhttp\(url/;
	const files = execFileSync("git", ["ls-files", "services", "libs"], { cwd: root, encoding: "utf8" }).split("\n");
	const opening = files.filter(
		(file) =>
			/^(?!libs\/client).*\.ts$/.test(file) &&
			!file.endsWith(".test.ts") &&
			opens.test(readFileSync(new URL(file, root), "utf8")),
	);
	// One prints programs that use `fetch`, one is shared by both downloaders, one calls this process' own MCP handler, one reads a bucket.
	const others = [
		"libs/contract/documents/programs.ts",
		"libs/files/download.ts",
		"services/gateway/mcp/mount.ts",
		"services/query/extracts/follow.ts",
	];
	expect(opening.sort()).toEqual([...Object.keys(clients), ...others].sort());
});
