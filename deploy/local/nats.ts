/** NATS with JetStream, as one server of this machine. */
import { mkdirSync, writeFileSync } from "node:fs";
import { connect as open } from "node:net";
import { join } from "node:path";
import { type NatsOptions, renderNatsConfig } from "../engines/nats-config.ts";
import type { Child, Children } from "./children.ts";
import { host } from "./data-dir.ts";
import type { ServerProgram } from "./server-programs.ts";

export interface Nats {
	child: Child;
	url: string;
}

/** Starts NATS with JetStream, whose files are in `directory`/nats. */
export async function startNats(
	children: Children,
	directory: string,
	server: ServerProgram,
	options: NatsOptions,
): Promise<Nats> {
	const home = join(directory, "nats");
	mkdirSync(home, { recursive: true, mode: 0o700 });
	const config = join(home, "nats.conf");
	writeFileSync(config, renderNatsConfig(server.listen, home, options), { mode: 0o600 });
	const { program, args } = server.command(home, options.port, ["-c", config]);
	const child = children.launch({ name: "nats", program, args, stopSignal: "SIGINT" });
	await children.ready(child, () => greets(options.port));
	return { child, url: `nats://${host}:${options.port}` };
}

/** A NATS server sends the first line, and listens only when JetStream is ready. */
function greets(port: number): Promise<boolean> {
	return new Promise((decide) => {
		const socket = open(port, host);
		socket.setTimeout(1_000, () => socket.destroy());
		socket.once("data", (bytes) => {
			decide(bytes.toString().startsWith("INFO"));
			socket.destroy();
		});
		socket.once("error", () => decide(false));
		socket.once("close", () => decide(false));
	});
}
