/** API keys: issued, replaced, capped and revoked. A key is generated here and shown once; billing receives and stores its SHA-256. */

import { keyNeeded } from "#libs/contract/errors.ts";
import type { Handler, Reply, RequestContext } from "#libs/contract/index.ts";
import { digestOf, hintOf, makeSecret } from "#libs/contract/key.ts";
import { type AskBilling, askTwice } from "../payments/billing.ts";

export interface RegisterOptions {
	askBilling: AskBilling;
	/** Counts a registration of this address. @throws AppError 429 */
	limitRegistrations(address: string): Promise<void>;
}

export function register({ askBilling, limitRegistrations }: RegisterOptions): Handler<"register"> {
	return async ({ email, name, daily_queries }, { http }) => {
		if (http === undefined) throw new Error("register was called without the address that it is limited by");
		// Each registration may mail a link to an address that is another's.
		await limitRegistrations(http.address);
		const key = makeSecret("pk_");
		const hint = hintOf(key);
		// Repeated if the reply is lost, because the e-mail address could then not register again.
		const issue = {
			email,
			name: name ?? null,
			sha256: digestOf(key),
			hint,
			...(daily_queries !== undefined && { daily_queries }),
		};
		const issued = await askTwice(askBilling)("issueKey", issue);
		return { json: JSON.stringify(issuedKey(key, issued)) };
	};
}

export function issuedKey(key: string, issued: Omit<Reply<"issueKey">, "account_id">): Reply<"register"> {
	const { key_id, plan, monthly_queries, per_minute, daily_queries, created_at } = issued;
	return { key, key_id, hint: hintOf(key), plan, monthly_queries, per_minute, daily_queries, created_at };
}

/** Sends the same reply whether the address has an account or not. Shares its limit with registrations, because both send mails. */
export function requestKey({ askBilling, limitRegistrations }: RegisterOptions): Handler<"requestKey"> {
	return async ({ email }, { http }) => {
		if (http === undefined) throw new Error("requestKey was called without the address that it is limited by");
		await limitRegistrations(http.address);
		await askBilling("mailKeyLink", { email });
		const note =
			"If this is the verified address of an account, a link is mailed to it, which works once, for 24 hours. Keys work until it is used.";
		return { json: JSON.stringify({ note }) };
	};
}

export function recoverKey({ askBilling }: { askBilling: AskBilling }): Handler<"recoverKey"> {
	return async ({ token }) => {
		const key = makeSecret("pk_");
		const link = { token_sha256: digestOf(token), sha256: digestOf(key), hint: hintOf(key) };
		const { revoked, ...issued } = await askTwice(askBilling)("redeemKeyLink", link);
		return { json: JSON.stringify({ ...issuedKey(key, issued), revoked }) };
	};
}

export function rotateKey({ askBilling }: { askBilling: AskBilling }): Handler<"rotateKey"> {
	return async ({ grace_seconds }, context) => {
		const { keyId } = callerOf(context);
		const key = makeSecret("pk_");
		const replaced = await askTwice(askBilling)("replaceKey", {
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

export function revokeKey({ askBilling }: { askBilling: AskBilling }): Handler<"revokeKey"> {
	return async (_params, context) => {
		const ended = await askBilling("endKey", { key_id: callerOf(context).keyId });
		return { json: JSON.stringify(ended) };
	};
}

/** Applies at every gateway as soon as billing's event arrives there. */
export function changeKey({ askBilling }: { askBilling: AskBilling }): Handler<"changeKey"> {
	return async ({ daily_queries }, context) => {
		const capped = await askBilling("capKey", { key_id: callerOf(context).keyId, daily_queries });
		return { json: JSON.stringify(capped) };
	};
}

/** The caller of an operation about a key. Over HTTP `needsKey` ensures that there is one. @throws AppError 403 */
export function callerOf(context: RequestContext): NonNullable<RequestContext["caller"]> {
	if (context.caller === undefined) throw keyNeeded("this endpoint requires an API key: send it as X-API-Key");
	return context.caller;
}
