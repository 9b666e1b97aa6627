/** CloudEvents' binding to NATS, binary mode: each attribute of an event is a header `ce-...`, the payload stays as it is. */
import { cloudEvent, occurredAtIn } from "#libs/contract/cloud-event.ts";
import { openPublishers } from "#libs/contract/event.ts";

/** Of what is published to `subject`; none where the event is not for readers outside. */
export function cloudEventHeaders(subject: string, id: string, payload: string): [name: string, value: string][] {
	const [, first, ...rest] = subject.split(".");
	const publisher = openPublishers.find((owner) => owner === first);
	if (publisher === undefined) return [];
	const attributes = cloudEvent({ publisher, name: rest.join(".") }, { id, occurred_at: occurredAtIn(payload) });
	return Object.entries(attributes).map(([name, value]) => [`ce-${name}`, percentEncoded(value)]);
}

/** The binding's own rule: space, `"`, `%` and what is not printable ASCII. */
const percentEncoded = (value: string): string =>
	value.replace(/[^\x21-\x7e]|["%]/gu, (character) =>
		[...new TextEncoder().encode(character)]
			.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
			.join(""),
	);
