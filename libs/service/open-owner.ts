/** Opens the parts that every service with stored data has: pools, bus connection, stream, outbox relay and data version. */
import type { z } from "zod";
import { type Bus, connectBus } from "#libs/bus/connect.ts";
import { relay } from "#libs/bus/events/relay.ts";
import { ensureStream, streamAgeHours } from "#libs/bus/events/topology.ts";
import { measureStream, noSlotIsStuck } from "#libs/bus/metrics.ts";
import { serveSubscribers } from "#libs/bus/mirror/subscribers.ts";
import { natsConnection, type natsSettings } from "#libs/bus/settings.ts";
import { announceVersions } from "#libs/bus/version.ts";
import { publicPublishers } from "#libs/contract/events/event.ts";
import type { Owner } from "#libs/contract/index.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { pruneInbox } from "#libs/postgres/events/inbox.ts";
import { openStandby, type Standby } from "#libs/postgres/replies/replica-routing.ts";
import type { postgresSettings } from "#libs/postgres/settings.ts";
import type { Logger } from "./logger.ts";
import { measureSchema } from "./owner-metrics.ts";
import type { Starting } from "./run-service.ts";
import { schedule } from "./schedule.ts";

export type OwnerConfig = z.output<z.ZodObject<typeof natsSettings & typeof postgresSettings>>;

export interface OwnerOptions {
	/** Name of the service, and of its NATS user. */
	name: Owner;
	schema: string;
	/** Maximum connections of the pool for jobs and reactions (16 when absent). */
	backgroundConnections?: number;
	/** See `ConnectOptions`; applies to the pool for jobs and reactions. */
	plansAnew?: boolean;
}

export interface OpenedOwner {
	bus: Bus;
	sql: Sql;
	/** Also serves requests, if the service has a standby: see `routeReads`. */
	standby: Standby | undefined;
	/** Pool for jobs and reactions, without a statement timeout: ingest and requests must not wait for each other's connections. */
	background: Sql;
}

/** Everything is closed with the service, in reverse order. */
export async function openOwner(starting: Starting<OwnerConfig>, options: OwnerOptions): Promise<OpenedOwner> {
	const { config, log, health, open } = starting;
	const { name, schema, backgroundConnections = 16, plansAnew = false } = options;
	const url = config.POSTGRES_URL;
	const requests = { schema, max: config.POSTGRES_CONNECTIONS, statementTimeoutMs: config.STATEMENT_TIMEOUT_MS };
	const sql = open(connect(url, { ...requests, name }));
	// Connects now, so that the connection neither delays the first request nor appears in its trace.
	sql`select 1`.execute().catch(() => {});
	const reads = { ...requests, name: `${name}-reads` };
	const { POSTGRES_READ_URL: readUrl } = config;
	const standby = readUrl === undefined ? undefined : open(openStandby(readUrl, reads));
	const jobs = { schema, name: `${name}-jobs`, max: backgroundConnections, statementTimeoutMs: 0, plansAnew };
	const background = open(connect(url, jobs));
	// This check does not use the pool for requests: that pool can be overloaded while the database is available.
	health.register("postgres", () => background`select 1 from data_version`);
	const bus = open(await connectBus({ ...natsConnection(config), name, log }));
	health.register("bus", () => bus.connected);
	health.register("requests", noSlotIsStuck);
	const ownStream = () => ensureStream(bus, name);
	await ownStream();
	if (publicPublishers.includes(name)) open(await serveSubscribers(bus, name));
	measureStream(bus, name);
	open(relay(bus, background, schema, { ensureStream: ownStream }));
	measureSchema(background, schema);
	open(startInboxPruning(background, { log }));
	open(await announceVersions(bus, background, schema, name));
	return { bus, sql, standby, background };
}

/** Twice as long as the stream retains an event, to allow for clock differences and deliveries in progress. */
const inboxHours = 2 * streamAgeHours;
const hourMs = 3_600_000;

interface InboxPruningOptions {
	log: Pick<Logger, "debug" | "info" | "error">;
	everyMs?: number;
}

/** Deletes rows of the inbox once their events cannot be redelivered, until closed. */
export const startInboxPruning = (sql: Sql, { log, everyMs = hourMs }: InboxPruningOptions): AsyncDisposable =>
	schedule({
		name: "forget-deliveries",
		everyMs,
		jitterMs: everyMs / 60,
		sql,
		log,
		run: async (signal) => {
			const deliveries = await pruneInbox(sql, inboxHours, signal);
			if (deliveries > 0) log.info({ deliveries }, "deleted old inbox rows");
		},
	});
