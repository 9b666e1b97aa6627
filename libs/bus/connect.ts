/** The connection to NATS. This folder is the only importer of the NATS client. */
import { connect, type NatsConnection } from "@nats-io/transport-node";

/** What the bus reports; pino fits, and so does `console`. */
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
	/** False from the loss of the connection until it is restored. */
	readonly connected: boolean;
}

export interface BusOptions {
	/** `nats://host:port`, or several with commas between them. */
	url: string;
	user?: string;
	password?: string;
	/** The service, also with several replicas: inboxes are `_INBOX.<name>.>`, which the server's permissions allow by user. */
	name: string;
	log?: Log;
}

const reconnectWaitMs = 250;
const drainTimeoutMs = 5_000;

/** Connects, and from then on reconnects for ever. Closing drains: what was accepted is answered, what was written is sent. */
export async function connectBus(options: BusOptions): Promise<Bus & AsyncDisposable> {
	const log = options.log ?? console;
	const nats = await connect({
		servers: options.url.split(",").map((server) => server.trim()),
		name: options.name,
		...(options.user === undefined ? {} : { user: options.user, pass: options.password ?? "" }),
		// Own inboxes a name, so that the server's permissions can keep one service from reading another's replies.
		inboxPrefix: `_INBOX.${options.name}`,
		maxReconnectAttempts: -1,
		ignoreAuthErrorAbort: true,
		reconnectTimeWait: reconnectWaitMs,
		reconnectJitter: reconnectWaitMs,
		pingInterval: 20_000,
		maxPingOut: 2,
		// A stack trace for each request costs more than the request.
		noAsyncTraces: true,
	});
	const bus = { nats, log, name: options.name, connected: true };
	void followStatus(bus);
	return Object.assign(bus, { [Symbol.asyncDispose]: () => close(nats) });
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
	let timer: NodeJS.Timeout | undefined;
	const tooLong = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, drainTimeoutMs);
	});
	await Promise.race([nats[Symbol.asyncDispose]().catch(() => {}), tooLong]);
	clearTimeout(timer);
	if (!nats.isClosed()) await nats.close();
}
