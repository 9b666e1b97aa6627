/** The permissions of a user at NATS, found out on a real server, and all that there is to try. */
import { streamOf, subjectOf } from "#libs/contract/events/event.ts";
import { owners } from "#libs/contract/operation.ts";
import { services } from "../../../deploy/local/services.ts";
import type { Bus } from "../../../libs/bus/connect.ts";

export interface Durable {
	service: string;
	stream: string;
	durable: string;
	filter: string;
}

/** Reactions as `deploy/local/services.ts` declares them. */
export const declared: Durable[] = services.flatMap(({ name, consumes = {} }) =>
	Object.entries(consumes).map(([reaction, event]) => ({
		service: name,
		stream: streamOf(event.publisher),
		durable: `${name}-${reaction}`,
		filter: subjectOf(event),
	})),
);
export const streams = owners.map(streamOf);
export const inOrder = (words: Iterable<string>) => [...new Set(words)].sort();

/** The subjects that arrive when the user publishes to all of them: the server drops those that it may not publish to. */
export async function published(operator: Bus, user: Bus, subjects: readonly string[]): Promise<string[]> {
	const arrived = new Set<string>();
	const listening = operator.nats.subscribe(">", { callback: (_error, message) => void arrived.add(message.subject) });
	await operator.nats.flush();
	for (const subject of subjects) user.nats.publish(subject, "{}");
	await user.nats.flush();
	await operator.nats.flush();
	listening.unsubscribe();
	return inOrder(subjects.filter((subject) => arrived.has(subject)));
}

/** The subjects that the user may subscribe to. */
export async function received({ nats }: Bus, subjects: readonly string[]): Promise<string[]> {
	const refused = new Set<string>();
	const subscriptions = subjects.map((subject) =>
		nats.subscribe(subject, { callback: (error) => void (error !== null && refused.add(subject)) }),
	);
	await nats.flush();
	for (const subscription of subscriptions) subscription.unsubscribe();
	return inOrder(subjects.filter((subject) => !refused.has(subject)));
}

const streamVerbs = [
	"INFO",
	"CREATE",
	"UPDATE",
	"DELETE",
	"PURGE",
	"SNAPSHOT",
	"RESTORE",
	"LEADER.STEPDOWN",
	"MSG.GET",
	"MSG.DELETE",
];
const consumerVerbs = ["INFO", "MSG.NEXT", "DELETE", "DURABLE.CREATE", "CREATE", "LEADER.STEPDOWN", "PAUSE"];
export const streamCalls = streams.flatMap((stream) => [
	...streamVerbs.map((verb) => `$JS.API.STREAM.${verb}.${stream}`),
	...["LIST", "NAMES", "CREATE"].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}`),
	`$JS.API.DIRECT.GET.${stream}`,
]);
/** Requests on one consumer, with filters of other events than its own. */
export const callsOn = ({ stream, durable, filter }: Omit<Durable, "service">): string[] => [
	...consumerVerbs.map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.${durable}`),
	...[filter, `event.${filter.split(".")[1]}.>`, "event.another.one"].map(
		(other) => `$JS.API.CONSUMER.CREATE.${stream}.${durable}.${other.replace(">", "all")}`,
	),
	`$JS.ACK.${stream}.${durable}.1.1.1.1.0`,
];
export const serverCalls = ["$JS.API.INFO", "$JS.API.STREAM.LIST", "$JS.API.STREAM.NAMES"];
