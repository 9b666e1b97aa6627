/** The signed Tempo transaction of a credential: its transfer, its expiry, and whether a receipt shows that it paid. */
import { decodeFunctionData, type Hex, keccak256, parseEventLogs } from "viem";
import { Abis, Transaction } from "viem/tempo";
import { z } from "zod";
import { problem } from "../mpp-credential.ts";
import { PaymentRefused } from "../rail.ts";
import type { Receipt } from "./node.ts";

const hex = z.string().regex(/^0x[0-9a-f]+$/) as unknown as z.ZodType<Hex>;

/** The parts of a verified credential that settlement needs. They are stored with the payment, so that later settings do not change its settlement. */
export const transferSchema = z.strictObject({
	/** The transaction in the network's canonical form, and its hash. */
	transaction: hex,
	hash: hex,
	payer: hex,
	currency: hex,
	recipient: hex,
	amount: z.string(),
	/** Contains the challenge's id. */
	memo: hex,
	/** Time after which no block can include the transaction (seconds since 1970). Null if it does not expire soon. */
	ends: z.int().nullable(),
	/** The sender's lane (Tempo's nonce key), and the transaction's nonce in that lane. */
	lane: z.string(),
	nonce: z.int(),
});
export type Transfer = z.output<typeof transferSchema>;

export interface Terms {
	chainId: number;
	currency: Hex;
	recipient: Hex;
	amount: string;
	/** End of the challenge, and the current time (ms since 1970). */
	expires: number;
	now: number;
}

/** Tolerance for differences of clocks: a transaction may begin or expire this much later than its challenge requires. */
const clockToleranceSeconds = 60;

const mismatch = (reason: string) => new PaymentRefused(reason, {}, problem("verification-failed"));

/** Decodes the transaction of a payload. @throws PaymentRefused */
export function readTransaction(payload: unknown) {
	const { type, signature } = (typeof payload === "object" && payload !== null ? payload : {}) as Record<
		string,
		unknown
	>;
	// A hash (push mode) refers to a transaction that is already paid, which could not be refunded if the handler fails.
	if (type !== "transaction" || typeof signature !== "string" || !/^0x76[0-9a-f]+$/i.test(signature))
		throw mismatch("the credential must be a signed Tempo transaction that the server broadcasts (pull)");
	try {
		return Transaction.deserialize(signature.toLowerCase() as `0x76${string}`);
	} catch {
		throw mismatch("the transaction cannot be read");
	}
}

export type SignedTransaction = ReturnType<typeof readTransaction>;

/**
 * Reads the transfer that pays from a transaction that mppx has verified. Refuses what mppx does not check: a wrong chain, a missing signature of
 * the sender, a transaction that cannot be executed now. @throws PaymentRefused
 */
export async function readTransfer(tx: SignedTransaction, terms: Terms): Promise<Transfer> {
	// If the fee payer's signature is null, a fee payer has yet to sign, and the sender is not verified.
	if (tx.from === undefined || tx.signature === undefined || tx.feePayerSignature === null)
		throw mismatch("the transaction must be signed by its sender, who pays its fees");
	if (tx.chainId !== terms.chainId) throw mismatch(`the transaction must be for the chain ${terms.chainId}`);
	const seconds = Math.floor(terms.now / 1_000);
	if (tx.validAfter !== undefined && tx.validAfter > seconds + clockToleranceSeconds)
		throw mismatch("the transaction is not valid yet");
	if (tx.validBefore !== undefined && tx.validBefore <= seconds)
		throw new PaymentRefused("the transaction's validBefore has passed", {}, problem("payment-expired"));
	const memo = memoOf(tx.calls, terms);
	if (memo === undefined) throw mismatch("the transaction has no transfer with the challenge's memo");
	const transaction = (await Transaction.serialize(tx)).toLowerCase() as Hex;
	const lastEnd = terms.expires / 1_000 + clockToleranceSeconds;
	const ends = tx.validBefore !== undefined && tx.validBefore <= lastEnd ? tx.validBefore : null;
	return {
		transaction,
		hash: keccak256(transaction),
		payer: tx.from.toLowerCase() as Hex,
		currency: terms.currency.toLowerCase() as Hex,
		recipient: terms.recipient.toLowerCase() as Hex,
		amount: terms.amount,
		memo,
		ends,
		lane: String(tx.nonceKey ?? 0n),
		nonce: tx.nonce ?? 0,
	};
}

const sameHex = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** The memo of the first transfer of the amount to the recipient, because that is the transfer that mppx has verified. */
function memoOf(calls: SignedTransaction["calls"], { currency, recipient, amount }: Terms): Hex | undefined {
	for (const { to, data } of calls) {
		if (to === undefined || data === undefined || !sameHex(to, currency)) continue;
		const call = decode(data);
		if (call?.functionName === "transfer" && paysRecipient(call.args)) return;
		if (call?.functionName === "transferWithMemo" && paysRecipient(call.args)) return call.args[2].toLowerCase() as Hex;
	}
	return;

	function paysRecipient([to, paid]: readonly [Hex, bigint, ...unknown[]]): boolean {
		return sameHex(to, recipient) && String(paid) === amount;
	}
}

function decode(data: Hex) {
	try {
		return decodeFunctionData({ abi: Abis.tip20, data });
	} catch {
		return;
	}
}

/** Whether a receipt shows the agreed payment. */
export function hasPaid(receipt: Receipt, transfer: Transfer): boolean {
	return parseEventLogs({ abi: Abis.tip20, eventName: "TransferWithMemo", logs: receipt.logs }).some(
		({ address, args }) =>
			sameHex(address, transfer.currency) &&
			sameHex(args.from, transfer.payer) &&
			sameHex(args.to, transfer.recipient) &&
			String(args.amount) === transfer.amount &&
			args.memo.toLowerCase() === transfer.memo,
	);
}
