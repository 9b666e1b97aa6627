import type { IncomingHttpHeaders } from "node:http";
import { forbidden } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { digestOf, isSecret } from "#libs/contract/key.ts";
import type { AskBilling } from "../billing.ts";
import { readCreditToken } from "./token.ts";

/** The balance, for who has the token. */
export function getCredits(ask: AskBilling): Handler<"getCredits"> {
	return async (_params, { http }) => {
		const token = readCreditToken((http?.headers ?? {}) as IncomingHttpHeaders);
		if (token === undefined) throw forbidden("send the credit token as Authorization: Bearer cr_...");
		// A malformed token and one that was never issued are the same to the caller.
		const { credits } = isSecret(token, "cr_")
			? await ask("readCredits", { sha256: digestOf(token) })
			: { credits: null };
		if (credits === null) throw forbidden("the credit token is not valid");
		const { balance_micro_usd, hint, created_at } = credits;
		const reply: Reply<"getCredits"> = { balance_usd: balance_micro_usd / 1e6, hint, created_at };
		return { json: JSON.stringify(reply), dataVersion: 0, headers: { "cache-control": "no-store" } };
	};
}
