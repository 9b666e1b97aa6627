/**
 * A dollar token that lives in this process, in place of USDC on a chain: EIP-3009 with real signatures, balances, used and cancelled
 * nonces, and the events of each, two seconds a block. A facilitator sends it transactions as a signer; the rest of the world reads it
 * by JSON-RPC (`chain-rpc.ts`). Nothing in it is worth anything.
 */
import type { Network } from "@x402/core/types";
import { authorizationTypes, type FacilitatorEvmSigner, getDefaultAsset } from "@x402/evm";
import {
	type Address,
	decodeFunctionData,
	encodeAbiParameters,
	encodeEventTopics,
	encodeFunctionResult,
	type Hex,
	keccak256,
	parseAbi,
	serializeSignature,
	toHex,
} from "viem";
import { rememberSigners } from "./signers.ts";

export const tokenAbi = parseAbi([
	"function name() view returns (string)",
	"function version() view returns (string)",
	"function balanceOf(address owner) view returns (uint256)",
	"function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
	"event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
	"event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)",
	"event Transfer(address indexed from, address indexed to, uint256 value)",
]);

export interface Transfer {
	from: Address;
	to: Address;
	value: bigint;
}

export interface TokenLog {
	address: Address;
	topics: Hex[];
	data: Hex;
	blockNumber: bigint;
	transactionHash: Hex;
	logIndex: number;
}

export interface Token {
	network: Network;
	chainId: number;
	address: Address;
	/** Every event, oldest first. */
	logs: TokenLog[];
	mint(to: Address, value: bigint): void;
	balanceOf(owner: Address): bigint;
	isUsed(from: Address, nonce: Hex): boolean;
	cancelAuthorization(from: Address, nonce: Hex): Hex;
	/** Spends nonces in one transaction, each on its own transfer (receiveWithAuthorization, by the payer's own contract). */
	spend(uses: { nonce: Hex; transfer: Transfer }[]): Hex;
	block(at?: bigint): { number: bigint; timestamp: bigint };
	/** Answers a call of one of the reading functions. @throws for what it does not know */
	call(data: Hex): Hex;
	/** The client with which a facilitator verifies and settles. */
	signer: FacilitatorEvmSigner;
}

export interface TokenOptions {
	/** The token is that network's dollar, with its address and its EIP-712 domain. */
	network: Network;
	/** The chain's clock (ms). */
	now?: () => number;
}

const secondsABlock = 2n;
/** Blocks that were there before: more than one question for logs may span. */
const blocksBefore = 5_000n;
const facilitatorAddress = "0x00000000000000000000000000000000facade00";
const multicall = "0xca11bde05977b3631167028862be2a173976ca11";

type Event = Pick<TokenLog, "topics" | "data">;
type Ledger = ReturnType<typeof createLedger>;

export function createToken({ network, now = Date.now }: TokenOptions): Token {
	const { asset, name, version } = getDefaultAsset(network);
	const address = asset as Address;
	const chainId = Number(network.split(":")[1]);
	const ledger = createLedger(address, now);
	const { logs, mint, balanceOf, isUsed, block, transact, use, cancel } = ledger;
	const call = callOf(ledger, { name, version });
	return {
		network,
		chainId,
		address,
		logs,
		mint,
		balanceOf,
		isUsed,
		block,
		call,
		cancelAuthorization: (from, nonce) => transact([cancel(from, nonce)]),
		spend: (uses) => transact(uses.flatMap(({ nonce, transfer }) => use(transfer.from, nonce, transfer))),
		signer: facilitatorOf(ledger, { name, version, chainId, verifyingContract: address }, call),
	};
}

/** Balances, used nonces and events. */
function createLedger(address: Address, now: () => number) {
	const genesis = BigInt(Math.floor(now() / 1000)) - blocksBefore * secondsABlock;
	const balances = new Map<string, bigint>();
	const spent = new Set<string>();
	const logs: TokenLog[] = [];
	let transactions = 0;

	const balanceOf = (owner: Address) => balances.get(owner.toLowerCase()) ?? 0n;
	const isUsed = (from: Address, nonce: Hex) => spent.has(`${from}:${nonce}`.toLowerCase());
	const mint = (to: Address, value: bigint) => void balances.set(to.toLowerCase(), balanceOf(to) + value);
	const block = (at?: bigint) => {
		const number = at ?? (BigInt(Math.floor(now() / 1000)) - genesis) / secondsABlock;
		return { number, timestamp: genesis + number * secondsABlock };
	};
	const inspect = (nonce: Hex, { from, value }: Transfer) => {
		if (isUsed(from, nonce)) throw new Error("FiatTokenV2: authorization is used or canceled");
		if (balanceOf(from) < value) throw new Error("ERC20: transfer amount exceeds balance");
	};
	const end = (from: Address, nonce: Hex) => void spent.add(`${from}:${nonce}`.toLowerCase());

	return {
		address,
		logs,
		balanceOf,
		isUsed,
		mint,
		block,
		inspect,
		use(from: Address, nonce: Hex, transfer: Transfer): Event[] {
			inspect(nonce, transfer);
			mint(from, -transfer.value);
			mint(transfer.to, transfer.value);
			end(from, nonce);
			return [
				{ topics: topicsOf("AuthorizationUsed", { authorizer: from, nonce }), data: "0x" },
				{
					topics: topicsOf("Transfer", { from: transfer.from, to: transfer.to }),
					data: encodeAbiParameters([{ type: "uint256" }], [transfer.value]),
				},
			];
		},
		cancel(from: Address, nonce: Hex): Event {
			if (isUsed(from, nonce)) throw new Error("FiatTokenV2: authorization is used or canceled");
			end(from, nonce);
			return { topics: topicsOf("AuthorizationCanceled", { authorizer: from, nonce }), data: "0x" };
		},
		/** One transaction, all of whose events are in the newest block. */
		transact(events: Event[]): Hex {
			transactions++;
			const transactionHash = keccak256(toHex(`${address} ${genesis} ${transactions}`));
			const blockNumber = block().number;
			const before = logs.filter((log) => log.blockNumber === blockNumber).length;
			logs.push(
				...events.map((event, i) => ({ address, ...event, blockNumber, transactionHash, logIndex: before + i })),
			);
			return transactionHash;
		},
	};
}

