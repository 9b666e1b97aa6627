/** Step: a payment is claimed, the operation is executed, and the payment is settled now that the answer is there (`payments/`). */
import { Readable } from "node:stream";
import { AppError } from "#libs/contract/errors.ts";
import type { Call } from "../calls/call.ts";
import type { AbuseThrottle } from "../limiter/abuse-throttle.ts";
import type { Payments } from "../payments/pay.ts";
import type { Paid } from "../payments/settle.ts";
import type { Answered } from "../registry/answered.ts";
import type { HttpOperation } from "../registry/bindings.ts";

export interface PayOptions {
	payments: Payments;
	abuseThrottle: AbuseThrottle;
}

/** Sets `paying`. @throws AppError 402, 409, 499, 503, and what `execute` throws: then nothing is charged */
export function payer(
	{ operation }: HttpOperation,
	{ payments, abuseThrottle }: PayOptions,
): (call: Call, execute: () => Promise<Answered>) => Promise<Paid> {
	const isFile = operation.streamed === true;

	/** A payment that pays for nothing counts against its sender, whatever came of it: it cost us a check, perhaps an answer. */
	async function buy(call: Call, execute: () => Promise<Answered>): Promise<Paid> {
		const { caller, payment: paying, params, transport } = call;
		if (paying === undefined) throw new Error("a call without a payment");
		const address = caller.kind === "anonymous" ? caller.address : "";
		abuseThrottle.check("failure", address);
		const purchase = {
			...paying,
			question: JSON.stringify(params),
			requestId: transport.id,
			isFile,
			handle: async () => unlessGone(call, await execute()),
		};
		try {
			const paid = await payments.buy(purchase);
			if (paid.paidMicroUsd === 0) await abuseThrottle.count("payment", address).catch(() => {});
			return paid;
		} catch (error) {
			if (error instanceof AppError && error.counts === true)
				await abuseThrottle.count("failure", address).catch(() => {});
			if (error instanceof AppError && error.status < 500) {
				const counted = abuseThrottle.count("payment", address);
				await (error.status === 402 ? counted : counted.catch(() => {}));
			}
			throw error;
		}
	}

	return (call, execute) => {
		call.paying = buy(call, execute);
		return call.paying;
	};
}

/** A client that has disconnected by now is not charged. */
function unlessGone({ transport }: Call, answered: Answered): Answered {
	if (!transport.closed) return answered;
	if (answered.body instanceof Readable) answered.body.destroy();
	throw new AppError(499, "the caller has gone");
}
