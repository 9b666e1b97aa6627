/** Publishes committed outbox rows to JetStream, in the order of their ids, each once. */
import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "#libs/postgres/connect.ts";
import { outboxChannel } from "#libs/postgres/events/outbox.ts";
import { type Lock, waitForLock } from "#libs/postgres/lock.ts";
import type { Bus } from "../connect.ts";
import { type Incident, incidentOf } from "../incident.ts";
import { relayedTotal, relays } from "../metrics.ts";
import { backoffMs, Wake } from "../wake.ts";
import { isOutOfOrder, type Outcome, type Outgoing, publishBatch } from "./publish.ts";
import { lastSequence } from "./topology.ts";

export interface RelayOptions {
	/** Rows of one batch (500 when absent). */
	batch?: number;
	/** How often the outbox is read without a notification (ms, 5,000 when absent). */
	pollMs?: number;
	/** How often a waiting replica tries to take the lock (ms, 1,000 when absent). */
	takeoverMs?: number;
	/** Longest wait for an acknowledgement, or for the stream's last sequence number (ms, 5,000 when absent). */
	ackTimeoutMs?: number;
	/** Creates the stream if it is missing. Called if no message of a batch was acknowledged, or NATS did not respond. */
	ensureStream?(): Promise<void>;
}

export interface Relay extends AsyncDisposable {
	/** Rows that are not acknowledged yet. */
	pending(): Promise<number>;
	/** Whether this replica holds the lock and publishes. */
	readonly active: boolean;
}

interface Row extends Outgoing {
	id: number;
}

/** Reserved for a message's subject and headers (bytes). */
const headroomBytes = 4_096;

/**
 * How long an acknowledged event is retained to be published again: longer than JetStream's interval between syncs to disk, which is two
 * minutes by default.
 */
const retainMinutes = 10;
/** Maximum expired events deleted at once while no row is pending. */
const maxDeleted = 5_000;

/**
 * Relays the outbox of `schema` until disposed, in one replica at a time; the others wait for its lock. Failures are logged and retried. A
 * row too long for NATS is moved to `dead_letters`, because it would block all later rows. Events that the stream acknowledged and then lost
 * (in a power cut) are published again.
 */
export function relay(bus: Bus, sql: Sql, schema: string, options: RelayOptions = {}): Relay {
	const defaults = { batch: 500, pollMs: 5_000, takeoverMs: 1_000, ackTimeoutMs: 5_000, ensureStream: async () => {} };
	return new OutboxRelay(bus, sql, schema, { ...defaults, ...options });
}

class OutboxRelay implements Relay {
	readonly #bus: Bus;
	readonly #sql: Sql;
	readonly schema: string;
	readonly #options: Required<RelayOptions>;
	readonly #stop = new AbortController();
	readonly #wake = new Wake();
	readonly #running: Promise<void>;
	readonly #relayIncident: Incident;
	readonly #ackIncident: Incident;
	readonly #streamIncident: Incident;
	active = false;
	/** Sequence number of the stream's newest event; undefined if the stream must first be compared with `published_events`. */
	#last: number | undefined;

