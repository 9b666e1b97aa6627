/** Servers from elsewhere outlive a test file; the next one must not find what it left. */
import { once } from "node:events";
import { connect as open } from "node:net";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";

export async function emptyNats(url: string): Promise<void> {
	const nats = await connect({ servers: url });
	try {
		const manager = await jetstreamManager(nats);
		for await (const name of manager.streams.names()) await manager.streams.delete(name);
	} finally {
		await nats.close();
	}
}

export async function emptyRedis(url: string): Promise<void> {
	const { hostname, port, password } = new URL(url);
	const auth = password === "" ? "" : `AUTH ${decodeURIComponent(password)}\r\n`;
	const socket = open(Number(port || 6379), hostname, () => socket.write(`${auth}FLUSHALL\r\nQUIT\r\n`));
	socket.resume();
	await once(socket, "close");
}
