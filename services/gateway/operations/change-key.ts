import type { Handler } from "#libs/contract/index.ts";
import type { AskBilling } from "../payments/billing.ts";
import { callerOf } from "./caller-of.ts";

/** Holds at every gateway as soon as billing's event arrives there. */
export function changeKey({ askBilling }: { askBilling: AskBilling }): Handler<"changeKey"> {
	return async ({ daily_queries }, context) => {
		const capped = await askBilling("capKey", { key_id: callerOf(context).keyId, daily_queries });
		return { json: JSON.stringify(capped), dataVersion: 0 };
	};
}
