/** What the rail mpp asks of a Tempo node, every question bounded in time, and what its errors mean. */
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

const known = [tempo, tempoModerato, tempoDevnet, tempoLocalnet];

/** Of a network that viem does not know, everything but the number is mainnet's. */
const chainOf = (id: number) => known.find((chain) => chain.id === id) ?? { ...tempo, id };

const connect = (url: string, chainId: number, timeoutMs: number) =>
	// Nothing is tried again here: the caller of a request tries again, and the job that asks what became of a charge.
	createClient({ chain: chainOf(chainId), transport: http(url, { timeout: timeoutMs, retryCount: 0 }) });

export type Receipt = Awaited<ReturnType<typeof sendRawTransactionSync<typeof tempo>>>;

export interface TempoNode {
	client: ReturnType<typeof connect>;
	/** Hands a transaction to the network and waits until it is in a block. */
	send(transaction: Hex): Promise<Receipt>;
	/** Undefined: in no block. */
	receiptOf(hash: Hash): Promise<Receipt | undefined>;
	/** Seconds since 1970 of the newest block. */
	time(): Promise<number>;
	/** Which number an account's next transaction has, in one of its lanes. */
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
 * How a question failed. `refused`: the network has judged the transaction, which will not be executed. `used`: a transaction with its
 * number has been executed, perhaps this one. `unanswered`: the network perhaps has not even seen it.
 */
export interface Failure {
	kind: "refused" | "used" | "unanswered";
	/** The sender does not hold enough. */
	poor: boolean;
}

/** JSON-RPC codes that are a verdict by themselves: a revert, a rejected transaction, one that cannot be decoded. */
const verdicts = [3, -32_003, -32_602];
/** Most verdicts come under the code of any error (-32000): the words of those that are certain. */
const certain = /insufficient|revert|underpriced|invalid (?:signature|sender|transaction|chain)|expired|intrinsic gas/i;
const usedUp = /nonce too low|nonce.*already.*used|noncereplay|nonce replay/i;
/** What says that it may be executed yet. */
const pending = /already (?:known|imported|exists)|timed? ?out|timeout|not found|unavailable|busy/i;
/** Selector of TIP-20's `InsufficientBalance(uint256,uint256,address)`. */
const INSUFFICIENT_BALANCE = "0x832f98b5";

/** Whether asking a node failed at all: an error of anything else is the transaction's own. */
export function isNodeError(error: unknown): boolean {
	const kinds = [HttpRequestError, TimeoutError, RpcRequestError];
	return error instanceof BaseError && error.walk((cause) => kinds.some((kind) => cause instanceof kind)) !== null;
}

/** What an error of viem says about the transaction. The error's own text stays here: it repeats the transaction. */
export function failureOf(error: unknown): Failure {
	const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
	if (!(answer instanceof RpcRequestError) || (answer.status ?? 200) >= 429) return { kind: "unanswered", poor: false };
	const said = answer.details;
	const poor = /insufficient/i.test(said) || String(answer.data).startsWith(INSUFFICIENT_BALANCE);
	if (usedUp.test(said)) return { kind: "used", poor: false };
	if (pending.test(said)) return { kind: "unanswered", poor: false };
	return { kind: verdicts.includes(answer.code) || certain.test(said) ? "refused" : "unanswered", poor };
}
