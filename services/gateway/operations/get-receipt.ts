import type { IncomingHttpHeaders } from "node:http";
import { notFound } from "#libs/contract/errors.ts";
import type { Handler } from "#libs/contract/index.ts";
import { digestOf, isSecret } from "#libs/contract/key.ts";
import type { AskBilling } from "../payments/billing.ts";
import { readCreditToken } from "../payments/credits/token.ts";

/** By a request: what another has paid is not found, as what does not exist. The transaction of a payment is public, and so is its receipt. */
export function getReceipt({ askBilling }: { askBilling: AskBilling }): Handler<"getReceipt"> {
	return async ({ receipt_id }, { caller, http }) => {
		const token = readCreditToken((http?.headers ?? {}) as IncomingHttpHeaders);
		const { receipt } = await askBilling("readReceipt", {
			receipt_id,
			account_id: caller?.accountId ?? null,
			credits_sha256: token !== undefined && isSecret(token, "cr_") ? digestOf(token) : null,
		});
		if (receipt === null)
			throw notFound(
				"there is no receipt of this id for this caller: an answer has its own a few seconds later, for the key or the credit token that it was asked with",
			);
		return { json: JSON.stringify(receipt), dataVersion: 0, headers: { "cache-control": "private, no-store" } };
	};
}
