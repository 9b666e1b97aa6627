/**
 * Transactional outbox: events are inserted in the caller's transaction, and the relay in `libs/bus` publishes them after the commit. The
 * current state of all rows can be republished for a new consumer, for a rebuild from scratch, or after the loss of a stream.
 */
import type { z } from "zod";
import { type EventShape, subjectOf } from "#libs/contract/events/event.ts";
import type { Fragment, Transaction } from "../connect.ts";
import { currentTraceparent } from "../trace.ts";

/** PostgreSQL channel on which a commit with new outbox rows wakes the relay of `schema`. */
export const outboxChannel = (schema: string): string => `${schema}_outbox`;

/** Inserts one event into the outbox in the caller's transaction. For many events, use one `insert … select` overrides. */
export const publish = <E extends EventShape>(
	tx: Transaction,
	event: E,
	payload: z.input<E["payload"]> & { id: string },
): Promise<void> => publishAll(tx, event, [payload]);

/** Inserts events into the outbox in the caller's transaction, in their order. */
export async function publishAll<E extends EventShape>(
	tx: Transaction,
	event: E,
	payloads: readonly (z.input<E["payload"]> & { id: string })[],
): Promise<void> {
	if (payloads.length === 0) return;
	const ids = payloads.map(({ id }) => id);
	const texts = payloads.map((payload) => JSON.stringify(event.payload.parse(payload)));
	await tx`
		insert into outbox (event_id, subject, payload, traceparent)
		select id, ${subjectOf(event)}, payload, ${currentTraceparent()}
		from unnest(${ids}::text[], ${texts}::text[]) with ordinality as e (id, payload, place) order by place`;
	await wakeRelay(tx);
}

/** Wakes the relay at commit. Call it once, after the last insert into the outbox. */
export async function wakeRelay(tx: Transaction): Promise<void> {
	await tx`select pg_notify(current_schema() || '_outbox', '')`;
}

/** PostgreSQL channel on which a service receives requests to check its extracts for damage. */
export const extractsChannel = (schema: string): string => `${schema}_extracts`;

export interface PublishOptions {
	/** Makes the event IDs new, so that no inbox drops the events as duplicates. */
	suffix?: string;
	/** Number added to the rows' versions. */
	versionOffset?: number;
	/** Fields that replace those of the payload. */
	overrides?: Record<string, unknown>;
}

/**
 * Publishes an event for each row of `current`, which has the columns `key`, `version` and `body` (the payload without the fields that every
 * event has). Returns the number of events.
 */
export async function publishCurrent(
	tx: Transaction,
	event: EventShape,
	current: Fragment,
	{ suffix = "", versionOffset = 0, overrides = {} }: PublishOptions,
): Promise<number> {
	const inserted = await tx`
		insert into outbox (event_id, subject, traceparent, payload)
		select id, ${subjectOf(event)}, ${currentTraceparent()},
			(body || ${JSON.stringify(overrides)}::text::jsonb
				|| jsonb_build_object('id', id, 'occurred_at', iso(now()), 'version', version + ${versionOffset}))::text
		from (${current}) as current
		cross join lateral (select ${`${event.name}:`}::text || key || ':' || (version + ${versionOffset}) || ${suffix}::text as id) named
		order by key`;
	await wakeRelay(tx);
	return inserted.count;
}
