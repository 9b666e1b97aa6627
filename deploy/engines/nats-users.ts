/**
 * Who may do what at NATS: each service as a user of its own, allowed its own subjects, its own stream and the durables of its
 * reactions. A process that takes one over can neither publish in another's name nor read, empty or delete what another keeps.
 */
import {
	mirrorApi,
	sourceSubject,
	subscribePrefix,
	subscriber,
	subscriberInbox,
} from "#libs/bus/mirror/mirror-wire.ts";
import { type EventShape, publicPublishers, streamOf, subjectOf } from "#libs/contract/events/event.ts";
import { archiveBucket } from "#libs/contract/exports/archive.ts";
import { extractBucket, extractOwners, extractReportSubject, extractSubject } from "#libs/contract/exports/extracts.ts";
import { owners } from "#libs/contract/operation.ts";
import { type Service, services } from "../local/services.ts";

/** May do everything: a person with the `nats` program, who looks into streams or deletes one. No service logs in as this. */
export const operator = "operator";

/** Reads the events that are for everybody, from an account of its own (nats-accounts.ts): other teams' services. */
export { subscriber };

/** Users that are no service. Each may be left without a password, and then is not there. */
export const otherUsers = [operator, subscriber] as const;

export interface Permissions {
	publish: string[];
	subscribe: string[];
}

/** Subjects as NATS 2.9 and later have them. */
export function permissionsOf(service: Service): Permissions {
	const { name, publishes = [], subscribes = [], consumes = {} } = service;
	const publisher = publicPublishers.find((owner) => owner === name);
	const durables = Object.entries(consumes).map(([reaction, event]) => ({ durable: `${name}-${reaction}`, event }));
	// Answered is who may send a request to it. The gateway also reports to the service how much of a stream it has read.
	const others = services.map((other) => other.name).filter((other) => other !== "gateway");
	const inboxes = name === "gateway" ? others : askersOf(name);
	const publish = [
		`event.${name}.>`,
		`version.${name}`,
		...inboxes.map((inbox) => `_INBOX.${inbox}.>`),
		...ownStream(name),
		...(publisher === undefined ? [] : mirrorOf(streamOf(publisher))),
		...durables.flatMap(({ event }) => streamRights(event)),
		...durables.flatMap(({ durable, event }) => ownDurable(durable, event)),
		...ownExtracts(name),
		...(service.readsExtracts === true ? readExtracts() : []),
		...publishes,
	];
	// An inbox has a secret name; of all but the own ones it cannot even be read.
	const requests = publisher === undefined ? [] : askedBySubscribers(streamOf(publisher));
	const reports = extractOwners.filter((owner) => owner === name).map(extractReportSubject);
	return {
		publish: [...new Set(publish)],
		subscribe: [`rpc.${name}.>`, `_INBOX.${name}.>`, ...requests, ...reports, ...subscribes],
	};
}

const askersOf = (service: string): string[] =>
	services
		.filter(({ publishes = [] }) => publishes.some((one) => one === "rpc.>" || one.startsWith(`rpc.${service}.`)))
		.map(({ name }) => name);

function ownStream(service: string): string[] {
	const publisher = owners.find((owner) => owner === service);
	if (publisher === undefined) return [];
	const stream = streamOf(publisher);
	return [`$JS.API.STREAM.INFO.${stream}`, `$JS.API.STREAM.CREATE.${stream}`, `$JS.API.STREAM.UPDATE.${stream}`];
}

/** An owner makes its bucket, fills it, and announces what is in it. */
function ownExtracts(service: string): string[] {
	const owner = extractOwners.find((one) => one === service);
	if (owner === undefined) return [];
	const archive = owner === "queue-ingest" ? ownBucket(archiveBucket) : [];
	return [extractSubject(owner), ...ownBucket(extractBucket(owner)), ...archive];
}

const ownBucket = (bucket: string): string[] => [
	`$O.${bucket}.>`,
	...["INFO", "CREATE", "UPDATE", "PURGE", "MSG.GET"].map((verb) => `$JS.API.STREAM.${verb}.OBJ_${bucket}`),
];

/** No consumer, which could have the server put what is read anywhere, for ever. */
const readExtracts = (): string[] =>
	extractOwners.flatMap((owner) => [`$JS.API.STREAM.MSG.GET.OBJ_${extractBucket(owner)}`, extractReportSubject(owner)]);

