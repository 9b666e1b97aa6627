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
	/** Files of the server's certificate and its key: then TLS is demanded. With `ca` each client has to show one signed by that. */
	tls?: { cert: string; key: string; ca?: string };
	/** Whether it syncs each message before it acknowledges it (NATS 2.10 or later), not every two minutes. */
	syncAlways?: boolean;
	/** As one node of several. */
	cluster?: NatsCluster;
}

export interface NatsCluster {
	/** Name of this node. It is unique in the cluster and never changes: its copies of streams are found by it. */
	node: string;
	/** On which this node listens for the others. */
	port: number;
	/** Ports of all nodes, this one too. */
	ports: readonly number[];
	/** The nodes identify one another by it. */
	password: string;
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
	return { child, url: `${options.tls ? "tls" : "nats"}://${host}:${options.port}` };
}

/** The server's whole configuration. Written for NATS 2.9 and later. */
export function renderNatsConfig(listen: string, home: string, options: NatsOptions): string {
	const { port, passwords, tls, syncAlways = false, cluster } = options;
	return `host: "${listen}"
port: ${port}
server_name: ${cluster?.node ?? "local"}
max_payload: 8MB
# A client that vanished without a word keeps its share of the requests until this is noticed: seconds rather than minutes.
ping_interval: "5s"
ping_max: 2
${tls === undefined ? "" : renderTls(tls)}jetstream {
	store_dir: ${JSON.stringify(home)}
	max_memory_store: 256MB
${syncAlways ? "\tsync_interval: always\n" : ""}	# Said here, because the server would take a share of the free disk, and refuse streams on a nearly full one. More than the
	# limits of all streams, buckets and accounts together: a server that finds less than that when it starts again ends.
	max_file_store: 16GB
}
authorization {
	# As long as a client of ours tries to connect: the server's own 2 s are short where a whole system starts at once.
	timeout: 10
}
${renderNatsAccounts(passwords)}
${cluster === undefined ? "" : renderCluster(listen, cluster)}`;
}

function renderCluster(listen: string, { port, ports, password }: NatsCluster): string {
	const routes = ports.map((other) => `"nats-route://cluster:${password}@${host}:${other}"`);
	return `cluster {
	name: energy
	listen: "${listen}:${port}"
	authorization { user: cluster, password: ${JSON.stringify(password)}, timeout: 2 }
	routes: [${routes.join(", ")}]
}
`;
}

function renderTls({ cert, key, ca }: NonNullable<NatsOptions["tls"]>): string {
	const client = ca === undefined ? "" : `\tca_file: ${JSON.stringify(ca)}\n\tverify: true\n`;
	return `tls {\n\tcert_file: ${JSON.stringify(cert)}\n\tkey_file: ${JSON.stringify(key)}\n${client}}\n`;
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
