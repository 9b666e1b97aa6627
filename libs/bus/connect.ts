/** The connection to NATS. This folder is the only importer of the NATS client. */

import { connect, type NatsConnection } from "@nats-io/transport-node";
import { within } from "#libs/contract/within.ts";
import { hostsOf, type TlsFiles, trust } from "#libs/postgres/tls.ts";

/** The bus's logger: pino's, or `console`. */
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
	/** Default limits of the streams that are created over this connection. */
	readonly streams: StreamLimits;
	/** False from the loss of the connection until it is restored. */
	readonly connected: boolean;
}

export interface StreamLimits {
	/** Age after which a stream deletes events (hours; `streamAgeHours` when absent). */
	maxAgeHours?: number;
	/** Size beyond which a stream deletes its oldest events (bytes, 1 GiB when absent). */
	maxBytes?: number;
	/** Replicas in the cluster (1 when absent). */
	replicas?: number;
}

export interface BusOptions {
	/** One or more `nats://host:port`, separated by commas. A single `tls://` requires TLS for all. */
	url: string;
	user?: string;
	password?: string;
	/** Trusted authorities and the client certificate. If set, TLS is required. */
	tls?: TlsFiles;
	/** Name of the service, which its replicas share. */
	name: string;
	streams?: StreamLimits;
	log?: Log;
	/** Time limit of one connection attempt (ms, 10,000 when absent). */
	connectTimeoutMs?: number;
}

const connectTimeoutMs = 10_000;
const reconnectWaitMs = 250;
/** After two unanswered pings the client reconnects: a broken network route reports no error. */
const pingEveryMs = 5_000;
const drainTimeoutMs = 5_000;

/** Connects, and reconnects after every loss. Closing finishes the requests in progress and sends pending messages. */
export async function connectBus(options: BusOptions): Promise<Bus & AsyncDisposable> {
	const log = options.log ?? console;
	const servers = options.url.split(",").map((server) => server.trim());
	const nats = await connect({
		servers,
		...tlsOptions(servers, options.tls),
		name: options.name,
		...(options.user === undefined ? {} : { user: options.user, pass: options.password ?? "" }),
		// The server's permissions use this prefix to keep a service from reading another's replies.
		inboxPrefix: `_INBOX.${options.name}`,
		// A server that refuses our certificate sends no error, and the client's default limit of 20 s per attempt is too long.
		timeout: options.connectTimeoutMs ?? connectTimeoutMs,
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

/** With these options the client refuses a server without TLS; without them it accepts servers with and without TLS. */
function tlsOptions(servers: string[], files: TlsFiles | undefined) {
	if (files === undefined && !servers.some((server) => /^tls:/i.test(server))) return {};
	// A cluster announces its other servers by IP address, but their certificates name the hosts given here.
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
			bus.log.info({ server: status.server }, "reconnected to NATS");
		} else if (status.type === "error") bus.log.error({ err: status.error }, "NATS reports an error");
	}
	bus.connected = false;
}

/** Drains the connection, or closes it without a drain if the server does not respond. */
async function close(nats: NatsConnection): Promise<void> {
	if (nats.isClosed()) return;
	await within(
		nats[Symbol.asyncDispose]().catch(() => {}),
		drainTimeoutMs,
	);
	if (!nats.isClosed()) await nats.close();
}
