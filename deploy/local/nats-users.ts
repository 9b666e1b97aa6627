/**
 * Who may do what at NATS: each service as a user of its own, allowed its own subjects, its own stream and the durables of its
 * reactions. Whoever takes one over can neither speak in another's name nor read, empty or delete what another keeps.
 */
import { type EventShape, streamOf, subjectOf } from "#libs/contract/event.ts";
import { type Owner, owners } from "#libs/contract/operation.ts";
import { type Service, services } from "./services.ts";

/** May do everything: a person with the `nats` program, who looks into streams or deletes one. No service logs in as this. */
export const operator = "operator";

/** Reads the events that are for everybody, by consumers of its own: other teams' services. */
export const subscriber = "subscriber";

/** Users that are no service. Each may be left without a password, and then is not there. */
export const otherUsers = [operator, subscriber] as const;

/** Whose events are for everybody: what billing and the gateway tell is about accounts. */
const openPublishers: readonly Owner[] = ["queue-ingest", "signals", "scoring"];

export interface Permissions {
	publish: string[];
	/** Of what `publish` allows. */
	denied?: string[];
	subscribe: string[];
}

/** Subjects as NATS 2.9 and later have them. */
export function permissionsOf(service: Service): Permissions {
	const { name, publishes = [], subscribes = [], hears = {} } = service;
	const durables = Object.entries(hears).map(([reaction, event]) => ({ durable: `${name}-${reaction}`, event }));
	// Only the gateway asks. Whom it asks it tells, too: how much of a stream it has read.
	const others = services.map((other) => other.name).filter((other) => other !== "gateway");
	const inboxes = name === "gateway" ? others : ["gateway"];
	const publish = [
		`event.${name}.>`,
		`version.${name}`,
		...inboxes.map((inbox) => `_INBOX.${inbox}.>`),
		...ownStream(name),
		...durables.flatMap(({ event }) => heardStream(event)),
		...durables.flatMap(({ durable, event }) => ownDurable(durable, event)),
		...publishes,
	];
	// An inbox has a secret name; of all but the own ones it cannot even be read.
	return { publish: [...new Set(publish)], subscribe: [`rpc.${name}.>`, `_INBOX.${name}.>`, ...subscribes] };
}

function ownStream(service: string): string[] {
	const publisher = owners.find((owner) => owner === service);
	if (publisher === undefined) return [];
	const stream = streamOf(publisher);
	return [`$JS.API.STREAM.INFO.${stream}`, `$JS.API.STREAM.CREATE.${stream}`, `$JS.API.STREAM.UPDATE.${stream}`];
}

/** Made by whoever needs it first: services start in any order. Where it is there, to create it again changes nothing. */
function heardStream({ publisher }: EventShape): string[] {
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
		`$JS.ACK.${place}.>`,
		// With the domain and the account before it, as servers may come to write it.
		`$JS.ACK.*.*.${place}.>`,
	];
}

/**
 * Consumers of its own, by any name but a service's: by that name it could turn a service's durable to other events, read ahead of it,
 * acknowledge in its place or delete it. It makes no stream, and sees no inbox but its own.
 */
export function permissionsOfSubscriber(): Permissions {
	const streams = openPublishers.map(streamOf);
	return {
		publish: streams.flatMap((stream) => [
			`$JS.API.STREAM.INFO.${stream}`,
			...["CREATE", "INFO", "DELETE", "MSG.NEXT"].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.*`),
			// The subject of a consumer with a filter ends in that.
			`$JS.API.CONSUMER.CREATE.${stream}.*.>`,
			`$JS.ACK.${stream}.>`,
			`$JS.ACK.*.*.${stream}.>`,
		]),
		denied: services
			.flatMap(({ name, hears = {} }) =>
				Object.entries(hears).map(([reaction, { publisher }]) => `${streamOf(publisher)}.${name}-${reaction}`),
			)
			.filter((place) => streams.some((stream) => place.startsWith(`${stream}.`)))
			.flatMap((place) => [
				`$JS.API.CONSUMER.*.${place}`,
				`$JS.API.CONSUMER.*.${place}.>`,
				`$JS.API.CONSUMER.MSG.NEXT.${place}`,
				`$JS.ACK.${place}.>`,
				`$JS.ACK.*.*.${place}.>`,
			]),
		subscribe: [`_INBOX.${subscriber}.>`],
	};
}

/** The users of the server's configuration: those that have a password. */
export function renderNatsUsers(passwords: Record<string, string>): string {
	const permissions = new Map<string, Permissions | undefined>([
		[operator, undefined],
		[subscriber, permissionsOfSubscriber()],
		...services.map((one) => [one.name, permissionsOf(one)] as const),
	]);
	return Object.entries(passwords)
		.filter(([user]) => permissions.has(user))
		.map(([user, password]) => renderUser(user, password, permissions.get(user)))
		.join("\n");
}

function renderUser(user: string, password: string, permissions?: Permissions): string {
	const list = (subjects: string[]) => `[${subjects.map((one) => `\n\t\t\t\t\t"${one}"`).join("")}\n\t\t\t\t]`;
	const allow = (subjects: string[], denied: string[] = []) =>
		`{ allow: ${list(subjects)}${denied.length === 0 ? "" : `, deny: ${list(denied)}`} }`;
	const allowed = permissions && {
		publish: allow(permissions.publish, permissions.denied),
		subscribe: allow(permissions.subscribe),
	};
	return `		{
			user: ${JSON.stringify(user)}
			password: ${JSON.stringify(password)}
${allowed === undefined ? "" : `\t\t\tpermissions: {\n\t\t\t\tpublish: ${allowed.publish}\n\t\t\t\tsubscribe: ${allowed.subscribe}\n\t\t\t}\n`}\t\t}`;
}
