/** Opens the configured rails. Rails that are not configured are not loaded, because loading their packages takes a second. */
import type { Logger } from "#libs/service/logger.ts";
import type { Config } from "../../config.ts";
import type { RequestBilling } from "../billing.ts";
import { type CreditSales, notSelling } from "../credits/sales.ts";
import type { Rail } from "./rail.ts";
import type { X402Options } from "./x402.ts";

export interface Rails extends AsyncDisposable {
	rails: readonly Rail[];
	/** Sales of credits, which the rail `card` spends. If that rail is not enabled, sales are refused. */
	sales: CreditSales;
}

export interface RailsOptions {
	config: Config;
	requestBilling: RequestBilling;
	log: Logger;
	now: () => Date;
	/** A facilitator in this process, used instead of X402_FACILITATOR_URL. */
	facilitator?: X402Options["facilitator"];
}

export async function openRails(options: RailsOptions): Promise<Rails> {
	const { config } = options;
	await using stack = new AsyncDisposableStack();
	const rails: Rail[] = [];
	let sales = notSelling(options.requestBilling);
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
	const resources = stack.move();
	return { rails, sales, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
