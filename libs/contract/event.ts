/** The shape of every fact that a service announces on JetStream. */
import { z } from "zod";
import { timestamp } from "./envelopes.ts";
import type { Owner } from "./operation.ts";

export interface EventShape {
	publisher: Owner;
	/** `noun.past`: the subject is `event.<publisher>.<noun>.<past>`. */
	name: `${string}.${string}`;
	summary: string;
	/** A flat payload; `id`, `occurred_at` and `version` are added by `event()`. */
	payload: z.ZodType;
}

/** Every event says which fact it is (`id`, for deduplication), when, and the aggregate's monotonic version. */
const heading = {
	id: z.string().min(1).max(200),
	occurred_at: timestamp(),
	version: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
};

export function event<
	const P extends Owner,
	const N extends `${string}.${string}`,
	S extends z.ZodRawShape,
>(declaration: { publisher: P; name: N; summary: string; payload: S }) {
	return { ...declaration, payload: z.strictObject({ ...heading, ...declaration.payload }) };
}

export const subjectOf = (declared: EventShape): string => `event.${declared.publisher}.${declared.name}`;
/** QUEUE_INGEST for queue-ingest. */
export const streamOf = (publisher: Owner): string => publisher.toUpperCase().replaceAll("-", "_");

/** Whose events are for everybody, mirrored for subscribers: what billing and the gateway publish is about accounts. */
export const openPublishers: readonly Owner[] = ["queue-ingest", "signals", "scoring"];
