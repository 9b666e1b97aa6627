/**
 * Checks a subscriber's request for a JetStream consumer. Only pull consumers are allowed: with a `deliver_subject`, JetStream would publish
 * to any subject for the subscriber. The server itself has no such limits; a large `max_waiting` crashes NATS 2.9 and early 2.10.
 */
import { z } from "zod";
import { subscriberLimits } from "./mirror-wire.ts";

const name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, - or _");
const nanoseconds = (maxMs: number) =>
	z
		.number()
		.min(0)
		.max(maxMs * 1e6);
const wholeNumber = (max: number, min = 0) => z.int().min(min).max(max);
const [minute, hour, week] = [60_000, 3_600_000, 7 * 24 * 3_600_000];

const configOf = (publisher: string) => {
	const filter = z
		.string()
		.max(200)
		.refine((subject) => subject.startsWith(`event.${publisher}.`), `must begin with event.${publisher}.`);
	return z.strictObject({
		name: name.optional(),
		durable_name: name.optional(),
		description: z.string().max(200).optional(),
		metadata: z
			.record(z.string().max(64), z.string().max(200))
			.refine((entries) => Object.keys(entries).length <= 16, "must have at most 16 entries")
			.optional(),
		deliver_policy: z.enum(["all", "last", "new", "by_start_sequence", "by_start_time", "last_per_subject"]).optional(),
		opt_start_seq: wholeNumber(Number.MAX_SAFE_INTEGER).optional(),
		opt_start_time: z.iso.datetime({ offset: true }).optional(),
		replay_policy: z.enum(["instant", "original"]).optional(),
		filter_subject: filter.optional(),
		filter_subjects: z.array(filter).max(16).optional(),
		headers_only: z.boolean().optional(),
		ack_policy: z.enum(["none", "all", "explicit"]).optional(),
		ack_wait: nanoseconds(hour).optional(),
		backoff: z.array(nanoseconds(hour)).max(16).optional(),
		max_deliver: wholeNumber(1_000, -1).optional(),
		max_ack_pending: wholeNumber(subscriberLimits.ackPending).optional(),
		max_waiting: wholeNumber(subscriberLimits.waiting).optional(),
		max_batch: wholeNumber(100_000).optional(),
		max_bytes: wholeNumber(64 * 1024 ** 2).optional(),
		max_expires: nanoseconds(10 * minute).optional(),
		inactive_threshold: nanoseconds(week).optional(),
		num_replicas: wholeNumber(5).optional(),
		mem_storage: z.boolean().optional(),
		// Some clients send these for every consumer.
		deliver_subject: z.literal("").optional(),
		flow_control: z.literal(false).optional(),
		idle_heartbeat: z.literal(0).optional(),
	});
};

/**
 * Returns a function that checks a request for `publisher`'s stream. That function returns the request to pass to JetStream, or the first
 * invalid field and what is wrong with it.
 */
export function readConsumerRequest(publisher: string, stream: string) {
	const request = z.strictObject({
		stream_name: z.literal(stream),
		config: configOf(publisher),
		action: z.enum(["", "create", "update"]).optional(),
		pedantic: z.boolean().optional(),
	});
	return (body: unknown): { request: object } | { fault: string } => {
		const { data, error } = request.safeParse(body);
		if (data !== undefined) return { request: data };
		const [issue] = error.issues;
		// For an unknown key, `path` names only its parent; the message names the key.
		return { fault: `${issue?.path.join(".") || "request"}: ${issue?.message}` };
	};
}

/** The only consumer that a mirror may request: one whose deliveries go to the mirror. */
export const mirrorRequest = (stream: string, deliverTo: string) =>
	z.object({
		stream_name: z.literal(stream),
		config: z.looseObject({
			deliver_subject: z.string().regex(new RegExp(`^${deliverTo.replaceAll(".", "\\.")}\\.[A-Za-z0-9.]{1,80}$`)),
			ack_policy: z.literal("none"),
			durable_name: z.never().optional(),
			direct: z.literal(true),
		}),
	});
