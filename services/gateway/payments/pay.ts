/**
 * Payment for one call: claim the payment once, run the handler, charge only if its status is below 400, and deliver only a response that
 * was charged. Billing decides which request may use a payment; a rail only implements its protocol.
 */
import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { AppError, badRequest, conflict, unavailable } from "#libs/contract/errors.ts";
import type { Reply } from "#libs/contract/index.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { AbuseThrottle } from "../limiter/abuse-throttle.ts";
import { dayOf } from "../limiter/limits.ts";
import { usdText } from "../registry/bindings.ts";
import { type RequestBilling, requestTwice } from "./billing.ts";
import { challenge } from "./challenge.ts";
import { type Checked, PaymentRefused, paymentPending, type Rail } from "./rails/rail.ts";
import { openSettlements, type Paid, type Payment, type Purchase, paidResponse } from "./settle.ts";

export interface Payments extends AsyncDisposable {
	readonly rails: readonly Rail[];
	/** The payment of a request; undefined if there is none. @throws AppError 400 for several payments, PaymentRefused if it cannot be parsed */
	read(headers: IncomingHttpHeaders): Payment | undefined;
	/** Pays for a call. @throws AppError 402 with every offer if the payment is refused, 409 while it is in use, 503 if its state is unknown */
	buy(purchase: Purchase): Promise<Paid>;
}

export interface PaymentsOptions {
	rails: readonly Rail[];
	requestBilling: RequestBilling;
	log: Pick<Logger, "warn">;
	now: () => Date;
	abuseThrottle: AbuseThrottle;
}

interface Claimed {
	checked: Checked;
	identifier: string | null;
	claim: Reply<"claimPayment">;
}

const isUnavailable = (error: unknown): error is AppError => error instanceof AppError && error.status === 503;

/** Rethrows an error of the claim. If the ledger is unavailable, the message promises only that this request charged nothing: an earlier one may have. */
function rethrowClaimError(error: unknown): never {
	if (!isUnavailable(error)) throw error;
	throw unavailable(
		"the payment could not be checked; nothing was charged. Repeat the request",
		error.retryAfterSeconds,
	);
}

export function openPayments({ rails, requestBilling, log, abuseThrottle, now }: PaymentsOptions): Payments {
	const settlements = openSettlements(requestBilling, log);

	async function use(purchase: Purchase, { checked, identifier, claim }: Claimed): Promise<Paid> {
		const { rail } = purchase.payment;
		switch (claim.outcome) {
			case "claimed":
				return settlements.settle(purchase, { stored: checked.stored, identifier, payment_id: claim.payment_id });
			case "deliver":
				return settlements.deliverAgain(purchase, claim);
			case "covered": {
				const covered = await settlements.sendCovered(purchase, claim);
				// The file has changed, so the payment is claimed again: it pays for the new file only if the first file was never delivered.
				return (
					covered ??
					use(
						purchase,
						await claimPayment({ ...purchase, isFile: false }, requestBilling, abuseThrottle).catch(rethrowClaimError),
					)
				);
			}
			case "answered": {
				const { status, content_type, reference } = claim;
				const headers = { "content-type": content_type, ...rail.receipt(reference) };
				const response = { status, headers, body: Buffer.from(claim.body, "base64") };
				return { ...paidResponse(purchase, 0, response), sent: () => {} };
			}
			case "pending":
				throw paymentPending(409);
			case "conflict":
				throw conflict("the payment identifier was used for another request");
			case "insufficient":
				throw new PaymentRefused(`the remaining credits are $${(claim.balance_micro_usd / 1e6).toFixed(2)}`);
			case "capped":
				throw spendCapReached(claim, now());
			case "used":
				throw new PaymentRefused("it was used before");
		}
	}

	return {
		rails,
		read: (headers) => readPayment(rails, headers),
		async buy(purchase) {
			try {
				const claimed = await claimPayment(purchase, requestBilling, abuseThrottle).catch(rethrowClaimError);
				return await use(purchase, claimed).catch(async (error: unknown) => {
					const payer = payerOf(claimed.checked);
					if (error instanceof AppError && error.counts === true && payer !== undefined)
						await abuseThrottle.count("failure", payer).catch(() => {});
					throw error;
				});
			} catch (error) {
				if (!(error instanceof PaymentRefused)) throw error;
				throw await challenge(rails, purchase.charge, error);
			}
		},
		[Symbol.asyncDispose]: () => settlements[Symbol.asyncDispose](),
	};
}

