import type { Handler, Reply } from "#libs/contract/index.ts";
import { digestOf, hintOf, makeSecret } from "#libs/contract/key.ts";
import { type AskBilling, askTwice } from "../payments/billing.ts";

export interface RegisterOptions {
	askBilling: AskBilling;
	/** Counts a registration from this address. Throws 429. */
	limitRegistrations(address: string): Promise<void>;
}

/** The key is made here and shown once: what goes over the bus, and is stored, is its SHA-256. */
export function register({ askBilling, limitRegistrations }: RegisterOptions): Handler<"register"> {
	return async ({ email, name, daily_queries }, { http }) => {
		if (http === undefined) throw new Error("register was called without the address that it is limited by");
		// Before billing is asked: whether an address has an account is nothing to try out by the thousand.
		await limitRegistrations(http.address);
		const key = makeSecret("pk_");
		const hint = hintOf(key);
		// An account whose key was lost on the way to its owner could not be opened again.
		const issue = {
			email,
			name: name ?? null,
			sha256: digestOf(key),
			hint,
			...(daily_queries !== undefined && { daily_queries }),
		};
		const issued = await askTwice(askBilling)("issueKey", issue);
		return { json: JSON.stringify(issuedKey(key, issued)), dataVersion: 0 };
	};
}

/** What the answer shows of a new key. */
export function issuedKey(key: string, issued: Omit<Reply<"issueKey">, "account_id">): Reply<"register"> {
	const { key_id, plan, monthly_queries, per_minute, daily_queries, created_at } = issued;
	return { key, key_id, hint: hintOf(key), plan, monthly_queries, per_minute, daily_queries, created_at };
}
