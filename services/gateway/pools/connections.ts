/**
 * Limits the connections of each address and in total. A new connection above a limit replaces the connection that has been idle the longest,
 * so that idle connections keep no caller out; it is closed only if all are busy. When the server closes, every response contains
 * `Connection: close`.
 */
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { Counter } from "prom-client";
import { countedAddress } from "../callers/addresses.ts";
import type { Config } from "../config.ts";
import { whenEnded } from "../http/answer.ts";
import { SharedPool } from "./held.ts";

const refusedConnections = new Counter({
	name: "http_connections_refused_total",
	help: "Connections that were closed at once because CONNECTIONS_MAX, or CONNECTIONS_PER_ADDRESS of the address, were open and busy.",
});
const cutConnections = new Counter({
	name: "http_connections_cut_total",
	help: "Idle connections that were closed to make room for another one.",
});
const resetConnections = new Counter({
	name: "http_connections_reset_total",
	help: "Connections that their clients had reset before they were accepted.",
});

export interface ConnectionLimitOptions {
	config: Pick<Config, "CONNECTIONS_MAX" | "CONNECTIONS_PER_ADDRESS">;
	/** Whether an address is a proxy's. Its connections carry requests of many callers, so only the total limit applies, and none is closed when idle. */
	isProxy(ip: string): boolean;
	/** Disconnects the slowest reader. @returns false if none is slow */
	cutSlowest(): boolean;
}

interface Use {
	/** Requests that are in progress. */
	requests: number;
	/** Whether there was a request since `cutIdle` last considered the connection. */
	isRecent: boolean;
}

export function limitConnections(app: FastifyInstance, { config, isProxy, cutSlowest }: ConnectionLimitOptions): void {
	const open = new SharedPool<Socket>();
	const uses = new WeakMap<object, Use>();

	function cutIdle(among: Iterable<Socket>, except: Socket): boolean {
		for (const socket of among) {
			const use = uses.get(socket);
			if (socket === except || (use?.requests ?? 0) > 0 || isProxy(socket.remoteAddress ?? "")) continue;
			if (use?.isRecent) {
				// It was used since the last check, so others are cut first.
				use.isRecent = false;
				open.renew(socket);
				continue;
			}
			close(socket);
			cutConnections.inc();
			return true;
		}
		return false;
	}
	function close(socket: Socket): void {
		open.delete(socket);
		socket.destroy();
	}

	app.server.on("connection", (socket: Socket) => {
		const ip = socket.remoteAddress;
		// The connection was reset before it was accepted, so its requests would have no address.
		if (ip === undefined) {
			socket.destroy();
			resetConnections.inc();
			return;
		}
		const caller = isProxy(ip) ? {} : { address: countedAddress(ip) };
		open.add(socket, caller);
		uses.set(socket, { requests: 0, isRecent: false });
		socket.once("close", () => open.delete(socket));
		const exceedsAddressLimit = caller.address !== undefined && open.weightOf(caller) > config.CONNECTIONS_PER_ADDRESS;
		const hasRoom = exceedsAddressLimit
			? cutIdle(open.of(caller), socket)
			: open.size <= config.CONNECTIONS_MAX ||
				cutIdle(open.ofLargestHolder({ identified: true }), socket) ||
				cutIdle(open.all(), socket) ||
				cutSlowest();
		if (hasRoom) return;
		close(socket);
		refusedConnections.inc();
	});
	app.addHook("onRequest", ({ raw: { socket } }, reply, done) => {
		const use = uses.get(socket);
		if (use !== undefined) {
			use.requests++;
			use.isRecent = true;
			whenEnded(reply, () => use.requests--);
		}
		done();
	});
	// Fastify adds the header only to responses to requests that arrive while it closes. The client of a request in flight must not send
	// another one either, because its connection is about to be cut.
	let isClosing = false;
	app.addHook("preClose", async () => {
		isClosing = true;
	});
	app.addHook("onSend", (_request, reply, payload, done) => {
		if (isClosing) reply.header("connection", "close");
		done(null, payload);
	});
}