/** Made by the process that needs it first: services start in any order. Where it is there, to create it again changes nothing. */
function streamRights({ publisher }: EventShape): string[] {
	const stream = streamOf(publisher);
	return [`$JS.API.STREAM.INFO.${stream}`, `$JS.API.STREAM.CREATE.${stream}`];
}

/** The subject of an update ends in the filter: a durable is of its event, and cannot be turned to another. */
function ownDurable(durable: string, event: EventShape): string[] {
	const place = `${streamOf(event.publisher)}.${durable}`;
	return [
		`$JS.API.CONSUMER.INFO.${place}`,
		`$JS.API.CONSUMER.CREATE.${place}.${subjectOf(event)}`,
		`$JS.API.CONSUMER.MSG.NEXT.${place}`,
		// It is made anew where the stream lost messages that it had passed.
		`$JS.API.CONSUMER.DELETE.${place}`,
		`$JS.ACK.${place}.>`,
		// With the domain and the account before it, as servers may come to write it.
		`$JS.ACK.*.*.${place}.>`,
	];
}

/** Rights on the mirror of its stream in the subscribers' account: libs/bus/mirror/mirror.ts and subscribers.ts. */
function mirrorOf(stream: string): string[] {
	return [
		...["INFO", "CREATE", "UPDATE"].map((verb) => `${mirrorApi}.STREAM.${verb}.${stream}`),
		// Whatever stands in a mirror's place.
		`${mirrorApi}.STREAM.NAMES`,
		`${mirrorApi}.STREAM.DELETE.*`,
		`${mirrorApi}.CONSUMER.CREATE.${stream}.>`,
		`$JS.API.CONSUMER.CREATE.${stream}`,
		// Where NATS expects the answer to a request from another account: secret, and gone with the answer.
		"_R_.>",
	];
}

const askedBySubscribers = (stream: string): string[] => [sourceSubject(stream), `${subscribePrefix(stream)}.>`];

/**
 * Consumers of mirrors: made by who publishes the events, read, looked at and deleted at JetStream itself. What JetStream calls
 * the creation of a consumer is mapped to the publisher's subject before permissions are asked.
 */
export function permissionsOfSubscriber(): Permissions {
	return {
		publish: publicPublishers.map(streamOf).flatMap((stream) => [
			`$JS.API.STREAM.INFO.${stream}`,
			...["INFO", "DELETE", "MSG.NEXT"].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.*`),
			`${subscribePrefix(stream)}.>`,
			`$JS.ACK.${stream}.>`,
			// With the domain and the account before it, as servers may come to write it.
			`$JS.ACK.*.*.${stream}.>`,
		]),
		subscribe: [`${subscriberInbox}.>`],
	};
}

/** Users in the server's configuration, by their account: those that have a password. */
export function renderNatsUsers(passwords: Record<string, string>): { services: string; subscribers: string } {
	const render = (permissions: Map<string, Permissions | undefined>) =>
		Object.entries(passwords)
			.filter(([user]) => permissions.has(user))
			.map(([user, password]) => renderUser(user, password, permissions.get(user)))
			.join("\n");
	return {
		services: render(
			new Map([[operator, undefined], ...services.map((one) => [one.name, permissionsOf(one)] as const)]),
		),
		subscribers: render(new Map([[subscriber, permissionsOfSubscriber()]])),
	};
}

function renderUser(user: string, password: string, permissions?: Permissions): string {
	const list = (subjects: string[]) => `[${subjects.map((one) => `\n\t\t\t\t\t"${one}"`).join("")}\n\t\t\t\t]`;
	const allow = (subjects: string[]) => `{ allow: ${list(subjects)} }`;
	const allowed = permissions && { publish: allow(permissions.publish), subscribe: allow(permissions.subscribe) };
	return `		{
			user: ${JSON.stringify(user)}
			password: ${JSON.stringify(password)}
${allowed === undefined ? "" : `\t\t\tpermissions: {\n\t\t\t\tpublish: ${allowed.publish}\n\t\t\t\tsubscribe: ${allowed.subscribe}\n\t\t\t}\n`}\t\t}`;
}
