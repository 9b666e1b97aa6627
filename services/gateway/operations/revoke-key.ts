import type { Handler } from "#libs/contract/index.ts";
import type { AskBilling } from "../payments/billing.ts";
import { callerOf } from "./caller-of.ts";

export function revokeKey({ askBilling }: { askBilling: AskBilling }): Handler<"revokeKey"> {
	return async (_params, context) => {
		const ended = await askBilling("endKey", { key_id: callerOf(context).keyId });
		return { json: JSON.stringify(ended), dataVersion: 0 };
	};
}
