/**
 * Reads a publisher's stream as a log, from any position. Messages are requested by sequence number, not through a consumer, which would
 * need permission to make the server publish to any subject.
 */
import type { JetStreamManager, MsgRequest, StoredMsg } from "@nats-io/jetstream";
import { streamOf } from "#libs/contract/events/event.ts";
import type { Owner } from "#libs/contract/index.ts";
import type { Bus } from "../connect.ts";
import { managerOf, unlessMissing } from "../jetstream.ts";
import { busUnavailable } from "../requests/wire.ts";

export interface LoggedEvent {
	seq: number;
	subject: string;
	text: string;
}

export interface StreamLog {
	/** Number of the newest message; 0 if the stream is empty or does not exist yet. */
	head(): Promise<number>;
	/** The next messages after `seq`, in order; empty if `seq` is the newest. Deleted messages are skipped. */
	after(seq: number): Promise<LoggedEvent[]>;
}

/** The client's types do not allow `seq` and `next_by_subj` together. */
type MessageSelector = MsgRequest & { seq?: number; next_by_subj?: string };

const requestsAtOnce = 64;
const requestTimeoutMs = 5_000;

export function streamLog(bus: Bus, publisher: Owner): StreamLog {
	const stream = streamOf(publisher);
	const everySubject = `event.${publisher}.>`;

	async function get(manager: JetStreamManager, selector: MessageSelector): Promise<StoredMsg | undefined> {
		if (!bus.connected) throw busUnavailable();
		return await unlessMissing(manager.streams.getMessage(stream, selector));
	}
	const manager = () => managerOf(bus, { timeout: requestTimeoutMs });
	const headOf = async (jetstream: JetStreamManager) =>
		(await get(jetstream, { last_by_subj: everySubject }))?.seq ?? 0;

	return {
		head: async () => headOf(await manager()),
		async after(seq) {
			const jetstream = await manager();
			const head = await headOf(jetstream);
			if (head <= seq) return [];
			const first = await get(jetstream, { seq: seq + 1, next_by_subj: everySubject });
			if (first === undefined) return [];
			const moreCount = Math.max(0, Math.min(head - first.seq, requestsAtOnce - 1));
			const rest = await Promise.all(
				Array.from({ length: moreCount }, (_, at) => get(jetstream, { seq: first.seq + 1 + at })),
			);
			return [first, ...rest].flatMap((message) =>
				message === undefined ? [] : [{ seq: message.seq, subject: message.subject, text: message.string() }],
			);
		},
	};
}
