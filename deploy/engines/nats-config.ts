/** The configuration of a NATS server, for containers and for this machine. */
import { renderNatsAccounts } from "./nats-accounts.ts";

export interface NatsOptions {
	port: number;
	/** The password of each service's user; a user is called like its service. That of `operator`, too, where one is wanted. */
	passwords: Record<string, string>;
	/** Further lines of the configuration; a setting there replaces one of ours. */
	more?: string;
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
