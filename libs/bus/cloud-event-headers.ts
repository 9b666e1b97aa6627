/** CloudEvents' binding to NATS, binary mode: each attribute of an event is a header `ce-...`, the payload stays as it is. */

import { cloudEvent, headersOf, textIn } from "#libs/contract/events/cloud-event.ts";
import { type EventShape, subjectOf } from "#libs/contract/events/event.ts";
import { openEvents } from "#libs/contract/index.ts";

const bySubject: ReadonlyMap<string, EventShape> = new Map(
	openEvents.map(({ declared }) => [subjectOf(declared), declared]),
);

/** Headers of an event that is published to `subject`; none where the event is not for readers outside. The payload is not parsed: it is long. */
export function cloudEventHeaders(subject: string, id: string, payload: string): [name: string, value: string][] {
	const declared = bySubject.get(subject);
	if (declared === undefined) return [];
	const fields = ["occurred_at", declared.about].filter((field) => field !== undefined);
	const read = Object.fromEntries(fields.map((field) => [field, textIn(payload, field)]));
	return headersOf(cloudEvent(declared, { ...read, id }));
}
