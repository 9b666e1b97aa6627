import { z } from "zod";
import { count } from "../envelopes.ts";
import { keyGrant } from "../operations/access/billing-fields.ts";
import { planNames } from "../vocabulary.ts";
import { event } from "./event.ts";

/** Every replica of the gateway subscribes to it. */
export const keyChanged = event({
	publisher: "billing",
	name: "key.changed",
	summary: "A key was issued, replaced or revoked, or its plan is another.",
	payload: { sha256: z.string().length(64), ...keyGrant },
});

/** Published once an account and month; `version` is the count. */
export const usageExhausted = event({
	publisher: "billing",
	name: "usage.exhausted",
	summary: "An account has used up its monthly queries.",
	payload: {
		account_id: z.int().min(1),
		plan: z.enum(planNames),
		month: z.string().regex(/^\d{4}-\d{2}$/),
		used: count(),
		monthly_queries: count(),
	},
});
