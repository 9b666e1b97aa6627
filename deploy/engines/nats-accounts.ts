/**
 * NATS' accounts: one of the services, and one of subscribers, in which each open stream has a mirror. A user can have JetStream publish
 * to any subject of its account (as where to answer, or where to deliver); so who is not ours has an account in which nothing of ours listens.
 */
import {
	deliveryPrefix,
	mirrorApi,
	sourceSubject,
	subscribePrefix,
	subscriberLimits,
} from "#libs/bus/mirror/mirror-wire.ts";
import { publicPublishers, streamOf } from "#libs/contract/events/event.ts";
import { renderNatsUsers } from "./nats-users.ts";

/** Names the folder of its streams' files, too. */
export const servicesAccount = "services";
export const subscribersAccount = "subscribers";

const lines = (list: readonly string[]) => list.map((one) => `\n\t\t\t${one}`).join("");
const mebibytes = (bytes: number) => `${bytes / 1024 ** 2}MB`;

export function renderNatsAccounts(passwords: Record<string, string>): string {
	const streams = publicPublishers.map(streamOf);
	const users = renderNatsUsers(passwords);
	// A subscriber's request reaches only these: two subjects that a publisher answers, and JetStream's flow control.
	const requests = streams.flatMap((stream) => [
		sourceSubject(stream),
		`${subscribePrefix(stream)}.>`,
		`$JS.FC.${stream}.>`,
	]);
	const delivered = streams.map((stream) => `${deliveryPrefix(stream)}.>`);
	const api = `${mirrorApi}.>`;
	return `accounts {
	${servicesAccount} {
		jetstream: enabled
		users: [
${users.services}
		]
		exports: [${lines([
			...requests.map((subject) => `{ service: "${subject}", accounts: [${subscribersAccount}] }`),
			...delivered.map((subject) => `{ stream: "${subject}", accounts: [${subscribersAccount}] }`),
		])}
		]
		imports: [
			{ service: { account: ${subscribersAccount}, subject: "${api}" } }
		]
	}
	${subscribersAccount} {
		jetstream {
			max_memory: ${mebibytes(subscriberLimits.memoryBytes)}
			max_file: ${mebibytes(subscriberLimits.accountBytes)}
			max_streams: ${streams.length}
			# Per stream.
			max_consumers: ${subscriberLimits.consumers}
			max_ack_pending: ${subscriberLimits.ackPending}
		}
		users: [
${users.subscribers}
		]
		# Mappings apply to messages of clients, before permissions are checked, and not to messages of JetStream itself.
		mappings {${lines([
			...streams.map((stream) => `"$JS.API.CONSUMER.CREATE.${stream}.>": "${subscribePrefix(stream)}.>"`),
			// A way past those mappings, for services alone.
			`"${api}": "$JS.API.>"`,
		])}
		}
		exports: [
			{ service: "${api}", accounts: [${servicesAccount}] }
		]
		imports: [${lines([
			...requests.map((subject) => `{ service: { account: ${servicesAccount}, subject: "${subject}" } }`),
			...delivered.map((subject) => `{ stream: { account: ${servicesAccount}, subject: "${subject}" } }`),
		])}
		]
	}
}`;
}