function readPayment(rails: readonly Rail[], headers: IncomingHttpHeaders): Payment | undefined {
	const payments = rails.flatMap((rail) => {
		const credential = rail.read(headers);
		return credential === undefined ? [] : [{ rail, credential }];
	});
	if (payments.length > 1) throw badRequest("the request carries more than one payment");
	// Without a payment by an enabled rail, these headers carry one by a method or rail that is not enabled.
	const hasMppHeader =
		headers["payment-authorization"] !== undefined || /(^|,)\s*payment\s/i.test(headers.authorization ?? "");
	if (payments.length === 0 && (hasMppHeader || headers["payment-signature"] !== undefined))
		throw badRequest("this payment method is not accepted here; a request without a payment lists those that are");
	return payments[0];
}

/** The payer for whom failed calls are limited; with credits, the token. */
const payerOf = ({ payer, creditsSha256 }: Checked): string | undefined => payer ?? creditsSha256;

/** Claims the payment for this request. @throws PaymentRefused; AppError if the payment cannot be read or checked */
async function claimPayment(
	purchase: Purchase,
	requestBilling: RequestBilling,
	abuseThrottle: AbuseThrottle,
): Promise<Claimed> {
	const { charge, question, requestId } = purchase;
	const { rail, credential } = purchase.payment;
	const identifier = rail.identifierOf(credential);
	const claim = (checked: Pick<Checked, "network" | "payer" | "nonce"> & Partial<Checked>, onlyAgain: boolean) =>
		requestTwice(requestBilling)("claimPayment", {
			rail: rail.name,
			network: checked.network,
			payer: checked.payer,
			nonce: checked.nonce,
			identifier,
			credential_sha256: hash("sha256", credential, "hex"),
			operation: charge.operation,
			resource: hash("sha256", `${charge.operation} ${question}`, "hex"),
			amount_micro_usd: charge.amountMicroUsd,
			stored: checked.stored ?? "",
			request_id: requestId,
			credits_sha256: checked.creditsSha256 ?? null,
			only_again: onlyAgain,
			may_be_covered: purchase.isFile,
		});
	const checked = await rail.validate(credential, charge).catch(async (error: unknown) => {
		if (!(error instanceof PaymentRefused || isUnavailable(error))) throw error;
		// A payment that was charged before is no longer valid, and one that the rail cannot check may have been charged. Only the ledger
		// records whether its outcome is pending or its response was not delivered.
		const unverified = rail.claimOf(credential);
		if (unverified === undefined) throw error;
		const earlierClaim = await claim(unverified, true);
		// The payment was never claimed, or was released, so the rail's reason is reported.
		if (earlierClaim.outcome === "used" && earlierClaim.state === "released") throw error;
		return { ...unverified, stored: "", earlierClaim };
	});
	if ("earlierClaim" in checked) return { checked, identifier, claim: checked.earlierClaim };
	const payer = payerOf(checked);
	if (payer !== undefined) abuseThrottle.check("failure", payer);
	return { checked, identifier, claim: await claim(checked, false) };
}

type Capped = Extract<Reply<"claimPayment">, { outcome: "capped" }>;

/** The 402 at the daily cap of credits. It offers no other payment, because the owner of the credits set the cap. */
function spendCapReached({ daily_cap_micro_usd, spent_micro_usd }: Capped, at: Date): AppError {
	const [spent, cap] = [usdText(spent_micro_usd), usdText(daily_cap_micro_usd)];
	return new AppError(
		402,
		`these credits have spent $${spent} of their daily cap of $${cap} (UTC); nothing was charged`,
		{
			code: "spend_cap_reached",
			retryAfterSeconds: dayOf(at).leftSeconds,
		},
	);
}