function callOf(ledger: Ledger, { name, version }: { name: string; version: string }): (data: Hex) => Hex {
	return (data) => {
		const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data });
		switch (functionName) {
			case "name":
				return encodeFunctionResult({ abi: tokenAbi, functionName, result: name });
			case "version":
				return encodeFunctionResult({ abi: tokenAbi, functionName, result: version });
			case "balanceOf":
				return encodeFunctionResult({ abi: tokenAbi, functionName, result: ledger.balanceOf(args[0]) });
			case "authorizationState":
				return encodeFunctionResult({ abi: tokenAbi, functionName, result: ledger.isUsed(args[0], args[1]) });
		}
	};
}

type Domain = { name: string; version: string; chainId: number; verifyingContract: Address };

function facilitatorOf(ledger: Ledger, domain: Domain, call: (data: Hex) => Hex): FacilitatorEvmSigner {
	const signerOf = rememberSigners();
	/** The arguments of transferWithAuthorization besides nonce and balance. */
	async function check(functionName: string, args: readonly unknown[]): Promise<{ transfer: Transfer; nonce: Hex }> {
		if (functionName !== "transferWithAuthorization") throw new Error(`no such function: ${functionName}`);
		const [from, to, value, validAfter, validBefore, nonce] = args as [Address, Address, bigint, bigint, bigint, Hex];
		const { timestamp } = ledger.block();
		if (timestamp <= validAfter) throw new Error("FiatTokenV2: authorization is not yet valid");
		if (timestamp >= validBefore) throw new Error("FiatTokenV2: authorization is expired");
		const signature = signatureOf(args.slice(6));
		const message = { from, to, value, validAfter, validBefore, nonce };
		const typed = { domain, types: authorizationTypes, primaryType: "TransferWithAuthorization", message } as const;
		const signer = await signerOf(typed, signature);
		if (signer?.toLowerCase() !== from.toLowerCase()) throw new Error("FiatTokenV2: invalid signature");
		return { transfer: { from, to, value }, nonce };
	}

	return {
		getAddresses: () => [facilitatorAddress],
		getCode: async ({ address }) => (address.toLowerCase() === ledger.address.toLowerCase() ? "0x60" : "0x"),
		// The package checks signatures of plain accounts by itself, and there are no others here.
		verifyTypedData: async () => false,
		async readContract({ address, functionName, args = [] }) {
			if (address.toLowerCase() === multicall) return aggregate(args, call);
			const { transfer, nonce } = await check(functionName, args);
			return ledger.inspect(nonce, transfer);
		},
		async writeContract({ functionName, args }) {
			const { transfer, nonce } = await check(functionName, args);
			return ledger.transact(ledger.use(transfer.from, nonce, transfer));
		},
		sendTransaction: async () => {
			throw new Error("no contract is deployed here");
		},
		async waitForTransactionReceipt({ hash }) {
			const own = ledger.logs.filter((log) => log.transactionHash === hash);
			// viem's logs have more fields; the package reads these.
			return { status: "success", logs: own as unknown as NonNullable<ReceiptLogs> };
		},
	};
}

type ReceiptLogs = Awaited<ReturnType<FacilitatorEvmSigner["waitForTransactionReceipt"]>>["logs"];

const topicsOf = (eventName: "AuthorizationUsed" | "AuthorizationCanceled" | "Transfer", args: object): Hex[] =>
	encodeEventTopics({ abi: tokenAbi, eventName, args } as Parameters<typeof encodeEventTopics>[0]) as Hex[];

/** Sent whole, or as v, r and s. */
function signatureOf(parts: readonly unknown[]): Hex {
	if (parts.length === 1) return parts[0] as Hex;
	const [v, r, s] = parts as [number | bigint, Hex, Hex];
	return serializeSignature({ r, s, yParity: Number(v) % 27 });
}

/** Multicall3's tryAggregate, by which the package finds out why a transfer would fail. */
function aggregate(args: readonly unknown[], call: (data: Hex) => Hex): { success: boolean; returnData: Hex }[] {
	const [, calls] = args as [boolean, { callData: Hex }[]];
	return calls.map(({ callData }) => {
		try {
			return { success: true, returnData: call(callData) };
		} catch {
			return { success: false, returnData: "0x" };
		}
	});
}
