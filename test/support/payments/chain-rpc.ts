/** The JSON-RPC of a chain on which there is one token: what is needed to find out what became of an authorization. */
import { type Hex, toHex } from "viem";
import type { Token, TokenLog } from "./token.ts";

/** Blocks in one question for logs: public nodes refuse more. */
const maxBlocks = 2_000n;

interface Asked {
	id: unknown;
	method: string;
	params?: unknown[];
}

export type Answer = { jsonrpc: "2.0"; id: unknown } & (
	| { result: unknown }
	| { error: { code: number; message: string } }
);

/** Answers one request. */
export function answerRpc(token: Token, { id, method, params = [] }: Asked): Answer {
	try {
		return { jsonrpc: "2.0", id, result: resultOf(token, method, params) };
	} catch (error) {
		return { jsonrpc: "2.0", id, error: { code: -32_000, message: error instanceof Error ? error.message : "failed" } };
	}
}

function resultOf(token: Token, method: string, params: unknown[]): unknown {
	switch (method) {
		case "eth_chainId":
			return toHex(token.chainId);
		case "eth_blockNumber":
			return toHex(token.block().number);
		case "eth_getBlockByNumber": {
			const block = token.block(params[0] === "latest" ? undefined : BigInt(params[0] as Hex));
			return { number: toHex(block.number), timestamp: toHex(block.timestamp), transactions: [] };
		}
		case "eth_call":
			return token.call((params[0] as { data: Hex }).data);
		case "eth_getLogs":
			return logsFor(token, params[0] as LogFilter).map(written);
		case "eth_getTransactionReceipt":
			return receiptOf(token, params[0] as Hex);
		default:
			throw new Error(`the method ${method} does not exist`);
	}
}

interface LogFilter {
	address: string;
	fromBlock: Hex;
	toBlock: Hex;
	topics: (Hex | null)[];
}

function logsFor(token: Token, { address, fromBlock, toBlock, topics }: LogFilter): TokenLog[] {
	const [from, to] = [BigInt(fromBlock), BigInt(toBlock)];
	if (to - from >= maxBlocks) throw new Error(`more than ${maxBlocks} blocks`);
	return token.logs.filter(
		(log) =>
			log.address.toLowerCase() === address.toLowerCase() &&
			log.blockNumber >= from &&
			log.blockNumber <= to &&
			topics.every((topic, i) => topic === null || topic.toLowerCase() === log.topics[i]?.toLowerCase()),
	);
}

function receiptOf(token: Token, hash: Hex): unknown {
	const logs = token.logs.filter((log) => log.transactionHash === hash);
	const [first] = logs;
	if (first === undefined) return null;
	return { transactionHash: hash, blockNumber: toHex(first.blockNumber), status: "0x1", logs: logs.map(written) };
}

const written = (log: TokenLog) => ({ ...log, blockNumber: toHex(log.blockNumber), logIndex: toHex(log.logIndex) });
