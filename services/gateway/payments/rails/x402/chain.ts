/** The state of an authorization according to the token's contract, which is authoritative. */
import { createPublicClient, http, type Log, type PublicClient, parseAbi, parseEventLogs } from "viem";
import type { Authorization } from "./payload.ts";

export type Fate =
	| { kind: "paid"; transaction: string }
	/** Canceled by the payer, or used to pay another recipient. */
	| { kind: "spent otherwise" }
	/** Expired on the chain without having been used. */
	| { kind: "expired" }
	/** Not used yet, but still valid. */
	| { kind: "open" }
	/** Used, but it is unknown for which payment. */
	| { kind: "unclear" };

export interface BegunCharge {
	asset: `0x${string}`;
	authorization: Authorization;
	ageSeconds: number;
}

const abi = parseAbi([
	"function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
	"event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
	"event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)",
	"event Transfer(address indexed from, address indexed to, uint256 value)",
]);
const [, usedEvent, canceledEvent] = abi;

/** Blocks of the last minute can still be replaced. */
const settlingSeconds = 60;
/** The search for the use begins this long before our charge, because another party that obtained the authorization may have used it earlier. */
const earlierSeconds = 600;
/** Maximum blocks of one request, because public nodes allow no more. */
const blocksAtOnce = 2_000n;
const maxRequests = 50;
/** Number of blocks over which the block time is measured. */
const paceBlocks = 1_000n;

/** @returns a function that reads the state of an authorization. It throws if the node does not respond in time */
export function readChain(url: string, timeoutMs: number): (asked: BegunCharge) => Promise<Fate> {
	const client = createPublicClient({ transport: http(url, { timeout: timeoutMs, retryCount: 0 }) });
	return async (asked) => {
		const { asset, authorization } = asked;
		const head = await client.getBlock({ blockTag: "latest" });
		const isUsed = await client.readContract({
			address: asset,
			abi,
			functionName: "authorizationState",
			args: [hex(authorization.from), hex(authorization.nonce)],
			// The state is read at the block whose time is compared: an authorization that is unused and expired at that block can never be used.
			blockNumber: head.number,
		});
		if (isUsed) return findUse(client, asked, head);
		const lastSecond = BigInt(authorization.validBefore) + BigInt(settlingSeconds);
		return head.timestamp > lastSecond ? { kind: "expired" } : { kind: "open" };
	};
}

interface Block {
	number: bigint;
	timestamp: bigint;
}

async function findUse(client: PublicClient, asked: BegunCharge, head: Block): Promise<Fate> {
	const filter = {
		address: asked.asset,
		args: { authorizer: hex(asked.authorization.from), nonce: hex(asked.authorization.nonce) },
	};
	const first = await firstBlock(client, asked, head);
	for (
		let from = first, requests = 0;
		from <= head.number && requests < maxRequests;
		from += blocksAtOnce, requests++
	) {
		const range = { fromBlock: from, toBlock: smaller(from + blocksAtOnce - 1n, head.number) };
		const [used] = await client.getLogs({ ...filter, ...range, event: usedEvent });
		if (used !== undefined) return classifyUse(client, asked, used);
		const [canceled] = await client.getLogs({ ...filter, ...range, event: canceledEvent });
		if (canceled !== undefined) return { kind: "spent otherwise" };
	}
	return { kind: "unclear" };
}

/** The first block to search, estimated by the network's block time. */
async function firstBlock(client: PublicClient, { ageSeconds }: BegunCharge, head: Block): Promise<bigint> {
	const back = smaller(paceBlocks, head.number);
	if (back === 0n) return 0n;
	const earlier = await client.getBlock({ blockNumber: head.number - back });
	const secondsABlock = Math.max(Number(head.timestamp - earlier.timestamp) / Number(back), 0.05);
	const blocks = BigInt(Math.ceil((ageSeconds + earlierSeconds) / secondsABlock));
	return blocks >= head.number ? 0n : head.number - blocks;
}

/**
 * Classifies the use of an authorization. A transaction can use several authorizations. The token logs each use and then its transfer, so only
 * the log after the use counts.
 */
async function classifyUse(client: PublicClient, { asset, authorization }: BegunCharge, used: Log): Promise<Fate> {
	if (used.transactionHash === null) return { kind: "unclear" };
	const receipt = await client.getTransactionReceipt({ hash: used.transactionHash });
	const ofToken = receipt.logs.filter((log) => sameHex(log.address, asset)).sort((a, b) => a.logIndex - b.logIndex);
	const at = ofToken.findIndex((log) => log.logIndex === used.logIndex);
	if (at === -1) return { kind: "unclear" };
	const paysUs = (logs: Log[]) =>
		parseEventLogs({ abi, eventName: "Transfer", logs }).some(
			({ args }) =>
				sameHex(args.from, authorization.from) &&
				sameHex(args.to, authorization.to) &&
				args.value === BigInt(authorization.value),
		);
	if (paysUs(ofToken.slice(at + 1, at + 2))) return { kind: "paid", transaction: used.transactionHash };
	return paysUs(ofToken) ? { kind: "unclear" } : { kind: "spent otherwise" };
}

const hex = (text: string): `0x${string}` => `0x${text.replace(/^0x/, "")}`;
const sameHex = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
