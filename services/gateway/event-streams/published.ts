/** Streams of published events (scores, signals). The publisher's JetStream stream numbers the events and is their log. */

import type { z } from "zod";
import type { Bus } from "#libs/bus/connect.ts";
import { type LoggedEvent, streamLog } from "#libs/bus/events/stream-log.ts";
import { watchSubjects } from "#libs/bus/plain-messages.ts";
import { type EventShape, subjectOf } from "#libs/contract/events/event.ts";
import { type Events, events, type Params } from "#libs/contract/index.ts";
import type { Logger } from "#libs/service/logger.ts";
import { type Channel, eventText, Feed, type Source } from "./feed.ts";

export interface Published<E> {
	readonly seq: number;
	readonly name: string;
	readonly event: E;
	readonly bytes: Buffer;
}

/** A message can arrive before JetStream has stored it, so the stream is read again after this time. */
const rereadMs = 200;

/** Creates a channel of the events that `shapes` declares. They all have one publisher, and payloads of the type `E`. */
function publishedChannel<P, E>(
	bus: Bus,
	log: Logger,
	shapes: readonly EventShape[],
	filterFor: (params: P) => (name: string, event: E) => boolean,
): Channel<P, Published<E>> {
	const [{ publisher } = { publisher: "gateway" as const }] = shapes;
	const names = new Map(shapes.map((shape) => [subjectOf(shape), shape.name]));
	const stream = streamLog(bus, publisher);
	const after = async (seq: number) => {
		const messages = await stream.after(seq);
		const items = messages.flatMap((message) => toPublished<E>(names.get(message.subject), message));
		return { items, next: messages.at(-1)?.seq ?? seq };
	};
	const source: Source<Published<E>> = {
		name: publisher,
		head: () => stream.head(),
		after,
		watch(onMore) {
			let reread: NodeJS.Timeout | undefined;
			const watching = watchSubjects(bus, [...names.keys()], () => {
				onMore();
				clearTimeout(reread);
				reread = setTimeout(onMore, rereadMs);
			});
			return {
				[Symbol.dispose]() {
					clearTimeout(reread);
					watching[Symbol.dispose]();
				},
			};
		},
	};
	return {
		feed: new Feed(source, log),
		readAfter: after,
		filterFor(params) {
			const matches = filterFor(params);
			return ({ name, event }) => matches(name, event);
		},
		bytesOf: () => (item) => item.bytes,
		noticeOf: ({ seq, name }) => Buffer.from(eventText(seq, name, "null")),
	};
}

function toPublished<E>(name: string | undefined, { seq, text }: LoggedEvent): Published<E>[] {
	if (name === undefined) return [];
	const event = JSON.parse(text) as E;
	// Serialized again, because PostgreSQL's JSON can contain line breaks.
	return [{ seq, name, event, bytes: Buffer.from(eventText(seq, name, JSON.stringify(event))) }];
}

type Scored = z.output<Events["projectScored"]["payload"]>;

export const scoreStream = (bus: Bus, log: Logger) =>
	publishedChannel<Params<"streamScores">, Scored>(bus, log, [events.projectScored], (params) => {
		const { id, min_score = Number.NEGATIVE_INFINITY, investable, grade } = params;
		const ids = id && new Set(id);
		return (_name, scored) =>
			(ids === undefined || ids.has(scored.project_id)) &&
			(params.min_score === undefined || (scored.investability_score ?? Number.NEGATIVE_INFINITY) >= min_score) &&
			(investable === undefined || scored.investable === investable) &&
			(grade === undefined || (scored.grade !== null && grade.includes(scored.grade)));
	});

type Payload<N extends keyof Events> = z.output<Events[N]["payload"]>;
type Signal =
	| Payload<"newsRecorded">
	| Payload<"filingRecorded">
	| Payload<"raiseRecorded">
	| Payload<"ownershipChanged">;

const { newsRecorded, filingRecorded, raiseRecorded, ownershipChanged } = events;

export const signalStream = (bus: Bus, log: Logger) =>
	publishedChannel<Params<"streamEvents">, Signal>(
		bus,
		log,
		[newsRecorded, filingRecorded, raiseRecorded, ownershipChanged],
		({ event, event_type, developer, min_confidence }) => {
			const part = developer?.toLowerCase();
			return (name, signal) =>
				(event === undefined || (event as readonly string[]).includes(name)) &&
				(event_type === undefined || ("event_type" in signal && event_type.includes(signal.event_type))) &&
				(part === undefined || developersOf(signal).some((each) => each?.toLowerCase().includes(part))) &&
				(min_confidence === undefined || isConfident(signal, min_confidence, part));
		},
	);

function developersOf(signal: Signal): (string | null)[] {
	if ("developers" in signal) return signal.developers.map(({ developer_canonical }) => developer_canonical);
	if ("seller" in signal) return [signal.seller_canonical, signal.buyer_canonical];
	return [signal.developer_canonical];
}

/** Whether a headline is matched with enough confidence, to the requested developer if there is one. */
const isConfident = (signal: Signal, least: number, part = ""): boolean =>
	"developers" in signal &&
	signal.developers.some(
		({ developer_canonical, match_confidence }) =>
			match_confidence >= least && developer_canonical.toLowerCase().includes(part),
	);
