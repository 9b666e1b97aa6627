/** Stores the records of the authorization server in billing. Their keys are the SHA-256 of their ids, because an id is a credential. */
import type { IncomingMessage } from "node:http";
import { type Adapter, type AdapterPayload, Provider } from "oidc-provider";
import type { ParamsInput } from "#libs/contract/index.ts";
import { digestOf } from "#libs/contract/key.ts";
import { type OauthKind, oauthKinds } from "#libs/contract/vocabulary.ts";
import { type RequestBilling, requestTwice } from "../payments/billing.ts";

/** A client that never connects is deleted after this time. A consent extends the client's lifetime. */
const unusedClientSeconds = 86_400;

/**
 * Writes of token requests, by request. Those of one request are stored together at its end, so that a code or refresh token is marked as used
 * only if the new tokens are stored. If billing's reply is lost, the client loses the tokens and has to connect again.
 */
const pendingWrites = new WeakMap<IncomingMessage, ParamsInput<"saveOauthRecords">>();

/** Pending writes of the current token request; undefined if the current request is not for tokens. */
function currentWrites() {
	const { ctx } = Provider;
	if (ctx?.oidc.route !== "token") return undefined;
	const writes = pendingWrites.get(ctx.req) ?? { consume: null, records: [] };
	pendingWrites.set(ctx.req, writes);
	return writes;
}

/** Stores the pending writes of a request. @returns false if another request has used the code or token. @throws AppError 503 */
export async function storePending(request: IncomingMessage, requestBilling: RequestBilling): Promise<boolean> {
	const writes = pendingWrites.get(request);
	return writes === undefined || (await requestTwice(requestBilling)("saveOauthRecords", writes)).saved;
}

export const oauthStore =
	(requestBilling: RequestBilling) =>
	(name: string): Adapter =>
		oauthKinds.some((kind) => kind === name) ? storeOf(name as OauthKind, requestBilling) : nullStore;

function storeOf(kind: OauthKind, requestBilling: RequestBilling): Adapter {
	const keyOf = (id: string) => ({ kind, sha256: digestOf(id) });
	const requestAgain = requestTwice(requestBilling);
	return {
		async upsert(id, payload, seconds = unusedClientSeconds) {
			const { clientId, accountId, grantId } = payload;
			const grant = kind === "Grant" ? id : grantId;
			const record = {
				...keyOf(id),
				payload: withoutId(payload, id),
				grant_sha256: grant === undefined ? null : digestOf(grant),
				client_sha256: clientId === undefined ? null : digestOf(clientId),
				key_id: accountId === undefined ? null : Number(accountId),
				seconds,
			};
			const writes = currentWrites();
			if (writes === undefined) await requestAgain("saveOauthRecords", { consume: null, records: [record] });
			else writes.records.push(record);
		},
		async find(id) {
			const { record } = await requestAgain("readOauthRecord", keyOf(id));
			if (record === null) return undefined;
			const { payload, consumed_at } = record;
			const consumed = consumed_at === null ? {} : { consumed: Math.floor(Date.parse(consumed_at) / 1_000) };
			return { ...withId(payload, id), ...consumed };
		},
		async consume(id) {
			const writes = currentWrites();
			if (writes === undefined) throw new Error(`a ${kind} can be used only at the token endpoint`);
			writes.consume = keyOf(id);
		},
		async destroy(id) {
			await requestAgain("deleteOauthRecord", keyOf(id));
		},
		async revokeByGrantId(grantId) {
			await requestAgain("endOauthGrant", { kind, grant_sha256: digestOf(grantId) });
		},
		findByUid: async () => undefined,
		findByUserCode: async () => undefined,
	};
}

/** Replaces the id wherever it occurs in a payload by its SHA-256. */
const withoutId = (payload: object, id: string): AdapterPayload =>
	JSON.parse(JSON.stringify(payload).replaceAll(id, digestOf(id)));
const withId = (payload: object, id: string): AdapterPayload =>
	JSON.parse(JSON.stringify(payload).replaceAll(digestOf(id), id));

/** An adapter that stores nothing. Sessions use it: each connection requires the key, so that no browser stays signed in. */
const nullStore: Adapter = {
	upsert: async () => {},
	find: async () => undefined,
	findByUid: async () => undefined,
	findByUserCode: async () => undefined,
	consume: async () => {},
	destroy: async () => {},
	revokeByGrantId: async () => {},
};
