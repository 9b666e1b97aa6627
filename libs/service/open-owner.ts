/** Opens what every service that stores data needs: its pools, its connection to the bus, its stream, its outbox and its version. */
import type { z } from "zod";
import { type Bus, connectBus } from "#libs/bus/connect.ts";
import { slotsReturn } from "#libs/bus/metrics.ts";
import { relay } from "#libs/bus/relay.ts";
import { natsConnection, type natsSettings } from "#libs/bus/settings.ts";
import { measureStream } from "#libs/bus/stream-size.ts";
import { serveSubscribers } from "#libs/bus/subscribers.ts";
import { ensureStream, streamAgeHours } from "#libs/bus/topology.ts";
import { announceVersions } from "#libs/bus/version.ts";
import { openPublishers } from "#libs/contract/events/event.ts";
import type { Owner } from "#libs/contract/index.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { pruneInbox } from "#libs/postgres/inbox.ts";
import { openStandby, type Standby } from "#libs/postgres/replica-routing.ts";
import type { postgresSettings } from "#libs/postgres/settings.ts";
import type { Logger } from "./logger.ts";
import { measureSchema } from "./owner-metrics.ts";
import type { Starting } from "./run-service.ts";
import { schedule } from "./schedule.ts";

export type OwnerConfig = z.output<z.ZodObject<typeof natsSettings & typeof postgresSettings>>;

export interface OwnerOptions {
	/** Also the user's at NATS. */
	name: Owner;
	schema: string;
	/** Connections of the pool for jobs and reactions (16 when absent). */
	backgroundConnections?: number;
	/** See `ConnectOptions`; of the pool for jobs and reactions. */
	plansAnew?: boolean;
}

export interface OpenedOwner {
	bus: Bus;
	/** For answering requests. */
	sql: Sql;
	/** For answers too, where there is one: see `routeReads`. */
	standby: Standby | undefined;
	/** For jobs and reactions; without a statement timeout: taking in must not wait for readers, nor readers for what is taken in. */
	background: Sql;
}

/** Everything is closed with the service, in reverse. */
export async function openOwner(starting: Starting<OwnerConfig>, options: OwnerOptions): Promise<OpenedOwner> {
	const { config, log, health, open } = starting;
	const { name, schema, backgroundConnections = 16, plansAnew = false } = options;
	const url = config.POSTGRES_URL;
	const answers = { schema, max: config.POSTGRES_CONNECTIONS, statementTimeoutMs: config.STATEMENT_TIMEOUT_MS };
	const sql = open(connect(url, { ...answers, name }));
	// The first caller shall not wait until a connection is made, nor find its making in his trace.
	sql`select 1`.execute().catch(() => {});
	const reads = { ...answers, name: `${name}-reads` };
	const { POSTGRES_READ_URL: readUrl } = config;
	const standby = readUrl === undefined ? undefined : open(openStandby(readUrl, reads));
	const jobs = { schema, name: `${name}-jobs`, max: backgroundConnections, statementTimeoutMs: 0, plansAnew };
	const background = open(connect(url, jobs));
	// Not behind callers' statements: overload is another fault than an absent service.
	health.register("postgres", () => background`select 1 from data_version`);
	const bus = open(await connectBus({ ...natsConnection(config), name, log }));
	health.register("bus", () => bus.connected);
	health.register("requests", slotsReturn);
	const ownStream = () => ensureStream(bus, name);
	await ownStream();
	if (openPublishers.includes(name)) open(await serveSubscribers(bus, name));
	measureStream(bus, name);
	open(relay(bus, background, schema, { ensureStream: ownStream }));
	measureSchema(background, schema);
	open(forgetDeliveries(background, { log }));
	open(await announceVersions(bus, background, schema, name));
	return { bus, sql, standby, background };
}

/** The stream keeps an event for half of it; the rest is for clocks that differ and deliveries under way. */
const inboxHours = 2 * streamAgeHours;
const hourMs = 3_600_000;

interface ForgetDeliveriesOptions {
	log: Pick<Logger, "debug" | "info" | "error">;
	/** Between two runs (ms, an hour when absent). */
	everyMs?: number;
}

/** Deletes received messages once they cannot arrive again, in the schema that `sql` works in, until closed: the inbox must not grow for ever. */
export const forgetDeliveries = (sql: Sql, { log, everyMs = hourMs }: ForgetDeliveriesOptions): AsyncDisposable =>
	schedule({
		name: "forget-deliveries",
		everyMs,
		jitterMs: everyMs / 60,
		sql,
		log,
		run: async (signal) => {
			const deliveries = await pruneInbox(sql, inboxHours, signal);
			if (deliveries > 0) log.info({ deliveries }, "old deliveries are forgotten");
		},
	});
