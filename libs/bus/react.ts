/** Being told: a reaction takes an event's deliveries in batches, each with effect once. */
import { setTimeout as pause } from "node:timers/promises";
import { type ConsumerMessages, type JsMsg, jetstream } from "@nats-io/jetstream";
import type { z } from "zod";
import type { EventShape } from "#libs/contract/event.ts";
import type { Owner } from "#libs/contract/index.ts";
import { isDatabaseAway } from "#libs/postgres/away.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { receive } from "#libs/postgres/inbox.ts";
import type { Bus } from "./connect.ts";
import { reacted } from "./metrics.ts";
import { backlogOf, type Durable, ensureDurable } from "./topology.ts";
import { receiving } from "./trace.ts";
import { backoffMs, Wake } from "./wake.ts";

export interface Reaction<E extends EventShape> {
	/** The service whose schema holds the effect. */
	service: Owner;
	/** Verb and noun, kebab: the durable is `<service>-<name>`. */
	name: string;
	event: E;
	/** The effect of events that have had none yet, in the transaction that records them as received. Works on the whole set. */
	handler(tx: Transaction, events: z.output<E["payload"]>[]): Promise<void>;
	/** Most events a transaction (500 when absent). */
	batch?: number;
	/** Attempts after which an event is a dead letter (8 when absent). */
	maxDeliver?: number;
	/** Time to finish a delivery before JetStream repeats it (ms, 60,000 when absent). */
	ackWaitMs?: number;
	/** Pause before the next attempt (ms); doubles from 1,000 to 60,000 when absent. */
	retryMs?(attempt: number): number;
}

export interface Reacting extends AsyncDisposable {
	/** Events that this reaction has not finished. */
	backlog(): Promise<number>;
}

/** Starts a reaction, with its stream and durable where they are missing. Closing finishes the batch at hand. */
export async function react<E extends EventShape>(bus: Bus, sql: Sql, reaction: Reaction<E>): Promise<Reacting> {
	const batch = reaction.batch ?? 500;
	const wanted = {
		name: `${reaction.service}-${reaction.name}`,
		event: reaction.event,
		ackWaitMs: reaction.ackWaitMs ?? 60_000,
		// What waits here unacknowledged is the only bound on what is held in memory.
		maxAckPending: batch * 4,
	};
	const durable = await ensureDurable(bus, wanted);
	const stop = new AbortController();
	const deliveries = new Deliveries(bus, sql, reaction);
	const running = (async () => {
		for (let failures = 0; !stop.signal.aborted; failures++) {
			try {
				if (failures > 0) await ensureDurable(bus, wanted);
				await consume(bus, durable, batch, stop.signal, (messages) => deliveries.take(messages));
			} catch (err) {
				if (!stop.signal.aborted) bus.log.warn({ err, reaction: reaction.name }, "a reaction starts again");
			}
			await pause(backoffMs(failures + 1, 250, 5_000), undefined, { signal: stop.signal }).catch(() => {});
		}
	})();
	return {
		backlog: () => backlogOf(bus, durable),
		async [Symbol.asyncDispose]() {
			stop.abort();
			await running;
		},
	};
}

/** Hands over what has arrived, at most `batch` at a time, until the signal fires or the consumer is gone. */
async function consume(
	bus: Bus,
	durable: Durable,
	batch: number,
	signal: AbortSignal,
	take: (messages: JsMsg[]) => Promise<void>,
): Promise<void> {
	const arrived: JsMsg[] = [];
	const wake = new Wake();
	const consumer = await jetstream(bus.nats).consumers.get(durable.stream, durable.name);
	const messages: ConsumerMessages = await consumer.consume({
		max_messages: batch * 2,
		abort_on_missing_resource: true,
		// Also how long the client waits before it looks for a consumer again that it could not reach.
		expires: 5_000,
		callback: (message) => {
			arrived.push(message);
			wake.call();
		},
	});
	const end: { reason?: unknown } = {};
	const stop = () => wake.call();
	signal.addEventListener("abort", stop, { once: true });
	void messages.closed().then((error) => {
		end.reason = error ?? new Error("the consumer was closed");
		wake.call();
	});
	try {
		while (!signal.aborted && end.reason === undefined) {
			if (arrived.length === 0) await wake.sleep(60_000);
			else await take(arrived.splice(0, batch));
		}
	} finally {
		signal.removeEventListener("abort", stop);
		await messages.close();
		// Another replica can have them at once.
		for (const message of arrived) message.nak();
	}
	if (!signal.aborted) throw end.reason;
}

