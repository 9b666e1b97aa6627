/** Handlers of an owner of which a test has some. */
import { shapeOf } from "#libs/bus/requests/wire.ts";
import { notFound } from "#libs/contract/errors.ts";
import { type Handlers, ownedBy } from "#libs/contract/index.ts";

/** Everything else is 404. */
export function withDefaults<O extends "queue-ingest" | "scoring" | "query" | "subscriptions">(
	owner: O,
	some: Partial<Handlers<O>>,
): Handlers<O> {
	const nothing = notFound("the test answers nothing here");
	const unanswered = async () => {
		throw nothing;
	};
	// A stream is read, not awaited: a promise that is rejected here would be handled by none.
	const unstreamed = () => ({ [Symbol.asyncIterator]: () => ({ next: unanswered }) });
	const all = Object.fromEntries(
		ownedBy(owner).map((name) => [name, shapeOf(name).streamed === true ? unstreamed : unanswered]),
	);
	return { ...all, ...some } as unknown as Handlers<O>;
}
