/**
 * A way to pay for one call without a key. The order is always the same: offer (402), read, validate, claim (once among all replicas,
 * in billing), handler, settle (only when the handler answered below 400), receipt. A rail knows its protocol; `access/pay.ts` knows
 * the order and the ledger.
 */
import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "#libs/contract/errors.ts";
import type { OperationName } from "#libs/contract/index.ts";
import type { RailName } from "#libs/contract/vocabulary.ts";

/** What is to be paid for. */
export interface Charge {
	operation: OperationName;
	method: string;
	/** Of the declaration: `/projects/{project_id}`. What a payment is bound to, together with the method. */
	route: string;
	/** Absolute address as the caller asked for it, without any secret (`api_key`). */
	url: string;
	amountMicroUsd: number;
	description: string;
}

/** A rail's part of a 402. */
export interface Offer {
	/** `PAYMENT-REQUIRED`, `WWW-Authenticate`. */
	headers: Record<string, string>;
	/** Fields of the body's top level (x402Version, accepts, ...). */
	body?: Record<string, unknown>;
	/** The body's `rails.<name>`: how a person or an agent pays this way. */
	hint: Record<string, unknown>;
}

/** A credential of which the rail has checked, without side effects, that it would pay for the charge. */
export interface Checked {
	/** CAIP-2 network (`eip155:8453`), or the processor. */
	network: string;
	/** Address or account, where the credential names one. */
	payer: string | null;
	/** What can be charged once, unique within the rail: everything that an attacker could vary is left out. */
	nonce: string;
	/** JSON with which any replica can settle the payment later, or ask what became of it. */
	stored: string;
	/** Card: the SHA-256 of the credit token, which is debited by the claim itself. */
	creditsSha256?: string;
}

export type Settlement =
	| { outcome: "settled"; reference: string; headers: Record<string, string> }
	/** Certainly not charged. */
	| { outcome: "failed"; reason: string; headers: Record<string, string> }
	/** Perhaps charged: a time-out, a lost connection. */
	| { outcome: "unknown"; reason: string };

export interface Rail {
	readonly name: RailName;
	/** Address of the token that it is paid in, where documents name it. */
	readonly currency?: string;
	/** Undefined while what the rail depends on has not answered yet. Has no side effect and sends no request. */
	offer(charge: Charge): Promise<Offer | undefined>;
	/** The credential that the request carries for this rail, as text; undefined for none. @throws AppError 400 for one that is given twice. */
	read(headers: IncomingHttpHeaders): string | undefined;
	/** The caller's own name for the purchase, where the credential has one. @throws AppError 400 for a credential that cannot be read. */
	identifierOf(credential: string): string | null;
	/** Whether it would pay. @throws PaymentRefused, or 503 when that cannot be found out. */
	validate(credential: string, charge: Charge): Promise<Checked>;
	/**
	 * What a credential claims to be, unchecked: for one that was charged before and can no longer be validated. Undefined when it
	 * is unknown. @throws AppError 400
	 */
	claimOf(credential: string): Pick<Checked, "network" | "payer" | "nonce"> | undefined;
	/** Charges. Never throws: what went wrong is an outcome. `stored` is what `validate` answered. */
	settle(stored: string, charge: Pick<Charge, "amountMicroUsd">): Promise<Settlement>;
	/** Finds out what became of a charge that was begun `ageSeconds` ago. Never throws; `unknown`: ask again later. */
	reconcile(stored: string, ageSeconds: number): Promise<Settlement>;
	/** Headers of an answer that was paid for by this settlement (a receipt), also when it is given again. */
	receipt(reference: string, stored: string | null): Record<string, string>;
}

/** The charge may have been made. `status`: 503 to the request that began it, 409 to others. */
export const paymentPending = (status: 409 | 503): AppError =>
	new AppError(
		status,
		"the payment is pending: what became of it is not known yet. Send the same again: nothing is charged twice",
		{ code: "payment_pending", retryAfterSeconds: 5 },
	);

/** The payment does not pay for this: answered 402 with what would. `reason` is for the caller; it repeats no credential. */
export class PaymentRefused extends AppError {
	/** Further headers of the answer, instead of the offer's own (a failed settlement's `PAYMENT-RESPONSE`). */
	readonly railHeaders: Record<string, string>;
	/** RFC 9457 `type` of the body, where the rail's protocol has one. */
	readonly problem: string | undefined;

	constructor(reason: string, railHeaders: Record<string, string> = {}, problem?: string) {
		super(402, reason);
		this.railHeaders = railHeaders;
		this.problem = problem;
	}
}
