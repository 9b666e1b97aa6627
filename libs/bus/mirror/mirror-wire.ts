/**
 * Subjects that connect the services' NATS account with the subscribers' account, which has a mirror of each open stream under the same name
 * (deploy/engines/nats-accounts.ts; reasons in DECISIONS.md). Of JetStream's interface, only flow-control acknowledgements pass between the
 * accounts.
 */

/** The NATS user of external subscribers, and its inbox, the only subject that it may subscribe to. */
export const subscriber = "subscriber";
export const subscriberInbox = `_INBOX.${subscriber}`;

/** Replaces `$JS.API` when services use JetStream in the subscribers' account. */
export const mirrorApi = "mirrored.API";

/** Replaces `$JS.API` in a mirror's requests, to which the stream's publisher responds. */
export const sourceApi = "mirror.API";

/** Subject on which a mirror requests a consumer of its stream. */
export const sourceSubject = (stream: string): string => `${sourceApi}.CONSUMER.CREATE.${stream}`;

/** Prefix of the subjects on which a mirror receives the events of its stream. */
export const deliveryPrefix = (stream: string): string => `mirror.deliver.${stream}`;

/** Prefix of requests for a subscriber's consumer, followed by `<name>` or `<name>.<filter>`. */
export const subscribePrefix = (stream: string): string => `subscribe.${stream}`;

const mebibyte = 1024 ** 2;

/** Limits of all subscribers together, for three mirrors with three copies each. */
export const subscriberLimits = {
	/** Size of one mirror (bytes), beyond which it deletes its oldest events. */
	mirrorBytes: 192 * mebibyte,
	accountBytes: 1_800 * mebibyte,
	/** Memory for consumers that hold their state in memory (bytes). */
	memoryBytes: 32 * mebibyte,
	consumers: 32,
	/** Deliveries of one consumer that wait for an acknowledgement. */
	ackPending: 1_000,
	/** Pending pull requests of one consumer. */
	waiting: 512,
	requestBytes: 16 * 1024,
	/** Concurrent requests for consumers in one replica of a publisher. */
	requests: 16,
} as const;
