/** Checks that JetStream responds for each stream: one can hang while its server responds to pings. */
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";

export interface CheckStreamsOptions {
	url: string;
	/** May list streams: `operator`. */
	user: string;
	password: string;
	/** Time limit of the connection, and of the response (ms, 5,000 when absent). */
	withinMs?: number;
}

/** Uses a separate connection: the server stops reading from one that has requested a stream that hangs. Never throws. */
export async function streamsAnswer({ url, user, password, withinMs = 5_000 }: CheckStreamsOptions): Promise<boolean> {
	const options = { servers: url, user, pass: password, name: user, inboxPrefix: `_INBOX.${user}` };
	try {
		const nats = await connect({ ...options, reconnect: false, timeout: withinMs });
		try {
			const manager = await jetstreamManager(nats, { checkAPI: false, timeout: withinMs });
			// To list the streams, the server reads the state of each.
			for await (const _ of manager.streams.list());
			return true;
		} finally {
			await nats.close();
		}
	} catch {
		return false;
	}
}
