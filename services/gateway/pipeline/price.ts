/** Step: what a call without a key costs where keyless callers pay: 402 with every payment method's challenge, or the payment that it carries. */
import { AppError } from "#libs/contract/errors.ts";
import { priceMicroUsd } from "#libs/contract/vocabulary.ts";
import type { Call } from "../calls/call.ts";
import type { AbuseThrottle } from "../limiter/abuse-throttle.ts";
import { challenge } from "../payments/challenge.ts";
import type { Payments } from "../payments/pay.ts";
import { type Charge, PaymentRefused } from "../payments/rails/rail.ts";
import type { HttpOperation } from "../registry/bindings.ts";
import { asksAboutFile } from "./rate.ts";

export interface PriceOptions {
	payments: Payments;
	abuseThrottle: AbuseThrottle;
	access: { KEYLESS: "open" | "pay" | "closed" };
}

/** @returns a step that sets `payment`. It throws AppError 400, 402, 429. */
export function pricer(
	operation: HttpOperation,
	{ payments, abuseThrottle, access }: PriceOptions,
): (call: Call) => Promise<void> {
	const isSold = operation.http.price !== "free" && access.KEYLESS === "pay";
	return async (call) => {
		const { caller, transport } = call;
		if (!isSold || caller.kind === "key" || asksAboutFile(call)) return;
		const charge = chargeOf(operation, transport.url);
		const payment = readOr(() => payments.read(transport.headers));
		if (payment === undefined || payment instanceof PaymentRefused) {
			abuseThrottle.check("price", caller.address);
			await abuseThrottle.count("price", caller.address);
			throw await challenge(payments.rails, charge, payment);
		}
		abuseThrottle.check("payment", caller.address);
		// Headers alone are not charged.
		if (transport.method === "HEAD") throw new AppError(400, "a payment buys an answer: send it with GET");
		call.payment = { payment, charge };
	};
}

function readOr<T>(read: () => T): T | PaymentRefused {
	try {
		return read();
	} catch (error) {
		if (error instanceof PaymentRefused) return error;
		throw error;
	}
}

const chargeOf = ({ name, operation, http }: HttpOperation, url: string): Charge => ({
	operation: name,
	// HEAD is priced as the GET that it stands for.
	method: http.method,
	route: http.path,
	url,
	amountMicroUsd: priceMicroUsd[http.price],
	description: operation.summary,
});
