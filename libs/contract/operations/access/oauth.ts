/** Records of the gateway's authorization server (OAuth 2.1); available on the bus only. IDs and tokens are passed as their SHA-256 only. */
import { z } from "zod";
import { sha256, timestamp } from "../../envelopes.ts";
import { billingOperation } from "../../operation.ts";
import { none } from "../../params.ts";
import { oauthKinds } from "../../vocabulary.ts";
import { id, keyGrant } from "./billing-fields.ts";

const named = { kind: z.enum(oauthKinds), sha256: sha256() };
const payload = z.looseObject({});

export const saveOauthRecords = billingOperation({
	summary:
		"Marks a code or a refresh token as used, and stores records or replaces them, all or nothing. False if another request used it. A consent extends the life of its client. Repeating it changes nothing.",
	params: z.strictObject({
		consume: z.strictObject(named).nullable(),
		records: z
			.array(
				z.strictObject({
					...named,
					payload,
					grant_sha256: sha256().nullable(),
					client_sha256: sha256().nullable(),
					key_id: id.nullable(),
					seconds: z.int().min(1).max(31_622_400).meta({ "x-unit": "s" }),
				}),
			)
			.max(10),
	}),
	reply: z.strictObject({ saved: z.boolean() }),
});

export const readOauthRecord = billingOperation({
	summary: "A record; null if there is none, and once it or its key has ended.",
	params: z.strictObject(named),
	reply: z.strictObject({
		record: z.strictObject({ payload, consumed_at: timestamp().nullable() }).nullable(),
	}),
});

export const deleteOauthRecord = billingOperation({
	summary: "Deletes a record. Repeating it changes nothing.",
	params: z.strictObject(named),
	reply: none,
});

export const endOauthGrant = billingOperation({
	summary: "Deletes the codes and tokens of one kind that rest on a consent.",
	params: z.strictObject({ kind: z.enum(oauthKinds), grant_sha256: sha256() }),
	reply: none,
});

export const resolveAccessToken = billingOperation({
	summary:
		"The account, plan and limits of the key that an access token stands for; null unless it is valid for the resource.",
	params: z.strictObject({ sha256: sha256(), resource: z.string().max(2_000) }),
	reply: z.strictObject({ grant: z.strictObject(keyGrant).nullable() }),
});
