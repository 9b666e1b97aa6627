/**
 * Subjects between the services' account at NATS and that of subscribers, in which each open stream has a mirror of the same name
 * (deploy/engines/nats-accounts.ts; DECISIONS.md says why so). Of JetStream's interface only acknowledgements of flow control cross it.
 */

/** The user at NATS that readers outside log in as, and where its answers go: it may listen nowhere else. */
export const subscriber = "subscriber";
export const subscriberInbox = `_INBOX.${subscriber}`;

/** In place of `$JS.API`: JetStream's interface of the subscribers' account, for services. */
export const mirrorApi = "mirrored.API";

/** A mirror writes this in place of `$JS.API` when it asks for its stream's events; the stream's publisher answers. */
export const sourceApi = "mirror.API";

/** Where a mirror asks its stream's publisher for a consumer of it. */
export const sourceRequest = (stream: string): string => `${sourceApi}.CONSUMER.CREATE.${stream}`;

/** Below it the events of a stream go to its mirror. */
export const deliveryTo = (stream: string): string => `mirror.deliver.${stream}`;

/** JetStream's requests to create a subscriber's consumer arrive here, followed by `<name>` or `<name>.<filter>`. */
export const consumerRequest = (stream: string): string => `subscribe.${stream}`;

const mebibyte = 1024 ** 2;

/** Limits of all subscribers together: those of three mirrors with three copies each. */
export const subscriberLimits = {
	/** Size of one mirror (bytes): the oldest events go first (its stream may hold more). */
	mirrorBytes: 192 * mebibyte,
	accountBytes: 1_800 * mebibyte,
	/** Memory of consumers that keep their state there (bytes). */
	memoryBytes: 32 * mebibyte,
	consumers: 32,
	/** Deliveries of one consumer that wait for an acknowledgement. */
	ackPending: 1_000,
	/** Requests of one consumer for events that are still to come. */
	waiting: 512,
	/** Bytes of a request for a consumer. */
	requestBytes: 16 * 1024,
	/** Requests for consumers that a replica of a publisher works on at once. */
	requests: 16,
} as const;
