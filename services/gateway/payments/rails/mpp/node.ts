/** Requests of the rail `mpp` to a Tempo node, each with a timeout, and the meaning of their errors. */
import {
	BaseError,
	createClient,
	type Hash,
	type Hex,
	HttpRequestError,
	http,
	RpcRequestError,
	TimeoutError,
	TransactionReceiptNotFoundError,
} from "viem";
import { getBlock, getTransactionCount, getTransactionReceipt, sendRawTransactionSync } from "viem/actions";
import { Actions } from "viem/tempo";
import { tempo, tempoDevnet, tempoLocalnet, tempoModerato } from "viem/tempo/chains";

const knownChains = [tempo, tempoModerato, tempoDevnet, tempoLocalnet];

/** A network that viem does not know is treated as mainnet with another id. */
const chainOf = (id: number) => knownChains.find((chain) => chain.id === id) ?? { ...tempo, id };

const connect = (url: string, chainId: number, timeoutMs: number) =>
	// No retries here, because clients and reconciliation retry.
	createClient({ chain: chainOf(chainId), transport: http(url, { timeout: timeoutMs, retryCount: 0 }) });

export type Receipt = Awaited<ReturnType<typeof sendRawTransactionSync<typeof tempo>>>;

export interface TempoNode {
	client: ReturnType<typeof connect>;
	send(transaction: Hex): Promise<Receipt>;
	/** The receipt of a transaction; undefined if the transaction is not in a block. */
	receiptOf(hash: Hash): Promise<Receipt | undefined>;
	time(): Promise<number>;
	/** The next nonce of an account in one of its lanes. */
	nextNonce(account: Hex, lane: bigint): Promise<bigint>;
}

export function openTempoNode({
	url,
	chainId,
	timeoutMs,
}: {
	url: string;
	chainId: number;
	timeoutMs: number;
}): TempoNode {
	const client = connect(url, chainId, timeoutMs);
	return {
		client,
		send: (serializedTransaction) =>
			sendRawTransactionSync(client, {
				serializedTransaction: serializedTransaction as `0x76${string}`,
				throwOnReceiptRevert: false,
			}) as Promise<Receipt>,
		async receiptOf(hash) {
			try {
				return (await getTransactionReceipt(client, { hash })) as Receipt;
			} catch (error) {
				if (error instanceof TransactionReceiptNotFoundError) return undefined;
				throw error;
			}
		},
		time: async () => Number((await getBlock(client)).timestamp),
		nextNonce: async (account, lane) =>
			lane === 0n
				? BigInt(await getTransactionCount(client, { address: account }))
				: await Actions.nonce.getNonce(client, { account, nonceKey: lane }),
	};
}

/**
 * A failed request. `refused`: the network will not execute the transaction. `used`: the transaction's nonce has been used, perhaps by the
 * transaction itself. `unanswered`: the network may or may not have received it. `poor`: the payer's balance is too low.
 */
export interface Failure {
	kind: "refused" | "used" | "unanswered";
	poor: boolean;
}

/** JSON-RPC codes that are final: revert, rejected, cannot be decoded. */
const finalCodes = [3, -32_003, -32_602];
/** Most errors have the generic code -32000; with these messages they are final. */
const finalMessages =
	/insufficient|revert|underpriced|invalid (?:signature|sender|transaction|chain)|expired|intrinsic gas/i;
const usedUp = /nonce too low|nonce.*already.*used|noncereplay|nonce replay/i;
/** Messages after which the transaction may still be executed. */
const pending = /already (?:known|imported|exists)|timed? ?out|timeout|not found|unavailable|busy/i;
const INSUFFICIENT_BALANCE = "0x832f98b5";

/** Whether the request to the node failed; any other error is caused by the transaction. */
export function isNodeError(error: unknown): boolean {
	const kinds = [HttpRequestError, TimeoutError, RpcRequestError];
	return error instanceof BaseError && error.walk((cause) => kinds.some((kind) => cause instanceof kind)) !== null;
}

/** Classifies an error of viem by its meaning for the transaction. The error's text is not passed on, because it contains the transaction. */
export function failureOf(error: unknown): Failure {
	const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
	if (!(answer instanceof RpcRequestError) || (answer.status ?? 200) >= 429) return { kind: "unanswered", poor: false };
	const message = answer.details;
	const poor = /insufficient/i.test(message) || String(answer.data).startsWith(INSUFFICIENT_BALANCE);
	if (usedUp.test(message)) return { kind: "used", poor: false };
	if (pending.test(message)) return { kind: "unanswered", poor: false };
	return { kind: finalCodes.includes(answer.code) || finalMessages.test(message) ? "refused" : "unanswered", poor };
}
