/** The configured rails. Others are not loaded, because their packages take a second. */
import type { Logger } from "#libs/service/logger.ts";
import type { Config } from "../../config.ts";
import type { AskBilling } from "../billing.ts";
import { type CreditSales, notSelling } from "../credits/sales.ts";
import type { Rail } from "./rail.ts";
import type { X402Options } from "./x402.ts";

export interface Rails extends AsyncDisposable {
	rails: readonly Rail[];
	/** Sales that the card rail spends; they refuse if it is not enabled. */
	sales: CreditSales;
}

export interface RailsOptions {
	config: Config;
	ask: AskBilling;
	log: Logger;
	now: () => Date;
	/** A facilitator in this process instead of X402_FACILITATOR_URL. */
	facilitator?: X402Options["facilitator"];
}

export async function openRails(options: RailsOptions): Promise<Rails> {
	const { config } = options;
	await using stack = new AsyncDisposableStack();
	const rails: Rail[] = [];
	let sales = notSelling(options.ask);
	if (config.X402_PAY_TO !== undefined) {
		const { openX402 } = await import("./x402.ts");
		rails.push(stack.use(openX402(options)));
	}
	if (config.MPP_RECIPIENT !== undefined) {
		const { openMpp } = await import("./mpp.ts");
		rails.push(openMpp({ ...options, now: () => options.now().getTime() }));
	}
	if (config.STRIPE_SECRET_KEY !== undefined) {
		const { openCreditSales } = await import("../credits/index.ts");
		sales = openCreditSales(options);
		if (sales.rail !== undefined) rails.push(sales.rail);
	}
	const owned = stack.move();
	return { rails, sales, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
