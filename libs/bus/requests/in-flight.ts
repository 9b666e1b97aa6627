/**
 * The requests that one instance of an owner is working on, for any requester. If a list lacks a request's id, the reply was sent before
 * the list. NATS itself responds for an instance that has ended; one that is busy or stopped does not respond.
 */
import { type Msg, nuid, type Subscription } from "@nats-io/transport-node";
import type { Owner } from "#libs/contract/index.ts";
import type { Bus } from "../connect.ts";
import { hasRequester } from "./wire.ts";

/** Subject of one instance, or of all instances if none is given. No operation has this name. */
export const inFlightSubject = (owner: Owner, instance?: string): string =>
	instance === undefined ? `rpc.${owner}.in-flight` : `rpc.${owner}.in-flight.${instance}`;

/** JSON of the answer. `ids`: as the requesters chose them. */
export interface InFlightAnswer {
	instance: string;
	ids: string[];
}

/** Longest id of a request (characters). */
const longestId = 64;

export class InFlight implements Disposable {
	readonly #instance = nuid.next();
	readonly #ids = new Set<string>();
	readonly #subscriptions: Subscription[];

	constructor(bus: Bus, owner: Owner) {
		const callback = (error: Error | null, message: Msg) => {
			if (error !== null) bus.log.error({ err: error, owner }, "the subscription to requests in flight failed");
			else this.#answer(message);
		};
		this.#subscriptions = [inFlightSubject(owner), inFlightSubject(owner, this.#instance)].map((subject) =>
			bus.nats.subscribe(subject, { callback }),
		);
	}

	/** Requests without an id are not recorded. */
	add(id: string): void {
		if (id !== "" && id.length <= longestId) this.#ids.add(id);
	}

	delete(id: string): void {
		this.#ids.delete(id);
	}

	#answer(message: Msg): void {
		if (!hasRequester(message)) return;
		const answer: InFlightAnswer = { instance: this.#instance, ids: [...this.#ids] };
		message.respond(JSON.stringify(answer));
	}

	/** To be called after the last reply: without this subscription an instance counts as ended. */
	[Symbol.dispose](): void {
		for (const subscription of this.#subscriptions) subscription.unsubscribe();
	}
}
