import { z } from "zod";
import { count, timestamp } from "../../envelopes.ts";
import { planNames } from "../../vocabulary.ts";

/** The rights of a key, in events and answers. Null limits: none. */
export const keyGrant = {
	key_id: z.int().min(1),
	account_id: z.int().min(1),
	plan: z.enum(planNames),
	monthly_queries: count().nullable(),
	per_minute: count().nullable(),
	/** Queries that this key may take in a day (UTC). */
	daily_queries: count().nullable(),
	/** Time from which the key is refused; null: never. For a replaced key, the end of its grace. */
	expires_at: timestamp().nullable(),
	revoked: z.boolean(),
};
