import { mkdirSync, writeFileSync } from "node:fs";
import { connect as open } from "node:net";
import { join } from "node:path";
import type { Child, Children } from "./children.ts";
import { host } from "./data-dir.ts";
import type { ServerProgram } from "./server-programs.ts";
import { type Service, services } from "./services.ts";

export interface NatsOptions {
	port: number;
	/** The password of each service's user; a user is called like its service. */
	passwords: Record<string, string>;
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
export function renderNatsConfig(listen: string, home: string, { port, passwords }: NatsOptions): string {
	return `host: "${listen}"
port: ${port}
server_name: local
max_payload: 8MB
jetstream {
	store_dir: ${JSON.stringify(home)}
	max_memory_store: 256MB
	# Said here, because the server would take a share of the free disk, and refuse streams on a nearly full one.
	max_file_store: 8GB
}
authorization {
	users: [
${services.map((service) => renderUser(service, passwords[service.name] ?? "")).join("\n")}
	]
}
`;
}

/** Each service answers its own requests and says its own events; nobody else may say them in its name. */
function renderUser(service: Service, password: string): string {
	const { name, publishes = [], subscribes = [] } = service;
	const publish = [`event.${name}.>`, `version.${name}`, "_INBOX.>", "$JS.API.>", "$JS.ACK.>", ...publishes];
	// Anybody's inbox may be written to, which is how one answers; only the own one may be read.
	const subscribe = [`rpc.${name}.>`, `_INBOX.${name}.>`, ...subscribes];
	const allow = (subjects: string[]) => `{ allow: ${JSON.stringify(subjects)} }`;
	return `		{
			user: ${JSON.stringify(name)}
			password: ${JSON.stringify(password)}
			permissions: { publish: ${allow(publish)}, subscribe: ${allow(subscribe)} }
		}`;
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
