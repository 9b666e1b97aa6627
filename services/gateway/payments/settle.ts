/** The settlement of a paid call: runs the handler, charges, and records the outcome. */
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { AppError, unavailable } from "#libs/contract/errors.ts";
import type { RailName } from "#libs/contract/vocabulary.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { CallResponse } from "../registry/bindings.ts";
import { type RequestBilling, requestTwice } from "./billing.ts";
import { type Charge, PaymentRefused, paymentPending, type Rail } from "./rails/rail.ts";

/** How the transfer of a response ended: completely, by a failure of the service, or by the caller's disconnection. */
export type Sending = "delivered" | "broken" | "left";

export interface Paid extends CallResponse {
	rail: RailName;
	/** The charge for this response; 0 if an earlier request paid for it. */
	paidMicroUsd: number;
	/** Must be called once when the transfer has ended. */
	sent(how: Sending): void;
}

export interface Payment {
	rail: Rail;
	credential: string;
}

export interface Purchase {
	payment: Payment;
	charge: Charge;
	/** The parsed parameters as text. A payment is for this text and the operation. */
	question: string;
	requestId: string;
	/** Whether the response is a file, which a charge covers for a day. */
	isFile: boolean;
	handle(): Promise<CallResponse>;
}

export interface Settlements extends AsyncDisposable {
	/** Runs the handler of a call whose payment is claimed, and charges the payment. */
	settle(purchase: Purchase, claimed: { payment_id: number; stored: string; identifier: string | null }): Promise<Paid>;
	/** Runs the handler for a payment that was charged although its response was not delivered. */
	deliverAgain(purchase: Purchase, claim: { payment_id: number; reference: string }): Promise<Paid>;
	/** Runs the handler for a file that an earlier charge covers; undefined if the file has changed with its data. */
	sendCovered(
		purchase: Purchase,
		claim: { payment_id: number; reference: string; file: string },
	): Promise<Paid | undefined>;
}

/** Longer responses are not stored for callers that lose them. */
const maxStoredBytes = 2 * 1024 * 1024;

/** Disposal of the result waits for pending writes. */
export function openSettlements(requestBilling: RequestBilling, log: Pick<Logger, "warn">): Settlements {
	const pendingWrites = new Set<Promise<void>>();
	let closing = false;

	/** Records an outcome in the background. If that fails, reconciliation finds the outcome. */
	function record(paymentId: number, write: () => Promise<unknown>): void {
		const pendingWrite: Promise<void> = withRetries(write, () => (closing ? fewAttempts : manyAttempts)).then(
			() => void pendingWrites.delete(pendingWrite),
			(err) => {
				pendingWrites.delete(pendingWrite);
				log.warn({ err, paymentId }, "the outcome of a payment was not recorded: reconciliation will find it");
			},
		);
		pendingWrites.add(pendingWrite);
	}

	return {
		async settle(purchase, { payment_id, stored, identifier }) {
			const row = ledgerRow(requestBilling, payment_id);
			const isCard = purchase.payment.rail.name === "card";
			const response = await handleOrGiveBack(purchase, row.release);
			const { file } = response;
			try {
				// With credits, this makes the claim's debit final. With other rails, the payment may be charged from here on.
				await (isCard ? row.take(file) : row.begin(purchase.requestId));
			} catch {
				discard(response);
				if ((await row.release()) === "released")
					throw unavailable("the payment could not be settled: nothing is charged", 2);
				// The settlement may have been recorded although the reply was lost. Reconciliation does not look up debits of credits, so such a
				// payment is released here.
				if (isCard) record(payment_id, row.tryToRelease);
				throw paymentPending(503);
			}
			const settlement = await purchase.payment.rail.settle(stored, purchase.charge);
			if (settlement.outcome === "settled") {
				if (identifier !== null)
					await storeResponse(requestBilling, payment_id, response).catch((err) =>
						log.warn({ err, payment_id }, "a paid response was not stored"),
					);
				const headers = { ...response.headers, ...settlement.headers };
				const { reference } = settlement;
				// A file or stream is recorded as delivered before its transfer, so that reconciliation ignores the payment, and a client can request
				// the next part at once.
				const isRecorded = file !== undefined || response.body instanceof Readable;
				if (isRecorded) await row.finish("settled", reference, true, file).catch(() => {});
				const sent = (how: Sending) => {
					const isUndelivered = isCard ? how === "broken" : isRecorded && how !== "delivered";
					record(payment_id, () =>
						isUndelivered ? row.giveBack() : row.finish("settled", reference, isCard || how === "delivered", file),
					);
				};
				return { ...paidResponse(purchase, purchase.charge.amountMicroUsd, { ...response, headers }), sent };
			}
			discard(response);
			record(payment_id, () => row.finish(settlement.outcome, null, false));
			if (settlement.outcome === "failed") throw new PaymentRefused(settlement.reason, settlement.headers);
			throw paymentPending(503);
		},

		async deliverAgain(purchase, { payment_id, reference }) {
			const row = ledgerRow(requestBilling, payment_id);
			// After a failure the next request can use the payment.
			const response = await handleOrGiveBack(purchase, () => row.giveBack(true).catch(() => {}));
			const headers = { ...response.headers, ...purchase.payment.rail.receipt(reference) };
			const sent = (how: Sending) =>
				record(payment_id, () =>
					how === "delivered" ? row.finish("settled", reference, true, response.file) : row.giveBack(),
				);
			return { ...paidResponse(purchase, 0, { ...response, headers }), sent };
		},

		async sendCovered(purchase, { payment_id, reference, file }) {
			// If the handler fails, the payment remains as it is.
			const response = await handleOrGiveBack(purchase, async () => {});
			if (response.file !== file) {
				discard(response);
				return undefined;
			}
			const row = ledgerRow(requestBilling, payment_id);
			const headers = { ...response.headers, ...purchase.payment.rail.receipt(reference) };
			// Only a complete delivery is recorded: after an incomplete one the file remains covered.
			const sent = (how: Sending) => {
				if (how === "delivered") record(payment_id, () => row.finish("settled", reference, true, file));
			};
			return { ...paidResponse(purchase, 0, { ...response, headers }), sent };
		},

		async [Symbol.asyncDispose]() {
			closing = true;
			while (pendingWrites.size > 0) await Promise.all(pendingWrites);
		},
	};
}

