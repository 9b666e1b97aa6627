/** Prepaid credits that the gateway sells, and the balance and cap of a token. */
import type { IncomingHttpHeaders } from "node:http";
import { AppError, forbidden } from "#libs/contract/errors.ts";
import type { Handler, Handlers, Reply, RequestContext, SerializedReply } from "#libs/contract/index.ts";
import { digestOf, isSecret } from "#libs/contract/key.ts";
import type { RequestBilling } from "../billing.ts";
import type { Rail } from "../rails/rail.ts";
import { readCreditToken } from "./token.ts";

export function getCredits(requestBilling: RequestBilling): Handler<"getCredits"> {
	return (_params, context) => describe(requestBilling, digestIn(context));
}

/** Changes the daily cap of a token, and rounds it to cents, because no call costs less. */
export function changeCredits(requestBilling: RequestBilling): Handler<"changeCredits"> {
	return async ({ daily_cap_usd }, context) => {
		const sha256 = digestIn(context);
		const cap = daily_cap_usd === null ? null : Math.round(daily_cap_usd * 100) * 10_000;
		await requestBilling("capCredits", { sha256, daily_cap_micro_usd: cap }).catch((error: unknown) => {
			throw error instanceof AppError && error.status === 404 ? notValid() : error;
		});
		return describe(requestBilling, sha256);
	};
}

/** @throws AppError 400, 403 */
function digestIn({ http }: RequestContext): string {
	const token = readCreditToken((http?.headers ?? {}) as IncomingHttpHeaders);
	if (token === undefined) throw forbidden("send the credit token as Authorization: Bearer cr_...");
	// The response does not reveal whether a token is malformed or unknown.
	if (!isSecret(token, "cr_")) throw notValid();
	return digestOf(token);
}

const notValid = () => forbidden("the credit token is not valid");

async function describe(requestBilling: RequestBilling, sha256: string): Promise<SerializedReply<Reply<"getCredits">>> {
	const { credits } = await requestBilling("readCredits", { sha256 });
	if (credits === null) throw notValid();
	const { balance_micro_usd, daily_cap_micro_usd, spent_today_micro_usd, hint, created_at } = credits;
	const reply: Reply<"getCredits"> = {
		balance_usd: balance_micro_usd / 1e6,
		hint,
		daily_cap_usd: daily_cap_micro_usd === null ? null : daily_cap_micro_usd / 1e6,
		spent_today_usd: spent_today_micro_usd / 1e6,
		created_at,
	};
	return { json: JSON.stringify(reply), headers: { "cache-control": "no-store" } };
}

export interface CreditSales {
	/** The card rail; undefined if payment by card is not enabled. */
	rail: Rail | undefined;
	handlers: Pick<Handlers<"gateway">, "buyCredits" | "startCheckout" | "getCredits" | "changeCredits">;
	/** Handles an event of the processor (`webhook.ts`); undefined if the rail is not enabled. */
	receiveEvent?(body: unknown, signature: string | string[] | undefined): Promise<void>;
}

export function notSelling(requestBilling: RequestBilling): CreditSales {
	const refuse = async () => {
		throw forbidden("credits are not sold here: payment by card is not enabled");
	};
	return {
		rail: undefined,
		handlers: {
			buyCredits: refuse,
			startCheckout: refuse,
			getCredits: getCredits(requestBilling),
			changeCredits: changeCredits(requestBilling),
		},
	};
}
