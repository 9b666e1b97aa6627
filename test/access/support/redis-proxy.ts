/** Stands between a limiter and a real Redis, to let that hang, lose what it is sent, or be gone, and to count what was asked meanwhile. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface RedisProxy extends AsyncDisposable {
	url: string;
	/** Redis hangs: connections stay, nothing goes through. */
	hang(): void;
	/** Continues, and forwards everything that was sent meanwhile. */
	resume(): void;
	/** Drops what clients send. */
	lose(): void;
	/** Breaks connections and refuses new ones. */
	cut(): void;
	/** Accepts connections (again). */
	restore(): void;
	/** Commands that arrived since it began to hang or to lose. */
	readonly commands: number;
}

export async function startRedisProxy(redisUrl: string): Promise<RedisProxy> {
	const target = new URL(redisUrl);
	const pairs = new Set<[Socket, Socket]>();
	let state: "open" | "hanging" | "losing" | "gone" = "open";
	let commands = 0;
	let held: (() => void)[] = [];
	const server = createServer((client) => {
		if (state === "gone") return client.destroy();
		const upstream = connect(Number(target.port), target.hostname);
		const pair: [Socket, Socket] = [client, upstream];
		pairs.add(pair);
		client.on("data", (bytes) => {
			if (state === "open") return upstream.write(bytes);
			// Several can come in one piece.
			commands += bytes.toString("latin1").match(/^\*\d+\r$/gm)?.length ?? 0;
			if (state === "hanging") held.push(() => upstream.write(bytes));
		});
		upstream.on("data", (bytes) => client.write(bytes));
		for (const socket of pair) {
			socket.on("error", () => {});
			socket.on("close", () => {
				pairs.delete(pair);
				for (const one of pair) one.destroy();
			});
		}
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const url = new URL(redisUrl);
	url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	const breakAll = () => {
		for (const pair of pairs) for (const socket of pair) socket.destroy();
		held = [];
	};
	return {
		url: url.href,
		hang() {
			state = "hanging";
			commands = 0;
		},
		resume() {
			state = "open";
			for (const write of held.splice(0)) write();
		},
		lose() {
			state = "losing";
			commands = 0;
		},
		cut() {
			state = "gone";
			breakAll();
		},
		restore() {
			state = "open";
		},
		get commands() {
			return commands;
		},
		async [Symbol.asyncDispose]() {
			breakAll();
			server.close();
			await once(server, "close");
		},
	};
}
