/**
 * Submits a verified transaction and finds its outcome. mppx's `broadcastCredential` is not used: when it throws, it is unknown whether the
 * transaction was sent, and its store of used hashes would refuse another attempt. Here the hash is known before sending, and billing's claim
 * ensures that the transaction is used once.
 */
import { Receipt as PaymentReceipt } from "mppx";
import type { Logger } from "#libs/service/logger.ts";
import type { Settlement } from "../rail.ts";
import { failureOf, type Receipt, type TempoNode } from "./node.ts";
import { hasPaid, type Transfer, transferSchema } from "./transfer.ts";

export interface Settling {
	node: TempoNode;
	log: Pick<Logger, "warn">;
	now: () => number;
}

/** A missing transaction counts as never executed only this long after its expiry, because the clocks of nodes differ a little. */
const expiryMarginSeconds = 60;

export async function settleTransfer(stored: string, { node, log, now }: Settling): Promise<Settlement> {
	const transfer = parseStoredTransfer(stored);
	if (transfer === undefined) return { outcome: "unknown", reason: "the stored payment cannot be parsed" };
	try {
		return judgeReceipt(await node.send(transfer.transaction), transfer, now);
	} catch (error) {
		const { kind, poor } = failureOf(error);
		// The transaction may be in a block although the response was lost.
		const executed = await node
			.receiptOf(transfer.hash)
			.then((receipt) => receipt && judgeReceipt(receipt, transfer, now))
			.catch(() => undefined);
		if (executed !== undefined) return executed;
		log.warn({ rail: "mpp", error: errorName(error), kind, transaction: transfer.hash }, "a payment could not be sent");
		if (kind !== "refused") return { outcome: "unknown", reason: "the network has not confirmed the transaction" };
		return failed(poor ? "insufficient balance" : "the network refused the transaction");
	}
}

/**
 * Finds the outcome of a transaction without sending it again, because no caller waits for it. A transaction that never reached the network
 * expires uncharged.
 */
export async function reconcileTransfer(stored: string, ageSeconds: number, settling: Settling): Promise<Settlement> {
	const { node, now } = settling;
	const transfer = parseStoredTransfer(stored);
	if (transfer === undefined) return { outcome: "unknown", reason: "the stored payment cannot be parsed" };
	try {
		// The end is checked before the receipt is requested: a transaction that has already ended and has no receipt will never have one.
		const hasEnded = ageSeconds >= expiryMarginSeconds && (await isExecutionOver(node, transfer));
		const receipt = await node.receiptOf(transfer.hash);
		if (receipt !== undefined) return judgeReceipt(receipt, transfer, now);
		if (hasEnded) return failed("the transaction has ended without being executed");
		return { outcome: "unknown", reason: "the transaction is not executed yet" };
	} catch (error) {
		return { outcome: "unknown", reason: `the network could not be queried (${errorName(error)})` };
	}
}

export const receiptHeaders = (reference: string, now: () => number) => ({
	"Payment-Receipt": PaymentReceipt.serialize(
		PaymentReceipt.from({ method: "tempo", status: "success", reference, timestamp: new Date(now()).toISOString() }),
	),
});

/** The name of an error whose text must not be logged, because it contains the transaction. */
export const errorName = (error: unknown) => (error instanceof Error ? error.name : "unknown");

const failed = (reason: string): Settlement => ({ outcome: "failed", reason, headers: {} });

function parseStoredTransfer(stored: string): Transfer | undefined {
	try {
		return transferSchema.parse(JSON.parse(stored));
	} catch {
		return undefined;
	}
}

function judgeReceipt(receipt: Receipt, transfer: Transfer, now: () => number): Settlement {
	if (receipt.transactionHash.toLowerCase() !== transfer.hash)
		return { outcome: "unknown", reason: "the network returned the receipt of another transaction" };
	if (receipt.status === "reverted") return failed("the transaction was reverted");
	// Nodes may respond before a block is final.
	if (receipt.status !== "success") return { outcome: "unknown", reason: "the transaction is not executed yet" };
	if (!hasPaid(receipt, transfer)) return failed("the transaction did not make the agreed payment");
	return { outcome: "settled", reference: transfer.hash, headers: receiptHeaders(transfer.hash, now) };
}

/** Whether no block can include the transaction any longer. */
async function isExecutionOver(node: TempoNode, { ends, payer, lane, nonce }: Transfer): Promise<boolean> {
	if (ends !== null) return (await node.time()) > ends + expiryMarginSeconds;
	return (await node.nextNonce(payer, BigInt(lane))) > BigInt(nonce);
}
