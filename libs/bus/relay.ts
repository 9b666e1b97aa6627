/** Sends what has committed: outbox rows to JetStream, in the order of their ids, each once. */
import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "#libs/postgres/connect.ts";
import { type Lock, waitForLock } from "#libs/postgres/lock.ts";
import { outboxChannel } from "#libs/postgres/outbox.ts";
import type { Bus } from "./connect.ts";
import { type Incident, incidentOf } from "./incident.ts";
import { relayed, relays } from "./metrics.ts";
import { isOutOfOrder, type Outgoing, publishInOrder } from "./publish.ts";
import { backoffMs, Wake } from "./wake.ts";

export interface RelayOptions {
	/** Rows sent at once (500 when absent). */
	batch?: number;
	/** How often to look without having been woken (ms, 5,000 when absent). */
	pollMs?: number;
	/** How often a replica that waits asks for the lock (ms, 1,000 when absent). */
	takeoverMs?: number;
	/** How long to wait for an acknowledgement (ms, 5,000 when absent). */
	ackTimeoutMs?: number;
	/** Makes the stream where it is gone: called when nothing of a batch was acknowledged. When absent, it is not made. */
	ensureStream?(): Promise<void>;
}

export interface Relay extends AsyncDisposable {
	/** Rows that no acknowledgement has removed yet. */
	pending(): Promise<number>;
	/** Whether this replica is the one that sends. */
	readonly active: boolean;
}

interface Row extends Outgoing {
	id: number;
}

/** Room for the subject and headers beside a payload (bytes). */
const headroom = 4_096;

/**
 * Relays the outbox of `schema` until disposed. One replica at a time does; the others wait and take over. What goes wrong is logged
 * and tried again. A row too long for NATS is put into `dead_letters`, or it would stop all that come after it.
 */
export function relay(bus: Bus, sql: Sql, schema: string, options: RelayOptions = {}): Relay {
	return new OutboxRelay(bus, sql, schema, {
		batch: options.batch ?? 500,
		pollMs: options.pollMs ?? 5_000,
		takeoverMs: options.takeoverMs ?? 1_000,
		ackTimeoutMs: options.ackTimeoutMs ?? 5_000,
		ensureStream: options.ensureStream ?? (async () => {}),
	});
}

class OutboxRelay implements Relay {
	readonly #bus: Bus;
	readonly #sql: Sql;
	readonly #schema: string;
	readonly #options: Required<RelayOptions>;
	readonly #stop = new AbortController();
	readonly #wake = new Wake();
	readonly #running: Promise<void>;
	/** The database is away, or the lock is lost. */
	readonly #unable: Incident;
	/** NATS is away, or refuses. */
	readonly #unacknowledged: Incident;
	#active = false;

	constructor(bus: Bus, sql: Sql, schema: string, options: Required<RelayOptions>) {
		this.#bus = bus;
		this.#sql = sql;
		this.#schema = schema;
		this.#options = options;
		const said = { log: bus.log, fields: { schema } };
		this.#unable = incidentOf({ ...said, message: "the relay starts again", closed: "the relay goes on" });
		const message = "events are not acknowledged";
		this.#unacknowledged = incidentOf({ ...said, message, closed: "events are acknowledged again" });
		relays.add(this);
		this.#running = this.#run();
	}

	get active(): boolean {
		return this.#active;
	}

	get schema(): string {
		return this.#schema;
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
		// postgres.js listens again after a lost connection, also after a first attempt that failed.
		const listening = this.#sql.listen(outboxChannel(this.#schema), wake, wake).catch(() => undefined);
		for (let failures = 0; !signal.aborted; failures++) {
			try {
				await using lock = await waitForLock(this.#sql, `relay:${this.#schema}`, signal, this.#options.takeoverMs);
				this.#active = true;
				failures = 0;
				await this.#relayWhile(lock);
			} catch (error) {
				if (!signal.aborted) this.#unable.open(error);
			} finally {
				this.#active = false;
			}
			await pause(backoffMs(failures + 1, 100, 5_000), undefined, { signal }).catch(() => {});
		}
		await (await listening)?.unlisten().catch(() => {});
	}

	async #relayWhile(lock: Lock): Promise<void> {
		let failures = 0;
		const gone = () => this.#wake.call();
		lock.lost.addEventListener("abort", gone, { once: true });
		while (!this.#stop.signal.aborted) {
			lock.lost.throwIfAborted();
			const rows = await this.#read(lock.sql);
			this.#unable.close();
			if (rows.length === 0) {
				await this.#wake.sleep(this.#options.pollMs);
				continue;
			}
			const progress = await this.#send(lock.sql, rows);
			// NATS that came back without its files takes events only once their stream is made, and no other process may be there to make it.
			if (!progress) await this.#options.ensureStream().catch((error) => this.#unacknowledged.open(error));
			failures = progress ? 0 : failures + 1;
			if (failures > 0) await this.#wake.sleep(backoffMs(failures, 100, 5_000));
		}
	}

	#read(sql: Sql): Promise<Row[]> {
		return sql<Row[]>`
			select id, event_id as "eventId", subject, payload, traceparent
			from outbox order by id limit ${this.#options.batch}`;
	}

	/** Answers whether at least one row left the outbox. */
	async #send(sql: Sql, rows: Row[]): Promise<boolean> {
		const longest = (this.#bus.nats.info?.max_payload ?? 1024 ** 2) - headroom;
		const tooLong = rows.find((row) => Buffer.byteLength(row.payload) > longest);
		if (tooLong !== undefined && tooLong === rows[0]) return this.#setAside(sql, tooLong, longest);
		const sendable = tooLong === undefined ? rows : rows.slice(0, rows.indexOf(tooLong));
		const { acknowledged, error } = await publishInOrder(this.#bus, sendable, this.#options.ackTimeoutMs);
		if (error !== undefined && !isOutOfOrder(error)) this.#unacknowledged.open(error);
		if (acknowledged.length === 0) return false;
		if (error === undefined) this.#unacknowledged.close();
		await sql`delete from outbox where id = any(${acknowledged.map((row) => row.id)}::bigint[])`;
		relayed.inc({ schema: this.#schema }, acknowledged.length);
		return true;
	}

	async #setAside(sql: Sql, row: Row, longest: number): Promise<true> {
		const reason = `the payload is longer than ${longest} bytes`;
		await sql`
			with gone as (delete from outbox where id = ${row.id} returning subject, event_id, payload)
			insert into dead_letters (reaction, subject, event_id, payload, reason)
			select 'relay', subject, event_id, payload, ${reason} from gone`;
		this.#bus.log.error({ schema: this.#schema, eventId: row.eventId }, `an event was set aside: ${reason}`);
		return true;
	}
}
