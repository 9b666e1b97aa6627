import { mkdirSync, writeFileSync } from "node:fs";
import { connect as open } from "node:net";
import { join } from "node:path";
import type { Child, Children } from "./children.ts";
import { host } from "./data-dir.ts";
import type { ServerProgram } from "./server-programs.ts";

export interface Redis {
	child: Child;
	url: string;
}

/** Starts Redis, which keeps nothing on disk: it holds counters and claims that expire by themselves. */
export async function startRedis(
	children: Children,
	directory: string,
	server: ServerProgram,
	options: { port: number; password: string },
): Promise<Redis> {
	const home = join(directory, "redis");
	mkdirSync(home, { recursive: true, mode: 0o700 });
	const config = join(home, "redis.conf");
	writeFileSync(config, renderRedisConfig(server.listen, home, options), { mode: 0o600 });
	const { program, args } = server.command(home, options.port, [config]);
	const child = children.launch({ name: "redis", program, args });
	await children.ready(child, () => answers(options.port, options.password));
	return { child, url: `redis://:${options.password}@${host}:${options.port}` };
}

function renderRedisConfig(
	listen: string,
	home: string,
	{ port, password }: { port: number; password: string },
): string {
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
