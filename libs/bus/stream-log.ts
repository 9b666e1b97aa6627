/**
 * A publisher's stream as a log that is read from any place. Messages are asked for by their numbers: a consumer takes the right to have
 * the server put what is read anywhere.
 */
import { type JetStreamManager, jetstreamManager, type MsgRequest, type StoredMsg } from "@nats-io/jetstream";
import { streamOf } from "#libs/contract/events/event.ts";
import type { Owner } from "#libs/contract/index.ts";
import type { Bus } from "./connect.ts";
import { unlessMissing } from "./topology.ts";
import { busUnavailable } from "./wire.ts";

export interface LoggedEvent {
	seq: number;
	subject: string;
	/** As it was published: JSON. */
	text: string;
}

export interface StreamLog {
	/** Number of the newest message; 0 of an empty stream, and of one that its publisher has not made yet. */
	head(): Promise<number>;
	/** The next messages after a number, in order; none where it is the newest. What the stream does not keep any more is passed over. */
	after(seq: number): Promise<LoggedEvent[]>;
}

/** The client's types lack the combination of the two. */
type Which = MsgRequest & { seq?: number; next_by_subj?: string };

/** Messages that are asked for at once. */
const window = 64;
const requestMs = 5_000;

export function streamLog(bus: Bus, publisher: Owner): StreamLog {
	const stream = streamOf(publisher);
	const everySubject = `event.${publisher}.>`;

	async function get(manager: JetStreamManager, which: Which): Promise<StoredMsg | undefined> {
		if (!bus.connected) throw busUnavailable();
		return (await unlessMissing(manager.streams.getMessage(stream, which))) ?? undefined;
	}
	const manager = () => jetstreamManager(bus.nats, { checkAPI: false, timeout: requestMs });
	const headOf = async (asked: JetStreamManager) => (await get(asked, { last_by_subj: everySubject }))?.seq ?? 0;

	return {
		head: async () => headOf(await manager()),
		async after(seq) {
			const asked = await manager();
			const head = await headOf(asked);
			if (head <= seq) return [];
			const first = await get(asked, { seq: seq + 1, next_by_subj: everySubject });
			if (first === undefined) return [];
			const more = Math.max(0, Math.min(head - first.seq, window - 1));
			const rest = await Promise.all(Array.from({ length: more }, (_, at) => get(asked, { seq: first.seq + 1 + at })));
			return [first, ...rest].flatMap((message) =>
				message === undefined ? [] : [{ seq: message.seq, subject: message.subject, text: message.string() }],
			);
		},
	};
}
