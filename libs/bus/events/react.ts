/** Reactions process an event's deliveries in batches, and apply each event once. */
import { setTimeout as pause } from "node:timers/promises";
import type { z } from "zod";
import type { EventShape } from "#libs/contract/events/event.ts";
import type { Owner } from "#libs/contract/index.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { isDatabaseUnavailable } from "#libs/postgres/connection-errors.ts";
import { receive } from "#libs/postgres/events/inbox.ts";
import type { Bus } from "../connect.ts";
import { type Incident, incidentOf } from "../incident.ts";
import { measuredDurables, reactedTotal } from "../metrics.ts";
import { onReconnect } from "../plain-messages.ts";
import { inTime } from "../scrape.ts";
import { runInConsumerSpan } from "../trace.ts";
import { backoffMs } from "../wake.ts";
import { consume, type Delivery } from "./consume.ts";
import { backlogOf, ensureDurable } from "./topology.ts";

export interface Reaction<E extends EventShape> {
	/** The service whose schema holds the effect. */
	service: Owner;
	/** Verb and noun in kebab case. The durable consumer is named `<service>-<name>`. */
	name: string;
	event: E;
	/** Applies events that have not been applied yet, in the transaction that records them as received. */
	handler(tx: Transaction, events: z.output<E["payload"]>[]): Promise<void>;
	/** Maximum events in a transaction (500 when absent). */
	batch?: number;
	/** Attempts after which an event becomes a dead letter (8 when absent). */
	maxDeliver?: number;
	/**
	 * JetStream redelivers events whose process has not reported progress for this long (ms, 15,000 when absent). The work itself may take longer.
	 */
	ackWaitMs?: number;
	/**
	 * How long events are held and retried while the database is unavailable (ms, 15,000 when absent). They are then returned to JetStream,
	 * because another replica may reach the database.
	 */
	holdMs?: number;
	/** Pause before the next attempt (ms); doubles from 1,000 to 60,000 when absent. */
	retryMs?(attempt: number): number;
}

export interface RunningReaction extends AsyncDisposable {
	backlog(): Promise<number>;
}

/** Starts a reaction, and creates its stream and durable if they are missing. Closing finishes the current batch. */
export async function react<E extends EventShape>(bus: Bus, sql: Sql, reaction: Reaction<E>): Promise<RunningReaction> {
	const settings = { ...defaults, ...reaction };
	const { batch, ackWaitMs } = settings;
	// Only `maxAckPending` limits the memory that deliveries take here.
	const durableOptions = {
		name: `${reaction.service}-${reaction.name}`,
		event: reaction.event,
		ackWaitMs,
		maxAckPending: batch * 4,
	};
	const durable = await ensureDurable(bus, durableOptions);
	const stop = new AbortController();
	const deliveries = new Deliveries<E>(bus, sql, settings, stop.signal);
	const incident = incidentOf({
		log: bus.log,
		fields: { reaction: reaction.name },
		message: "a consumer of events stopped with an error and will be restarted",
		closed: "a consumer of events has resumed",
	});
	// A restarted server may have lost messages, so the durable is compared with its stream again.
	const reconnects = onReconnect(bus, () => {
		ensureDurable(bus, durableOptions).catch((err) =>
			bus.log.warn({ err, durable: durable.name }, "a durable consumer could not be checked after a reconnection"),
		);
	});
	const running = (async () => {
		for (let failures = 0; !stop.signal.aborted; failures++) {
			try {
				if (failures > 0) await ensureDurable(bus, durableOptions);
				await consume(bus, { durable, batch, ackWaitMs, signal: stop.signal }, (arrived) => {
					incident.close();
					return deliveries.take(arrived);
				});
			} catch (err) {
				if (!stop.signal.aborted) incident.open(err);
			}
			await pause(backoffMs(failures + 1, 250, 5_000), undefined, { signal: stop.signal }).catch(() => {});
		}
	})();
	const backlog = () => backlogOf(bus, durable);
	// Without a connection the request would wait for one.
	const lag = { durable: durable.name, lag: inTime(async () => (bus.connected ? backlog() : undefined), 800) };
	measuredDurables.add(lag);
	return {
		backlog,
		async [Symbol.asyncDispose]() {
			measuredDurables.delete(lag);
			reconnects[Symbol.dispose]();
			stop.abort();
			await running;
		},
	};
}

const defaults = {
	batch: 500,
	maxDeliver: 8,
	ackWaitMs: 15_000,
	holdMs: 15_000,
	retryMs: (attempt: number): number => backoffMs(attempt, 1_000, 60_000),
};

/** Pause between two attempts to apply held events while the database is unavailable (ms). */
const holdRetryMs = 500;

interface Received<T> {
	delivery: Delivery;
	id: string;
	event: T;
}

class Deliveries<E extends EventShape> {
	readonly #bus: Bus;
	readonly #sql: Sql;
	readonly #reaction: Required<Reaction<E>>;
	readonly #databaseIncident: Incident;
	#unavailableSince: number | undefined;
	readonly #stop: AbortSignal;

