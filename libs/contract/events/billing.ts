import { z } from "zod";
import { keyGrant, reachedUsage } from "../operations/access/billing-fields.ts";
import { event } from "./event.ts";

/** Every replica of the gateway subscribes to this event. */
export const keyChanged = event({
	publisher: "billing",
	name: "key.changed",
	summary: "A key was issued, replaced or revoked, or its plan changed.",
	payload: { sha256: z.string().length(64), ...keyGrant },
});

/** Published once when an account reaches a share of a limit in a month; `version` is the count. */
export const usageReached = event({
	publisher: "billing",
	name: "usage.reached",
	summary: "An account has used half, four fifths or all of its monthly queries.",
	payload: {
		account_id: z.int().min(1),
		...reachedUsage,
	},
});
