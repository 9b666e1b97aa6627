/** Redis: counters of the gateway's replicas, for one user who may do nothing else there. */
import { mkdirSync, writeFileSync } from "node:fs";
import { connect as open } from "node:net";
import { join } from "node:path";
import { connect as openTls } from "node:tls";
import { type RedisPasswords, renderRedisUsers } from "../engines/redis-users.ts";
import type { Child, Children } from "./children.ts";
import { host } from "./data-dir.ts";
import type { ServerProgram } from "./server-programs.ts";

export interface Redis {
	child: Child;
	url: string;
}

interface RedisOptions extends RedisPasswords {
	port: number;
	/** Files of the server's certificate and its key: then it is reached by TLS alone. */
	tls?: { cert: string; key: string };
}

/** Starts Redis in `directory`. It keeps nothing on disk: it holds counters and claims that expire by themselves. */
export async function startRedis(
	children: Children,
	directory: string,
	server: ServerProgram,
	options: RedisOptions,
): Promise<Redis> {
	const home = join(directory, "redis");
	mkdirSync(home, { recursive: true, mode: 0o700 });
	const config = join(home, "redis.conf");
	writeFileSync(config, renderRedisConfig(server.listen, home, options), { mode: 0o600 });
	const { port, password, tls } = options;
	const child = children.launch({ name: "redis", ...server.command(home, port, [config]) });
	await children.ready(child, () => answers(options));
	return { child, url: `${tls ? "rediss" : "redis"}://gateway:${password}@${host}:${port}` };
}

function renderRedisConfig(listen: string, home: string, options: RedisOptions): string {
	const { port, tls } = options;
	const secure = tls && `tls-port ${port}\ntls-cert-file ${tls.cert}\ntls-key-file ${tls.key}\ntls-auth-clients no\n`;
	return `bind ${listen}
port ${tls ? 0 : port}
${secure ?? ""}${renderRedisUsers(options)}
dir ${JSON.stringify(home)}
save ""
appendonly no
daemonize no
`;
}

function answers({ port, password, tls }: RedisOptions): Promise<boolean> {
	return new Promise((decide) => {
		// Readiness only: the certificate does not matter.
		const socket = tls ? openTls({ port, host, rejectUnauthorized: false }) : open(port, host);
		socket.write(`AUTH gateway ${password}\r\nPING\r\n`);
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
