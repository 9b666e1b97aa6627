import { mkdirSync, writeFileSync } from "node:fs";
import { connect as open } from "node:net";
import { join } from "node:path";
import type { Child, Children, Command } from "./children.ts";
import { host } from "./data-dir.ts";
import type { ServerProgram } from "./server-programs.ts";

export interface Redis {
	child: Child;
	url: string;
}

export interface RedisOptions {
	port: number;
	password: string;
}

/** How Redis is run in `directory`. It keeps nothing on disk: it holds counters and claims that expire by themselves. */
export function placeRedis(
	directory: string,
	server: ServerProgram,
	options: RedisOptions,
): { command: Command; url: string; isReady(): Promise<boolean> } {
	const home = join(directory, "redis");
	mkdirSync(home, { recursive: true, mode: 0o700 });
	const config = join(home, "redis.conf");
	writeFileSync(config, renderRedisConfig(server.listen, home, options), { mode: 0o600 });
	const { port, password } = options;
	return {
		command: { name: "redis", ...server.command(home, port, [config]) },
		url: `redis://:${password}@${host}:${port}`,
		isReady: () => answers(port, password),
	};
}

/** Starts it once, and leaves it to the caller what becomes of it. */
export async function startRedis(
	children: Children,
	directory: string,
	server: ServerProgram,
	options: RedisOptions,
): Promise<Redis> {
	const { command, url, isReady } = placeRedis(directory, server, options);
	const child = children.launch(command);
	await children.ready(child, isReady);
	return { child, url };
}

function renderRedisConfig(listen: string, home: string, { port, password }: RedisOptions): string {
	return `bind ${listen}
port ${port}
requirepass ${password}
dir ${JSON.stringify(home)}
save ""
appendonly no
daemonize no
`;
}

function answers(port: number, password: string): Promise<boolean> {
	return new Promise((decide) => {
		const socket = open(port, host, () => socket.write(`AUTH ${password}\r\nPING\r\n`));
		let answer = "";
		socket.setTimeout(1_000, () => socket.destroy());
		socket.on("data", (bytes) => {
			answer += bytes;
			if (answer.includes("+PONG") || answer.includes("-")) socket.destroy();
		});
		socket.once("error", () => decide(false));
		socket.once("close", () => decide(answer.includes("+PONG")));
	});
}
