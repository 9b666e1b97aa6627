/** Whether JetStream answers for all that it keeps. Greetings and pings say nothing of that: a stream can hang while its server is well. */
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";

export interface StreamsAsked {
	url: string;
	/** May list streams: `operator`. */
	user: string;
	password: string;
	/** For the connection, and for the answer (ms, 5,000 when absent). */
	withinMs?: number;
}

/** Asks over a connection of its own: the server reads no more from one that has asked for a stream that hangs. Never throws. */
export async function streamsAnswer({ url, user, password, withinMs = 5_000 }: StreamsAsked): Promise<boolean> {
	const options = { servers: url, user, pass: password, name: user, inboxPrefix: `_INBOX.${user}` };
	try {
		const nats = await connect({ ...options, reconnect: false, timeout: withinMs });
		try {
			const manager = await jetstreamManager(nats, { checkAPI: false, timeout: withinMs });
			// The server looks into each for its state.
			for await (const _ of manager.streams.list());
			return true;
		} finally {
			await nats.close();
		}
	} catch {
		return false;
	}
}
