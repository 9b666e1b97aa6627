import type { Handler, Reply } from "#libs/contract/index.ts";
import { digestOf, hintOf, makeSecret } from "#libs/contract/key.ts";
import { type AskBilling, askTwice } from "../payments/billing.ts";
import { callerOf } from "./caller-of.ts";
import { issuedKey } from "./register.ts";

/** The new key is the account's: plan and counters stay. */
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
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}