function ledgerRow(requestBilling: RequestBilling, payment_id: number) {
	const tryToRelease = async () => (await requestBilling("releasePayment", { payment_id })).state;
	return {
		tryToRelease,
		begin: (request_id: string) => requestTwice(requestBilling)("beginSettlement", { payment_id, request_id }),
		/** Makes a debit of credits final. @throws if it was given back meanwhile */
		take: async (file: string | undefined) => {
			const { state } = await requestBilling("finishPayment", {
				payment_id,
				state: "settled",
				reference: "credits",
				delivered: false,
				...(file !== undefined && { file }),
			});
			if (state !== "settled") throw new Error("the debit was given back");
		},
		finish: (state: "settled" | "failed" | "unknown", reference: string | null, delivered: boolean, file?: string) =>
			requestBilling("finishPayment", { payment_id, state, reference, delivered, ...(file !== undefined && { file }) }),
		giveBack: (unsent = false): Promise<unknown> => requestBilling("returnPayment", { payment_id, unsent }),
		/** Releases the payment, and returns its state. Never throws: billing itself releases a claimed payment after some minutes. */
		release: () => withRetries(tryToRelease).catch(() => undefined),
	};
}

/** Returns the handler's response if its status is below 400; otherwise calls `giveBack` and throws. */
async function handleOrGiveBack(purchase: Purchase, giveBack: () => Promise<unknown>): Promise<CallResponse> {
	try {
		const response = await purchase.handle();
		if (response.status < 400) return response;
		discard(response);
		throw new AppError(response.status, "the request could not be answered: nothing is charged");
	} catch (error) {
		await giveBack();
		throw error;
	}
}

async function storeResponse(
	requestBilling: RequestBilling,
	payment_id: number,
	{ status, headers, body, file }: CallResponse,
): Promise<void> {
	// Files are not stored, because they can be made again.
	if (file !== undefined || body instanceof Readable || body.length > maxStoredBytes) return;
	const content_type = headers["content-type"] ?? "application/json";
	await requestBilling("storePaidResponse", { payment_id, status, content_type, body: body.toString("base64") });
}

/** The response to a payer, with headers that keep it out of caches, because it must be sent only for this credential. */
export function paidResponse(purchase: Purchase, paidMicroUsd: number, response: CallResponse): Omit<Paid, "sent"> {
	const headers = {
		...response.headers,
		"cache-control": "private, no-store",
		vary: "X-API-Key, Authorization, PAYMENT-SIGNATURE",
	};
	return { ...response, headers, rail: purchase.payment.rail.name, paidMicroUsd };
}

function discard({ body }: CallResponse): void {
	if (body instanceof Readable) body.destroy();
}

/** Attempts while a caller waits: enough for a restart of billing. */
const fewAttempts = 3;
/** Attempts without a waiting caller: about a minute, enough for a restart of the database. */
const manyAttempts = 20;

async function withRetries<T>(write: () => Promise<T>, attempts = () => fewAttempts): Promise<T> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await write();
		} catch (error) {
			if (attempt >= attempts() || !(error instanceof AppError) || error.status !== 503) throw error;
			await pause(250 * attempt);
		}
	}
}
