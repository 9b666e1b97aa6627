/** Where the authorization server stores its records: in billing, under the SHA-256 of their ids, because an id is a credential. */
import { type Adapter, type AdapterPayload, errors } from "oidc-provider";
import { digestOf } from "#libs/contract/key.ts";
import { type OauthKind, oauthKinds } from "#libs/contract/vocabulary.ts";
import { type AskBilling, askTwice } from "../payments/billing.ts";

/** A client without a connection is deleted after this time (s). A consent extends it. */
const unusedClientSeconds = 86_400;

export const oauthStore =
	(ask: AskBilling) =>
	(name: string): Adapter =>
		oauthKinds.some((kind) => kind === name) ? storeOf(name as OauthKind, ask) : nothing;

function storeOf(kind: OauthKind, ask: AskBilling): Adapter {
	const named = (id: string) => ({ kind, sha256: digestOf(id) });
	// A refresh that billing's restart interrupts would end the connection. Only `consume` must not be repeated.
	const askSafely = askTwice(ask);
	return {
		async upsert(id, payload, seconds = unusedClientSeconds) {
			const { clientId, accountId, grantId } = payload;
			const grant = kind === "Grant" ? id : grantId;
			await askSafely("saveOauthRecord", {
				...named(id),
				payload: withoutId(payload, id),
				grant_sha256: grant === undefined ? null : digestOf(grant),
				client_sha256: clientId === undefined ? null : digestOf(clientId),
				key_id: accountId === undefined ? null : Number(accountId),
				seconds,
			});
		},
		async find(id) {
			const { record } = await askSafely("readOauthRecord", named(id));
			if (record === null) return undefined;
			const { payload, consumed_at } = record;
			const consumed = consumed_at === null ? {} : { consumed: Math.floor(Date.parse(consumed_at) / 1_000) };
			return { ...withId(payload, id), ...consumed };
		},
		async consume(id) {
			const { consumed } = await ask("consumeOauthRecord", named(id));
			if (!consumed) throw new errors.InvalidGrant("used by another request");
		},
		async destroy(id) {
			await askSafely("deleteOauthRecord", named(id));
		},
		async revokeByGrantId(grantId) {
			await askSafely("endOauthGrant", { kind, grant_sha256: digestOf(grantId) });
		},
		findByUid: async () => undefined,
		findByUserCode: async () => undefined,
	};
}

/** Replaces the id by its SHA-256 wherever a payload repeats it. */
const withoutId = (payload: object, id: string): AdapterPayload =>
	JSON.parse(JSON.stringify(payload).replaceAll(id, digestOf(id)));
const withId = (payload: object, id: string): AdapterPayload =>
	JSON.parse(JSON.stringify(payload).replaceAll(digestOf(id), id));

/** For sessions: each connection is made with the key, so that no browser stays signed in. */
const nothing: Adapter = {
	upsert: async () => {},
	find: async () => undefined,
	findByUid: async () => undefined,
	findByUserCode: async () => undefined,
	consume: async () => {},
	destroy: async () => {},
	revokeByGrantId: async () => {},
};