	constructor(bus: Bus, sql: Sql, schema: string, options: Required<RelayOptions>) {
		this.#bus = bus;
		this.#sql = sql;
		this.schema = schema;
		this.#options = options;
		const shared = { log: bus.log, fields: { schema } };
		this.#relayIncident = incidentOf({
			...shared,
			message: "the event relay stopped with an error and will be restarted",
			closed: "the relay has resumed",
		});
		const message = "events are not acknowledged";
		this.#ackIncident = incidentOf({ ...shared, message, closed: "events are acknowledged again" });
		const unresponsive = "the stream does not respond";
		this.#streamIncident = incidentOf({ ...shared, message: unresponsive, closed: "the stream responds again" });
		relays.add(this);
		this.#running = this.#run();
	}

	async pending(): Promise<number> {
		const [row] = await this.#sql<{ count: number }[]>`select count(*) from outbox`;
		return row?.count ?? 0;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		relays.delete(this);
		this.#stop.abort();
		this.#wake.call();
		await this.#running;
	}

	async #run(): Promise<void> {
		const { signal } = this.#stop;
		const wake = () => this.#wake.call();
		// postgres.js resumes listening after a lost connection, even if the first attempt failed.
		const listening = this.#sql.listen(outboxChannel(this.schema), wake, wake).catch(() => undefined);
		for (let failures = 0; !signal.aborted; failures++) {
			try {
				await using lock = await waitForLock(this.#sql, `relay:${this.schema}`, signal, this.#options.takeoverMs);
				this.active = true;
				this.#last = undefined;
				failures = 0;
				await this.#relayWhile(lock);
			} catch (error) {
				if (!signal.aborted) this.#relayIncident.open(error);
			} finally {
				this.active = false;
			}
			await pause(backoffMs(failures + 1, 100, 5_000), undefined, { signal }).catch(() => {});
		}
		await (await listening)?.unlisten().catch(() => {});
	}

	async #relayWhile(lock: Lock): Promise<void> {
		let failures = 0;
		const wakeUp = () => this.#wake.call();
		lock.lost.addEventListener("abort", wakeUp, { once: true });
		while (!this.#stop.signal.aborted) {
			lock.lost.throwIfAborted();
			const done = await this.#relaySome(lock.sql);
			if (done === "failure") {
				// If NATS has lost its files, the stream is missing, and possibly no other process that would create it is running.
				await this.#options.ensureStream().catch((error) => this.#ackIncident.open(error));
				await this.#wake.sleep(backoffMs(++failures, 100, 5_000));
			} else {
				failures = 0;
				if (done === "nothing" && !(await this.#wake.sleep(this.#options.pollMs))) this.#last = undefined;
			}
		}
	}

	async #relaySome(sql: Sql): Promise<"progress" | "nothing" | "failure"> {
		this.#last ??= await this.#compare(sql);
		if (this.#last === undefined) return "failure";
		const rows = await this.#read(sql);
		this.#relayIncident.close();
		if (rows.length > 0) return (await this.#send(sql, rows, this.#last)) ? "progress" : "failure";
		return (await this.#deleteExpired(sql, maxDeleted)) === maxDeleted ? "progress" : "nothing";
	}

	/**
	 * Puts events that the stream has lost back into the outbox, before all others and in stream order, so that each gets its old sequence
	 * number again: consumers that have passed this number would miss any other event with it. Returns the stream's last sequence number, or
	 * undefined if NATS does not respond.
	 */
	async #compare(sql: Sql): Promise<number | undefined> {
		let last: number;
		try {
			last = await lastSequence(this.#bus, this.schema.toUpperCase(), this.#options.ackTimeoutMs);
			this.#streamIncident.close();
		} catch (error) {
			// The connection logs its own loss.
			if (this.#bus.connected) this.#streamIncident.open(error);
			return undefined;
		}
		// IDs below 1, because a transaction in progress may hold any higher ID.
		const lost = await sql`
			with lost as (delete from published_events where seq > ${last} returning *)
			insert into outbox (id, event_id, subject, payload, traceparent) overriding system value
			select (select least(min(id), 1) from outbox) - row_number() over (order by seq desc), event_id, subject, payload, traceparent
			from lost`;
		const fields = { schema: this.schema, events: lost.count };
		if (lost.count > 0)
			this.#bus.log.warn(fields, "JetStream lost events that it had acknowledged: they are published again");
		return last;
	}

	#read(sql: Sql): Promise<Row[]> {
		return sql<Row[]>`
			select id, event_id as "eventId", subject, payload, traceparent
			from outbox order by id limit ${this.#options.batch}`;
	}

	/** Returns whether at least one row was removed from the outbox. */
	async #send(sql: Sql, rows: Row[], last: number): Promise<boolean> {
		const maxPayloadBytes = (this.#bus.nats.info?.max_payload ?? 1024 ** 2) - headroomBytes;
		const tooLong = rows.find((row) => Buffer.byteLength(row.payload) > maxPayloadBytes);
		if (tooLong !== undefined && tooLong === rows[0]) return this.#deadLetter(sql, tooLong, maxPayloadBytes);
		const sendable = tooLong === undefined ? rows : rows.slice(0, rows.indexOf(tooLong));
		const { acknowledged, error } = await publishBatch(this.#bus, sendable, this.#options.ackTimeoutMs, last);
		if (error !== undefined && !isOutOfOrder(error)) this.#ackIncident.open(error);
		this.#last = error === undefined ? Math.max(last, ...acknowledged.map(({ seq }) => seq)) : undefined;
		if (acknowledged.length === 0) return false;
		if (error === undefined) this.#ackIncident.close();
		await this.#retain(sql, acknowledged);
		relayedTotal.inc({ schema: this.schema }, acknowledged.length);
		return true;
	}

	async #retain(sql: Sql, acknowledged: Outcome<Row>["acknowledged"]): Promise<void> {
		const ids = acknowledged.map(({ message }) => message.id);
		await sql`
			with relayed as (
				delete from outbox o using unnest(${ids}::bigint[], ${acknowledged.map(({ seq }) => seq)}::bigint[]) as a (id, seq)
				where o.id = a.id returning a.seq, event_id, subject, payload, traceparent)
			insert into published_events (seq, event_id, subject, payload, traceparent) select * from relayed
			on conflict (seq) do nothing`;
		await this.#deleteExpired(sql, 2 * acknowledged.length);
	}

	/** Deletes the expired events among the oldest `maxRows`. Returns the number deleted. */
	async #deleteExpired(sql: Sql, maxRows: number): Promise<number> {
		// Rows dated in the future were written before the clock was set back.
		const retained = sql`make_interval(mins => ${retainMinutes})`;
		const deleted = await sql`
			delete from published_events where seq in (
				select seq from (select seq, published_at from published_events order by seq limit ${maxRows}) oldest
				where published_at not between now() - ${retained} and now() + ${retained})`;
		return deleted.count;
	}

	async #deadLetter(sql: Sql, row: Row, maxPayloadBytes: number): Promise<true> {
		const reason = `the payload is longer than ${maxPayloadBytes} bytes`;
		await sql`
			with gone as (delete from outbox where id = ${row.id} returning subject, event_id, payload)
			insert into dead_letters (reaction, subject, event_id, payload, reason)
			select 'relay', subject, event_id, payload, ${reason} from gone`;
		this.#bus.log.error({ schema: this.schema, eventId: row.eventId }, `an event became a dead letter: ${reason}`);
		return true;
	}
}
