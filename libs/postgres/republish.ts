/** Publishes the current state of aggregates again through the outbox: for a new consumer, a rebuild from zero or a lost stream. */
import { type EventShape, subjectOf } from "#libs/contract/events/event.ts";
import type { Fragment, Transaction } from "./connect.ts";
import { wakeRelay } from "./outbox.ts";
import { currentTraceparent } from "./trace.ts";

/** PostgreSQL channel on which a service receives requests to look for damage in its extracts. */
export const extractsChannel = (schema: string): string => `${schema}_extracts`;

export interface Saying {
	/** Makes the event ids new, so that no inbox drops the events as duplicates. */
	suffix?: string;
	/** Added to the current version. */
	later?: number;
	/** Replaces these parts of the payload. */
	instead?: Record<string, unknown>;
}

/** For each row of `key`, `version` and `body` (the payload without what every event has) an event. @returns how many */
export async function publishCurrent(
	tx: Transaction,
	event: EventShape,
	current: Fragment,
	{ suffix = "", later = 0, instead = {} }: Saying,
): Promise<number> {
	const inserted = await tx`
		insert into outbox (event_id, subject, traceparent, payload)
		select id, ${subjectOf(event)}, ${currentTraceparent()},
			(body || ${JSON.stringify(instead)}::text::jsonb
				|| jsonb_build_object('id', id, 'occurred_at', iso(now()), 'version', version + ${later}))::text
		from (${current}) as current
		cross join lateral (select ${`${event.name}:`}::text || key || ':' || (version + ${later}) || ${suffix}::text as id) named
		order by key`;
	await wakeRelay(tx);
	return inserted.count;
}

/** Options of a run that republishes everything. */
export const again = (): Saying => ({ suffix: `:again:${Date.now()}` });
