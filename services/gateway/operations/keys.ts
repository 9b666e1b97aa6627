/** Issues, replaces, limits and revokes API keys. A key is generated here and shown once; billing receives and stores only its SHA-256. */

import { keyNeeded } from "#libs/contract/errors.ts";
import type { Handler, Reply, RequestContext } from "#libs/contract/index.ts";
import { digestOf, hintOf, makeSecret } from "#libs/contract/key.ts";
import { type RequestBilling, requestTwice } from "../payments/billing.ts";

export interface RegisterOptions {
	requestBilling: RequestBilling;
	/** Counts a registration of this address. @throws AppError 429 */
	limitRegistrations(address: string): Promise<void>;
}

export function register({ requestBilling, limitRegistrations }: RegisterOptions): Handler<"register"> {
	return async ({ email, name, daily_queries }, { http }) => {
		if (http === undefined) throw new Error("register needs the caller's address, because it is limited by address");
		// Registrations are limited, because each may mail a link to an address that belongs to a different person.
		await limitRegistrations(http.address);
		const key = makeSecret("pk_");
		const hint = hintOf(key);
		// If billing's reply is lost, the request to it is repeated, because the e-mail address could not register again.
		const issue = {
			email,
			name: name ?? null,
			sha256: digestOf(key),
			hint,
			...(daily_queries !== undefined && { daily_queries }),
		};
		const issued = await requestTwice(requestBilling)("issueKey", issue);
		return { json: JSON.stringify(issuedKey(key, issued)) };
	};
}

export function issuedKey(key: string, issued: Omit<Reply<"issueKey">, "account_id">): Reply<"register"> {
	const { key_id, plan, monthly_queries, per_minute, daily_queries, created_at } = issued;
	return { key, key_id, hint: hintOf(key), plan, monthly_queries, per_minute, daily_queries, created_at };
}

/** Returns the same reply whether or not the e-mail address has an account. Shares its limit with registrations, because both send mails. */
export function requestKey({ requestBilling, limitRegistrations }: RegisterOptions): Handler<"requestKey"> {
	return async ({ email }, { http }) => {
		if (http === undefined) throw new Error("requestKey needs the caller's address, because it is limited by address");
		await limitRegistrations(http.address);
		await requestBilling("mailKeyLink", { email });
		const note =
			"If this is the verified address of an account, a link is mailed to it. The link works once, within 24 hours; existing keys work until it is used.";
		return { json: JSON.stringify({ note }) };
	};
}

export function recoverKey({ requestBilling }: { requestBilling: RequestBilling }): Handler<"recoverKey"> {
	return async ({ token }) => {
		const key = makeSecret("pk_");
		const link = { token_sha256: digestOf(token), sha256: digestOf(key), hint: hintOf(key) };
		const { revoked, ...issued } = await requestTwice(requestBilling)("redeemKeyLink", link);
		return { json: JSON.stringify({ ...issuedKey(key, issued), revoked }) };
	};
}

export function rotateKey({ requestBilling }: { requestBilling: RequestBilling }): Handler<"rotateKey"> {
	return async ({ grace_seconds }, context) => {
		const { keyId } = callerOf(context);
		const key = makeSecret("pk_");
		const replaced = await requestTwice(requestBilling)("replaceKey", {
			key_id: keyId,
			sha256: digestOf(key),
			hint: hintOf(key),
			grace_seconds,
		});
		const { replaces, old_key_works_until } = replaced;
		const reply: Reply<"rotateKey"> = { ...issuedKey(key, replaced), replaces, old_key_works_until };
		return { json: JSON.stringify(reply) };
	};
}

export function revokeKey({ requestBilling }: { requestBilling: RequestBilling }): Handler<"revokeKey"> {
	return async (_params, context) => {
		const ended = await requestBilling("endKey", { key_id: callerOf(context).keyId });
		return { json: JSON.stringify(ended) };
	};
}

/** The new cap applies at every gateway as soon as billing's event arrives there. */
export function changeKey({ requestBilling }: { requestBilling: RequestBilling }): Handler<"changeKey"> {
	return async ({ daily_queries }, context) => {
		const capped = await requestBilling("capKey", { key_id: callerOf(context).keyId, daily_queries });
		return { json: JSON.stringify(capped) };
	};
}

/** The caller of an operation about a key. Over HTTP `needsKey` ensures that there is one. @throws AppError 403 */
export function callerOf(context: RequestContext): NonNullable<RequestContext["caller"]> {
	if (context.caller === undefined) throw keyNeeded("this endpoint requires an API key: send it as X-API-Key");
	return context.caller;
}