	constructor(bus: Bus, sql: Sql, reaction: Required<Reaction<E>>, stop: AbortSignal) {
		this.#bus = bus;
		this.#stop = stop;
		this.#sql = sql;
		this.#reaction = reaction;
		this.#databaseIncident = incidentOf({
			log: bus.log,
			fields: { reaction: reaction.name },
			message: "event processing is paused: the database is unavailable",
			closed: "event processing has resumed: the database is available",
		});
	}

	/** Retries the events of a failed batch one by one, so that one bad event does not block the others. Never throws. */
	async take(deliveries: Delivery[]): Promise<void> {
		await this.#try(deliveries.filter(({ attempt }) => attempt === 1));
		for (const delivery of deliveries.filter(({ attempt }) => attempt > 1)) await this.#try([delivery]);
	}

	async #try(deliveries: Delivery[]): Promise<void> {
		const received: Received<z.output<E["payload"]>>[] = [];
		for (const delivery of deliveries) {
			const parsed = this.#parse(delivery);
			if (parsed instanceof Error) await this.#deadLetter(delivery, `unparseable: ${parsed.message}`);
			else received.push(parsed);
		}
		if (received.length === 0) return;
		try {
			const { name } = this.#reaction;
			const origins = received.map(({ delivery }) => delivery.traceparent);
			const appliedCount = await this.#withDatabase(received.length, () =>
				runInConsumerSpan(name, origins, () => this.#applyNew(received)),
			);
			for (const { delivery } of received) delivery.ack();
			reactedTotal.inc({ reaction: name, outcome: "done" }, appliedCount);
			reactedTotal.inc({ reaction: name, outcome: "repeated" }, received.length - appliedCount);
		} catch (error) {
			await this.#retry(received, error);
		}
	}

	/**
	 * Repeats `work` while the database is briefly unavailable. An event returned to JetStream instead would use up an attempt, and be
	 * redelivered late and by itself.
	 */
	async #withDatabase<R>(events: number, work: () => Promise<R>): Promise<R> {
		for (;;) {
			try {
				const result = await work();
				this.#unavailableSince = undefined;
				this.#databaseIncident.close();
				return result;
			} catch (error) {
				if (!isDatabaseUnavailable(error)) throw error;
				this.#unavailableSince ??= performance.now();
				if (this.#stop.aborted || performance.now() - this.#unavailableSince >= this.#reaction.holdMs) throw error;
				this.#databaseIncident.open(error, () => ({ events }));
				await pause(holdRetryMs, undefined, { signal: this.#stop }).catch(() => {});
			}
		}
	}

	#parse(delivery: Delivery): Received<z.output<E["payload"]>> | Error {
		try {
			const event = this.#reaction.event.payload.parse(JSON.parse(delivery.text)) as z.output<E["payload"]> & {
				id: string;
			};
			return { delivery, id: event.id, event };
		} catch (error) {
			return error instanceof Error ? error : new Error(String(error));
		}
	}

	/** Applies the events that have not been applied yet, and returns how many there were. */
	#applyNew(received: Received<z.output<E["payload"]>>[]): Promise<number> {
		const byId = new Map(received.map(({ id, event }) => [id, event]));
		return this.#sql.begin(async (tx) => {
			const newIds = await receive(tx, this.#reaction.name, [...byId.keys()]);
			if (newIds.size > 0)
				await this.#reaction.handler(
					tx,
					[...byId].flatMap(([id, event]) => (newIds.has(id) ? [event] : [])),
				);
			return newIds.size;
		});
	}

	async #retry(received: Received<unknown>[], error: unknown): Promise<void> {
		const { name, maxDeliver, retryMs } = this.#reaction;
		const isUnavailable = isDatabaseUnavailable(error);
		if (isUnavailable) this.#databaseIncident.open(error, () => ({ events: received.length }));
		else this.#bus.log.error({ err: error, reaction: name, events: received.length }, "a reaction failed");
		for (const { delivery, id } of received) {
			const { attempt } = delivery;
			// While the database is unavailable, the event is not at fault.
			if (attempt >= maxDeliver && !isUnavailable) await this.#deadLetter(delivery, String(error), id);
			else {
				delivery.nak(retryMs(attempt));
				reactedTotal.inc({ reaction: name, outcome: "retried" });
			}
		}
	}

	/** Stores a delivery once as a dead letter, for review by a person. While the database is unavailable, JetStream redelivers it later. */
	async #deadLetter(delivery: Delivery, reason: string, eventId: string | null = null): Promise<void> {
		const { name } = this.#reaction;
		try {
			await this.#sql.begin(async (tx) => {
				const key = `dead:${delivery.stream}:${delivery.seq}`;
				if ((await receive(tx, name, [key])).size === 0) return;
				await tx`
					insert into dead_letters (reaction, subject, event_id, payload, reason)
					values (${name}, ${delivery.subject}, ${eventId}, ${withoutNul(delivery.text)}, ${withoutNul(reason)})`;
			});
			delivery.term();
			reactedTotal.inc({ reaction: name, outcome: "dead" });
			this.#bus.log.error(
				{ reaction: name, eventId, subject: delivery.subject, reason },
				"an event became a dead letter",
			);
		} catch (err) {
			if (isDatabaseUnavailable(err)) this.#databaseIncident.open(err);
			else this.#bus.log.warn({ err, reaction: name, eventId }, "a dead letter could not be written");
			delivery.nak(this.#reaction.retryMs(delivery.attempt));
		}
	}
}

/** PostgreSQL's text cannot contain NUL. */
const withoutNul = (text: string): string => text.replaceAll("\u0000", "\ufffd");
