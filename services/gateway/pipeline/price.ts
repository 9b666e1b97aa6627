/**
 * Steps of a call without a key: `price` refuses the call if it carries no payment (402 with every rail's challenge), and `pay` executes it and
 * charges for the response (`payments/`).
 */

import { Readable } from "node:stream";
import { AppError } from "#libs/contract/errors.ts";
import { priceMicroUsd } from "#libs/contract/vocabulary.ts";
import { type Call, callerGone } from "../calls/call.ts";
import type { Config } from "../config.ts";
import type { AbuseThrottle } from "../limiter/abuse-throttle.ts";
import { challenge } from "../payments/challenge.ts";
import type { Payments } from "../payments/pay.ts";
import { type Charge, PaymentRefused } from "../payments/rails/rail.ts";
import type { Paid } from "../payments/settle.ts";
import type { CallResponse, HttpOperation } from "../registry/bindings.ts";
import { asksAboutFile } from "./rate.ts";

export interface PayOptions {
	payments: Payments;
	abuseThrottle: AbuseThrottle;
	settings: Pick<Config, "KEYLESS">;
}

/** @returns a step that sets `payment`. It throws AppError 400, 402 and 429 */
export function priceStep(
	operation: HttpOperation,
	{ payments, abuseThrottle, settings }: PayOptions,
): (call: Call) => Promise<void> {
	const isSold = operation.http.price !== "free" && settings.KEYLESS === "pay";
	return async (call) => {
		const { caller, transport } = call;
		if (!isSold || caller.kind === "key" || asksAboutFile(call)) return;
		const charge = chargeOf(operation, transport.url);
		const payment = readOrRefuse(() => payments.read(transport.headers));
		if (payment === undefined || payment instanceof PaymentRefused) {
			abuseThrottle.check("price", caller.address);
			await abuseThrottle.count("price", caller.address);
			throw await challenge(payments.rails, charge, payment);
		}
		abuseThrottle.check("payment", caller.address);
		if (transport.method === "HEAD")
			throw new AppError(400, "a HEAD request cannot be paid for, because its response has no body; use GET");
		call.payment = { payment, charge };
	};
}

function readOrRefuse<T>(read: () => T): T | PaymentRefused {
	try {
		return read();
	} catch (error) {
		if (error instanceof PaymentRefused) return error;
		throw error;
	}
}

const chargeOf = ({ name, operation, http }: HttpOperation, url: string): Charge => ({
	operation: name,
	method: http.method,
	route: http.path,
	url,
	amountMicroUsd: priceMicroUsd[http.price],
	description: operation.summary,
});

/** @returns a step that sets `paying`. It throws AppError 402, 409, 429, 499 or 503, or the error of `execute`, after which nothing is charged */
export function payStep(
	{ operation, http, rendering }: HttpOperation,
	{ payments, abuseThrottle }: PayOptions,
): (call: Call, execute: () => Promise<CallResponse>) => Promise<Paid> {
	const isFile = operation.streamed === true;

	/** Pays for the call. A payment that pays for nothing counts against its sender, because checking it causes work. */
	async function buy(call: Call, execute: () => Promise<CallResponse>): Promise<Paid> {
		const { caller, payment, params, transport } = call;
		if (payment === undefined) throw new Error("the call has no payment");
		const address = caller.kind === "anonymous" ? caller.address : "";
		abuseThrottle.check("failure", address);
		const purchase = {
			...payment,
			question: JSON.stringify(params) + (rendering === undefined ? "" : http.path),
			requestId: transport.id,
			isFile,
			handle: async () => refuseIfDisconnected(call, await execute()),
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

/** Throws if the client has disconnected, so that it is not charged. */
function refuseIfDisconnected({ transport }: Call, response: CallResponse): CallResponse {
	if (!transport.closed) return response;
	if (response.body instanceof Readable) response.body.destroy();
	throw callerGone();
}
