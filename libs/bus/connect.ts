/** The connection to NATS. This folder is the only importer of the NATS client. */

import { connect, type NatsConnection } from "@nats-io/transport-node";
import { within } from "#libs/contract/within.ts";
import { hostsOf, type TlsFiles, trust } from "#libs/postgres/tls.ts";

/** The logger of the bus: pino fits, and so does `console`. */
export interface Log {
	info(fields: object, message: string): void;
	warn(fields: object, message: string): void;
	error(fields: object, message: string): void;
}

export interface Bus {
	readonly nats: NatsConnection;
	readonly log: Log;
	/** The client's name; its inboxes are `_INBOX.<name>.>`. */
	readonly name: string;
	/** Copies of each stream that is made over this connection. */
	readonly streams: StreamLimits;
	/** False from the loss of the connection until it is restored. */
	readonly connected: boolean;
}

export interface StreamLimits {
	/** Age after which a stream forgets (hours; `streamAgeHours` when absent). */
	maxAgeHours?: number;
	/** Most that a stream keeps (bytes, 1 GiB when absent); beyond it the oldest goes. */
	maxBytes?: number;
	/** Copies in the cluster (1 when absent). */
	replicas?: number;
}

export interface BusOptions {
	/** `nats://host:port`, or several with commas between them. One `tls://` demands TLS of all. */
	url: string;
	user?: string;
	password?: string;
	/** Demands TLS, too, and says whom to trust. */
	tls?: TlsFiles;
	/** The service, also with several replicas: inboxes are `_INBOX.<name>.>`, which the server's permissions allow by user. */
	name: string;
	/** Copies of each stream that is made over this connection. */
	streams?: StreamLimits;
	log?: Log;
}

const connectTimeoutMs = 10_000;
const reconnectWaitMs = 250;
/** A server that owes two answers is left for another (or for itself, by a new connection): a broken route reports nothing. */
const pingEveryMs = 5_000;
const drainTimeoutMs = 5_000;

/** Connects, and from then on reconnects for ever. Closing drains: what was accepted is answered, what was written is sent. */
export async function connectBus(options: BusOptions): Promise<Bus & AsyncDisposable> {
	const log = options.log ?? console;
	const servers = options.url.split(",").map((server) => server.trim());
	const nats = await connect({
		servers,
		...tlsOf(servers, options.tls),
		name: options.name,
		...(options.user === undefined ? {} : { user: options.user, pass: options.password ?? "" }),
		// Own inboxes a name, so that the server's permissions can keep one service from reading another's replies.
		inboxPrefix: `_INBOX.${options.name}`,
		// Time limit of one attempt. A server that refuses our certificate does not say so, and its own 20 s are long for one that hangs.
		timeout: connectTimeoutMs,
		maxReconnectAttempts: -1,
		ignoreAuthErrorAbort: true,
		reconnectTimeWait: reconnectWaitMs,
		reconnectJitter: reconnectWaitMs,
		pingInterval: pingEveryMs,
		maxPingOut: 2,
		// A stack trace for each request costs more than the request.
		noAsyncTraces: true,
	});
	const bus = { nats, log, name: options.name, streams: options.streams ?? {}, connected: true };
	void followStatus(bus);
	return Object.assign(bus, { [Symbol.asyncDispose]: () => close(nats) });
}

/** With TLS options the client refuses a server without TLS. Without them it takes what the server has. */
function tlsOf(servers: string[], files: TlsFiles | undefined) {
	if (files === undefined && !servers.some((server) => /^tls:/i.test(server))) return {};
	// The others of a cluster are announced by address: each shows a certificate for a host that is named here.
	const hosts = servers.flatMap((server) => hostsOf(server.replace(/^\w+:\/\/(.*@)?/, "")));
	return { tls: trust(files ?? {}, hosts) };
}

async function followStatus(bus: { nats: NatsConnection; log: Log; connected: boolean }): Promise<void> {
	for await (const status of bus.nats.status()) {
		if (status.type === "disconnect") {
			bus.connected = false;
			bus.log.warn({ server: status.server }, "lost the connection to NATS");
		} else if (status.type === "reconnect") {
			bus.connected = true;
			bus.log.info({ server: status.server }, "connected to NATS again");
		} else if (status.type === "error") bus.log.error({ err: status.error }, "NATS reports an error");
	}
	bus.connected = false;
}

/** A drain waits for the server, which may be away: then the connection is closed without it. */
async function close(nats: NatsConnection): Promise<void> {
	if (nats.isClosed()) return;
	await within(
		nats[Symbol.asyncDispose]().catch(() => {}),
		drainTimeoutMs,
	);
	if (!nats.isClosed()) await nats.close();
}
