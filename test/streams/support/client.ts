/** A client of server-sent events: the library that others use, with what it has received. */
import { createEventSource, type EventSourceClient } from "eventsource-client";

export interface Received {
	id: number;
	event: string;
	data: Record<string, unknown>;
}

export interface Client extends Disposable {
	received: Received[];
	/** Ids, in the order of their arrival. */
	ids(): number[];
	/** Connections so far that were answered. */
	opened: number;
	source: EventSourceClient;
}

export interface ClientOptions {
	key?: string;
	lastEventId?: string;
	headers?: Record<string, string>;
	/** Called before each connection: where the server is by now. */
	urlNow?: () => string;
}

/** Connects, and again where the connection is lost. */
export function follow(url: string, { key, lastEventId, headers = {}, urlNow }: ClientOptions = {}): Client {
	const client: Client = {
		received: [],
		ids: () => client.received.map(({ id }) => id),
		opened: 0,
		source: createEventSource({
			url,
			headers: { ...(key !== undefined && { "x-api-key": key }), ...headers },
			...(lastEventId !== undefined && { initialLastEventId: lastEventId }),
			fetch: (address, init) => fetch(urlNow?.() ?? address, init as RequestInit),
			onConnect: () => client.opened++,
			onMessage: ({ id, event, data }) =>
				void client.received.push({ id: Number(id), event: event ?? "message", data: JSON.parse(data) }),
		}),
		[Symbol.dispose]: () => client.source.close(),
	};
	return client;
}
