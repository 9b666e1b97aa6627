/**
 * A way to pay for one call without a key. The order is fixed: offer (402), read, validate, claim (once among all replicas, in billing),
 * handler, settle (only if the handler's status is below 400), receipt. A rail implements its protocol; `payments/pay.ts` implements the
 * order.
 */
import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "#libs/contract/errors.ts";
import type { OperationName } from "#libs/contract/index.ts";
import type { RailName } from "#libs/contract/vocabulary.ts";

export interface Charge {
	operation: OperationName;
	method: string;
	/** The declared path, `/projects/{project_id}`. A payment is bound to it and the method. */
	route: string;
	/** Absolute URL of the request without secrets (`api_key`). */
	url: string;
	amountMicroUsd: number;
	description: string;
}

export interface Offer {
	headers: Record<string, string>;
	/** Fields of the body's top level (x402Version, accepts, ...). */
	body?: Record<string, unknown>;
	/** Value of `rails.<name>` in the body: instructions for paying by this rail. */
	hint: Record<string, unknown>;
}

/** A credential that the rail has verified: it would pay for the charge. The verification has no side effects. */
export interface Checked {
	network: string;
	/** Address or account, if the credential names one. */
	payer: string | null;
	/** Identifies a payment within the rail, so that it is charged only once. It is not derived from anything that an attacker could vary. */
	nonce: string;
	/** JSON with which any replica can settle or reconcile the payment later. */
	stored: string;
	/** Card: SHA-256 of the credit token that the claim debits. */
	creditsSha256?: string;
}

export type Settlement =
	| { outcome: "settled"; reference: string; headers: Record<string, string> }
	/** Not charged. */
	| { outcome: "failed"; reason: string; headers: Record<string, string> }
	/** Possibly charged, as after a timeout. */
	| { outcome: "unknown"; reason: string };

export interface Rail {
	readonly name: RailName;
	/** Address of the token that the rail accepts, for documents. */
	readonly currency?: string;
	/** The offer for a charge; undefined until the rail is ready. Has no side effects and sends no request. */
	offer(charge: Charge): Promise<Offer | undefined>;
	/** The credential that a request carries for this rail; undefined if there is none. @throws AppError 400 if there are several */
	read(headers: IncomingHttpHeaders): string | undefined;
	/** The caller's own identifier of the purchase, if the credential has one. @throws AppError 400 if the credential cannot be parsed */
	identifierOf(credential: string): string | null;
	/** Verifies that the credential would pay for the charge. @throws PaymentRefused if not; AppError 503 if that cannot be checked */
	validate(credential: string, charge: Charge): Promise<Checked>;
	/**
	 * Identifies a payment without verifying its credential, because a credential that was charged before is no longer valid. Undefined if
	 * the credential does not identify a payment. @throws AppError 400
	 */
	claimOf(credential: string): Pick<Checked, "network" | "payer" | "nonce"> | undefined;
	/** Charges a payment. Never throws: a failure is an outcome. `stored` is from the result of `validate`. */
	settle(stored: string, charge: Pick<Charge, "amountMicroUsd">): Promise<Settlement>;
	/** Finds the outcome of a charge that began `ageSeconds` ago. Never throws. If the outcome is `unknown`, it is requested again later. */
	reconcile(stored: string, ageSeconds: number): Promise<Settlement>;
	/** Receipt headers of a response that this settlement paid for, also when it is sent again. */
	receipt(reference: string): Record<string, string>;
}

/** The error while it is unknown whether a payment was charged. `status`: 503 for the request that began the charge, 409 for other requests. */
export const paymentPending = (status: 409 | 503): AppError =>
	new AppError(status, "payment pending: outcome unknown. Repeat the same request; nothing is charged twice", {
		code: "payment_pending",
		retryAfterSeconds: 5,
	});

/** The error for a payment that does not pay for the call. The caller receives a 402 with `reason`, which must not contain the credential. */
export class PaymentRefused extends AppError {
	/** Headers that replace those of the offer, such as the `PAYMENT-RESPONSE` of a failed settlement. */
	readonly railHeaders: Record<string, string>;
	/** The `type` of the problem (RFC 9457), if the rail's protocol defines one. */
	readonly problem: string | undefined;

	constructor(reason: string, railHeaders: Record<string, string> = {}, problem?: string) {
		super(402, reason);
		this.railHeaders = railHeaders;
		this.problem = problem;
	}
}
