/**
 * Lists the requests that one instance of an owner is processing, for any requester. If a request's ID is not in the list, its reply was sent
 * before the list. If the instance has ended, NATS responds instead of it; an instance that is busy or suspended does not respond.
 */
import { type Msg, nuid, type Subscription } from "@nats-io/transport-node";
import type { Owner } from "#libs/contract/index.ts";
import type { Bus } from "../connect.ts";
import { hasRequester } from "./wire.ts";

/** Subject of one instance, or of all instances if none is given. No operation has this name. */
export const inFlightSubject = (owner: Owner, instance?: string): string =>
	instance === undefined ? `rpc.${owner}.in-flight` : `rpc.${owner}.in-flight.${instance}`;

/** The response, as JSON. `ids` are those that the requesters chose. */
export interface InFlightResponse {
	instance: string;
	ids: string[];
}

const maxIdCharacters = 64;

export class InFlight implements Disposable {
	readonly #instance = nuid.next();
	readonly #ids = new Set<string>();
	readonly #subscriptions: Subscription[];

	constructor(bus: Bus, owner: Owner) {
		const callback = (error: Error | null, message: Msg) => {
			if (error !== null) bus.log.error({ err: error, owner }, "the subscription to requests in flight failed");
			else this.#respond(message);
		};
		this.#subscriptions = [inFlightSubject(owner), inFlightSubject(owner, this.#instance)].map((subject) =>
			bus.nats.subscribe(subject, { callback }),
		);
	}

	/** Requests without an id are not recorded. */
	add(id: string): void {
		if (id !== "" && id.length <= maxIdCharacters) this.#ids.add(id);
	}

	delete(id: string): void {
		this.#ids.delete(id);
	}

	#respond(message: Msg): void {
		if (!hasRequester(message)) return;
		const response: InFlightResponse = { instance: this.#instance, ids: [...this.#ids] };
		message.respond(JSON.stringify(response));
	}

	/** Call this after the last reply: requesters consider an instance without this subscription as ended. */
	[Symbol.dispose](): void {
		for (const subscription of this.#subscriptions) subscription.unsubscribe();
	}
}
