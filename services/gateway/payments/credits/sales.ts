/** What the gateway sells as prepaid credits, and what it says where the card rail is not enabled. */
import { forbidden } from "#libs/contract/errors.ts";
import type { Handlers } from "#libs/contract/index.ts";
import type { AskBilling } from "../billing.ts";
import type { Rail } from "../rails/rail.ts";
import { changeCredits, getCredits } from "./get-credits.ts";

export interface CreditSales {
	/** Undefined while the rail is not enabled. */
	rail: Rail | undefined;
	handlers: Pick<Handlers<"gateway">, "buyCredits" | "startCheckout" | "getCredits" | "changeCredits">;
	/** Takes what the processor reports (see `webhook.ts`); undefined while the rail is not enabled. */
	receiveEvent?(body: unknown, signature: string | string[] | undefined): Promise<void>;
}

export function notSelling(ask: AskBilling): CreditSales {
	const refuse = async () => {
		throw forbidden("credits are not sold here: payment by card is not enabled");
	};
	return {
		rail: undefined,
		handlers: {
			buyCredits: refuse,
			startCheckout: refuse,
			getCredits: getCredits(ask),
			changeCredits: changeCredits(ask),
		},
	};
}
