/** Streams of what a publisher announces: the numbers are those of its stream at JetStream, which is the log, too. */
import type { Bus } from "#libs/bus/connect.ts";
import { type LoggedEvent, streamLog } from "#libs/bus/stream-log.ts";
import { watchSubjects } from "#libs/bus/watch-subjects.ts";
import { type EventShape, subjectOf } from "#libs/contract/event.ts";
import type { Logger } from "#libs/service/logger.ts";
import { type Channel, eventText } from "./channel.ts";
import { Feed, type Source } from "./feed.ts";

/** An event of one of the shapes. */
export interface Published<E> {
	readonly seq: number;
	readonly name: string;
	readonly event: E;
	readonly bytes: Buffer;
}

/** A message arrives before JetStream has stored it: then the stream is read once more (ms). */
const againMs = 200;

/** `E`: the payloads of `shapes`, which are all of one publisher. */
export function publishedChannel<P, E>(
	bus: Bus,
	log: Logger,
	shapes: readonly EventShape[],
	chooses: (params: P) => (name: string, event: E) => boolean,
): Channel<P, Published<E>> {
	const [{ publisher } = { publisher: "gateway" as const }] = shapes;
	const names = new Map(shapes.map((shape) => [subjectOf(shape), shape.name]));
	const stream = streamLog(bus, publisher);
	const after = async (seq: number) => {
		const found = await stream.after(seq);
		const items = found.flatMap((message) => published<E>(names.get(message.subject), message));
		return { items, next: found.at(-1)?.seq ?? seq };
	};
	const source: Source<Published<E>> = {
		name: publisher,
		head: () => stream.head(),
		after,
		watch(onMore) {
			let again: NodeJS.Timeout | undefined;
			const watching = watchSubjects(bus, [...names.keys()], () => {
				onMore();
				clearTimeout(again);
				again = setTimeout(onMore, againMs);
			});
			return {
				[Symbol.dispose]() {
					clearTimeout(again);
					watching[Symbol.dispose]();
				},
			};
		},
	};
	return {
		feed: new Feed(source, log),
		past: after,
		chooses(params) {
			const isChosen = chooses(params);
			return ({ name, event }) => isChosen(name, event);
		},
		bytesOf: () => (item) => item.bytes,
		noticeOf: ({ seq, name }) => Buffer.from(eventText(seq, name, "null")),
	};
}

function published<E>(name: string | undefined, { seq, text }: LoggedEvent): Published<E>[] {
	if (name === undefined) return [];
	const event = JSON.parse(text) as E;
	// Written anew: what PostgreSQL wrote can have lines.
	return [{ seq, name, event, bytes: Buffer.from(eventText(seq, name, JSON.stringify(event))) }];
}
