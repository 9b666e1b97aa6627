/** NATS with JetStream, as one server of this machine. */
import { mkdirSync, writeFileSync } from "node:fs";
import { connect as open } from "node:net";
import { join } from "node:path";
import type { Child, Children } from "./children.ts";
import { host } from "./data-dir.ts";
import { renderNatsAccounts } from "./nats-accounts.ts";
import type { ServerProgram } from "./server-programs.ts";

export interface NatsOptions {
	port: number;
	/** The password of each service's user; a user is called like its service. That of `operator`, too, where one is wanted. */
	passwords: Record<string, string>;
	/** Further lines of the configuration; a setting there replaces one of ours. */
	more?: string;
}

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

/** The server's whole configuration. Written for NATS 2.9 and later. */
export function renderNatsConfig(listen: string, home: string, { port, passwords, more = "" }: NatsOptions): string {
	return `host: "${listen}"
port: ${port}
server_name: local
max_payload: 8MB
# A client that vanished without a word keeps its share of the requests until this is noticed: seconds rather than minutes.
ping_interval: "5s"
ping_max: 2
jetstream {
	store_dir: ${JSON.stringify(home)}
	max_memory_store: 256MB
	# Said here, because the server would take a share of the free disk, and refuse streams on a nearly full one. More than the
	# limits of all streams, buckets and accounts together: a server that finds less than that when it starts again ends.
	max_file_store: 16GB
}
authorization {
	# As long as a client of ours tries to connect: the server's own 2 s are short where a whole system starts at once.
	timeout: 10
}
${renderNatsAccounts(passwords)}
${more}`;
}

/** A NATS server speaks first, and listens only once JetStream is there. */
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
