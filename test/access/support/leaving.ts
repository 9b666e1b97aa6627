/** Callers that leave, at a moment that the test chooses. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import type { Sent } from "./pay.ts";

export interface Held {
	/** Called in the test's way: waits until it may continue. */
	wait(): Promise<void>;
	/** Resolves when a call waits. */
	reached: Promise<void>;
	go(): void;
}

/** A moment that is held back. */
export function held(): Held {
	const reached = Promise.withResolvers<void>();
	const end = Promise.withResolvers<void>();
	return {
		wait() {
			reached.resolve();
			return end.promise;
		},
		reached: reached.promise,
		go: () => end.resolve(),
	};
}

/** A request on a connection of its own, of whose answer nothing is read yet. */
export async function begin(url: string, path: string, sent: Sent): Promise<Socket> {
	const { hostname, port } = new URL(url);
	const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
	await once(socket, "connect");
	const lines = Object.entries({ host: `${hostname}:${port}`, ...sent }).map(
		([name, value]) => `${name}: ${value}\r\n`,
	);
	socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
	return socket;
}

/** Resolves when the other side has noticed, which closes then too. Nothing may have been sent to the socket yet. */
export async function leave(socket: Socket): Promise<void> {
	socket.resume().end();
	await once(socket, "end");
	socket.destroy();
	for (let turns = 0; turns < 5; turns++) await turn();
}
