/**
 * Paying for one call: claim once, run the handler, settle only what it answered below 400, hand over only what is settled. Billing's
 * row is the authority on who may use a payment; a rail only knows its protocol.
 */
import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { AppError, badRequest, conflict, unavailable } from "#libs/contract/errors.ts";
import type { Reply } from "#libs/contract/index.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { AbuseThrottle } from "../limiter/abuse-throttle.ts";
import { dayOf } from "../limiter/limits.ts";
import { usdText } from "../registry/bindings.ts";
import { type AskBilling, askTwice } from "./billing.ts";
import { challenge } from "./challenge.ts";
import { type Checked, PaymentRefused, paymentPending, type Rail } from "./rails/rail.ts";
import { openSettlements, type Paid, type Payment, type Purchase, paidAnswer } from "./settle.ts";

export interface Payments extends AsyncDisposable {
	readonly rails: readonly Rail[];
	/** The payment that a request carries. @throws AppError 400 for several, PaymentRefused for one that cannot be read. */
	read(headers: IncomingHttpHeaders): Payment | undefined;
	/** @throws AppError 402 with every offer when it does not pay, 409 while it is in use, 503 when that cannot be found out. */
	buy(purchase: Purchase): Promise<Paid>;
}

export interface PaymentsOptions {
	rails: readonly Rail[];
	ask: AskBilling;
	log: Pick<Logger, "warn">;
	now?: () => Date;
	/** Bounds what a payer can have worked on without being charged. */
	abuseThrottle?: Pick<AbuseThrottle, "check" | "count">;
}

/** A claim on a payment, and what is known of it. */
interface Claimed {
	checked: Checked;
	identifier: string | null;
	claim: Reply<"claimPayment">;
}

const isUnavailable = (error: unknown): error is AppError => error instanceof AppError && error.status === 503;

/** This request has charged nothing. Whether one before has is not known while the ledger does not answer. */
function notClaimed(error: unknown): never {
	if (!isUnavailable(error)) throw error;
	throw unavailable(
		"the payment could not be checked: this request charges nothing; send the same again",
		error.retryAfterSeconds,
	);
}

export function openPayments({ rails, ask, log, abuseThrottle, now = () => new Date() }: PaymentsOptions): Payments {
	const settlements = openSettlements(ask, log);

	async function use(purchase: Purchase, { checked, identifier, claim }: Claimed): Promise<Paid> {
		const { rail } = purchase.payment;
		switch (claim.outcome) {
			case "claimed":
				return settlements.settle(purchase, { stored: checked.stored, identifier, payment_id: claim.payment_id });
			case "deliver":
				return settlements.deliverAgain(purchase, claim);
			case "covered": {
				const covered = await settlements.sendCovered(purchase, claim);
				// Another file is another charge, unless the first never arrived.
				return (
					covered ??
					use(purchase, await claimPayment({ ...purchase, isFile: false }, ask, abuseThrottle).catch(notClaimed))
				);
			}
			case "answered": {
				const { status, content_type, reference } = claim;
				const headers = { "content-type": content_type, ...rail.receipt(reference, null) };
				const answered = { status, headers, body: Buffer.from(claim.body, "base64") };
				return { ...paidAnswer(purchase, 0, answered), sent: () => {} };
			}
			case "pending":
				throw paymentPending(409);
			case "conflict":
				throw conflict("the payment identifier was used for another request");
			case "insufficient":
				throw new PaymentRefused(`the credits left are $${(claim.balance_micro_usd / 1e6).toFixed(2)}`);
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
				const claimed = await claimPayment(purchase, ask, abuseThrottle).catch(notClaimed);
				return await use(purchase, claimed).catch(async (error: unknown) => {
					const payer = payerOf(claimed.checked);
					if (error instanceof AppError && error.counts === true && payer !== undefined)
						await abuseThrottle?.count("failure", payer).catch(() => {});
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
	const found = rails.flatMap((rail) => {
		const credential = rail.read(headers);
		return credential === undefined ? [] : [{ rail, credential }];
	});
	if (found.length > 1) throw badRequest("the request carries more than one payment");
	// Of a method, or for a rail, that is not enabled.
	const isPaying =
		headers["payment-authorization"] !== undefined || /(^|,)\s*payment\s/i.test(headers.authorization ?? "");
	if (found.length === 0 && (isPaying || headers["payment-signature"] !== undefined))
		throw badRequest("payments by this method are not taken here; a request without one says which are");
	return found[0];
}

/** Under which name a payer's failures are counted; of credits the token is the payer. */
const payerOf = ({ payer, creditsSha256 }: Checked): string | undefined => payer ?? creditsSha256;

/** Makes the payment this request's. @throws PaymentRefused, or AppError when it cannot be read or checked. */
async function claimPayment(
	purchase: Purchase,
	ask: AskBilling,
	abuseThrottle: PaymentsOptions["abuseThrottle"],
): Promise<Claimed> {
	const { charge, question, requestId } = purchase;
	const { rail, credential } = purchase.payment;
	const identifier = rail.identifierOf(credential);
	const claim = (checked: Pick<Checked, "network" | "payer" | "nonce"> & Partial<Checked>, onlyAgain: boolean) =>
		askTwice(ask)("claimPayment", {
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
		// What was charged before cannot be charged again, so it does not validate any more, and what the rail cannot check now may have
		// been charged: the ledger knows whether its outcome is open or its answer owed.
		const before = rail.claimOf(credential);
		if (before === undefined) throw error;
		const again = await claim(before, true);
		// Never seen, or given back: the response is why it does not pay.
		if (again.outcome === "used" && again.state === "released") throw error;
		return { ...before, stored: "", again };
	});
	if ("again" in checked) return { checked, identifier, claim: checked.again };
	const payer = payerOf(checked);
	if (payer !== undefined) abuseThrottle?.check("failure", payer);
	return { checked, identifier, claim: await claim(checked, false) };
}

type Capped = Extract<Reply<"claimPayment">, { outcome: "capped" }>;

/** Offers no other way to pay: who set the cap wants to be asked. */
function spendCapReached({ daily_cap_micro_usd, spent_micro_usd }: Capped, at: Date): AppError {
	const [spent, cap] = [usdText(spent_micro_usd), usdText(daily_cap_micro_usd)];
	return new AppError(402, `of these credits $${spent} of the $${cap} of a day (UTC) are spent: nothing is charged`, {
		code: "spend_cap_reached",
		retryAfterSeconds: dayOf(at).leftSeconds,
	});
}