/** One delivery, read. */
interface Delivery<T> {
	message: JsMsg;
	id: string;
	event: T;
}

class Deliveries<E extends EventShape> {
	readonly #bus: Bus;
	readonly #sql: Sql;
	readonly #reaction: Reaction<E>;
	readonly #maxDeliver: number;
	readonly #retryMs: (attempt: number) => number;

	constructor(bus: Bus, sql: Sql, reaction: Reaction<E>) {
		this.#bus = bus;
		this.#sql = sql;
		this.#reaction = reaction;
		this.#maxDeliver = reaction.maxDeliver ?? 8;
		this.#retryMs = reaction.retryMs ?? ((attempt) => backoffMs(attempt, 1_000, 60_000));
	}

	/** What failed in company is tried again alone, so that one bad event cannot take the others with it. Never throws. */
	async take(messages: JsMsg[]): Promise<void> {
		await this.#try(messages.filter((message) => !message.redelivered));
		for (const message of messages.filter(({ redelivered }) => redelivered)) await this.#try([message]);
	}

	async #try(messages: JsMsg[]): Promise<void> {
		const deliveries: Delivery<z.output<E["payload"]>>[] = [];
		for (const message of messages) {
			const read = this.#read(message);
			if (read instanceof Error) await this.#bury(message, `unparseable: ${read.message}`);
			else deliveries.push(read);
		}
		if (deliveries.length === 0) return;
		try {
			const { name } = this.#reaction;
			const fresh = await receiving(name, messages[0]?.headers, "event", () => this.#effect(deliveries));
			for (const { message } of deliveries) message.ack();
			reacted.inc({ reaction: name, outcome: "done" }, fresh);
			reacted.inc({ reaction: name, outcome: "repeated" }, deliveries.length - fresh);
		} catch (error) {
			await this.#retry(deliveries, error);
		}
	}

	#read(message: JsMsg): Delivery<z.output<E["payload"]>> | Error {
		try {
			const event = this.#reaction.event.payload.parse(message.json()) as z.output<E["payload"]> & { id: string };
			return { message, id: event.id, event };
		} catch (error) {
			return error instanceof Error ? error : new Error(String(error));
		}
	}

	/** Answers how many of the events had had no effect before. */
	#effect(deliveries: Delivery<z.output<E["payload"]>>[]): Promise<number> {
		const byId = new Map(deliveries.map(({ id, event }) => [id, event]));
		return this.#sql.begin(async (tx) => {
			const fresh = await receive(tx, this.#reaction.name, [...byId.keys()]);
			if (fresh.size > 0)
				await this.#reaction.handler(
					tx,
					[...byId].flatMap(([id, event]) => (fresh.has(id) ? [event] : [])),
				);
			return fresh.size;
		});
	}

	async #retry(deliveries: Delivery<unknown>[], error: unknown): Promise<void> {
		const { name } = this.#reaction;
		this.#bus.log.error({ err: error, reaction: name, events: deliveries.length }, "a reaction failed");
		for (const { message, id } of deliveries) {
			const attempt = message.info.deliveryCount;
			// Of an event that only met an absent database, nothing bad is known.
			if (attempt >= this.#maxDeliver && !isDatabaseAway(error)) await this.#bury(message, String(error), id);
			else {
				message.nak(this.#retryMs(attempt));
				reacted.inc({ reaction: name, outcome: "retried" });
			}
		}
	}

	/** Puts a delivery away for people to look at, once, and ends it; while the database is away it is kept for later. */
	async #bury(message: JsMsg, reason: string, eventId: string | null = null): Promise<void> {
		const { name } = this.#reaction;
		try {
			await this.#sql.begin(async (tx) => {
				const key = `dead:${message.info.stream}:${message.seq}`;
				if ((await receive(tx, name, [key])).size === 0) return;
				await tx`
					insert into dead_letters (reaction, subject, event_id, payload, reason)
					values (${name}, ${message.subject}, ${eventId}, ${storable(message.string())}, ${storable(reason)})`;
			});
			message.term();
			reacted.inc({ reaction: name, outcome: "dead" });
			this.#bus.log.error({ reaction: name, eventId, subject: message.subject, reason }, "an event is a dead letter");
		} catch (err) {
			this.#bus.log.warn({ err, reaction: name, eventId }, "a dead letter could not be written");
			message.nak(this.#retryMs(message.info.deliveryCount));
		}
	}
}

/** PostgreSQL stores no NUL. */
const storable = (text: string): string => text.replaceAll("\u0000", "\ufffd");
