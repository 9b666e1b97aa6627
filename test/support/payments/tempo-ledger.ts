/** State of the stand-in for Tempo: balances, executed transactions, and rules by which it refuses one. */
import { type Address, decodeFunctionData, encodeErrorResult, type Hex, keccak256, maxUint256 } from "viem";
import { Abis, Transaction } from "viem/tempo";

export interface Movement {
	hash: Hex;
	token: Hex;
	from: Hex;
	to: Hex;
	amount: bigint;
	memo: Hex | undefined;
}

export interface Executed {
	from: Hex;
	success: boolean;
	block: number;
	movements: Movement[];
}

export interface Call {
	to?: string | null | undefined;
	data?: string | undefined;
	input?: string | undefined;
}

/** An error as JSON-RPC has it. */
export class Rejected extends Error {
	readonly code: number;
	readonly data: Hex | undefined;
	constructor(message: string, code = -32_003, data?: Hex) {
		super(message);
		this.code = code;
		this.data = data;
	}
}

export interface LedgerOptions {
	chainId: number;
	/** Milliseconds since 1970. */
	now: () => number;
	/** Units of every token that an account holds which was never given any. */
	everybodyHolds: bigint;
}

export type Ledger = ReturnType<typeof openLedger>;

const lower = (value: string) => value.toLowerCase() as Hex;

export function openLedger(options: LedgerOptions) {
	const balances = new Map<string, bigint>();
	const nonces = new Map<string, bigint>();
	const executed = new Map<string, Executed>();
	const held = new Map<Hex, Hex>();
	/** Every transfer that was executed, in order. */
	const movements: Movement[] = [];

	const keyOf = (holder: string, token: string) => lower(`${holder} ${token}`);
	const balance = (holder: string, token: string) => balances.get(keyOf(holder, token)) ?? options.everybodyHolds;
	const fund = (holder: string, token: string, units: bigint) =>
		void balances.set(keyOf(holder, token), balance(holder, token) + units);
	const nonce = (account: string, lane: bigint) => nonces.get(lower(`${account} ${lane}`)) ?? 0n;

	/** Executes a transaction, which then is in a block of its own. `revert`: it does nothing there. `hold`: `mine()` does it. */
	function send(serialized: Hex, kind?: string): Hex {
		const hash = keccak256(serialized);
		if (executed.has(hash) || held.has(hash)) throw new Rejected("already known", -32_000);
		const { from, lane, transfers } = checkTransaction(serialized, { ...options, balance, nonce });
		if (kind === "hold") {
			held.set(hash, serialized);
			return hash;
		}
		if (lane !== maxUint256) nonces.set(lower(`${from} ${lane}`), nonce(from, lane) + 1n);
		const done = kind === "revert" ? [] : transfers.map((transfer) => ({ hash, ...transfer }));
		for (const { token, to, amount } of done) {
			fund(from, token, -amount);
			fund(to, token, amount);
		}
		movements.push(...done);
		executed.set(hash, { from, success: kind !== "revert", block: executed.size + 2, movements: done });
		return hash;
	}

	/** Puts into blocks what was held back, as far as it is still valid. */
	function mine(): void {
		const waiting = [...held.values()];
		held.clear();
		for (const serialized of waiting) {
			try {
				send(serialized);
			} catch (error) {
				if (!(error instanceof Rejected)) throw error;
			}
		}
	}

	return {
		movements,
		balance,
		fund,
		nonce,
		send,
		mine,
		executed: (hash: string) => executed.get(lower(hash)),
		height: () => executed.size + 1,
		simulate: (from: string, calls: readonly Call[]) => void transfersOf(from, calls, balance),
	};
}

type State = LedgerOptions & Pick<Ledger, "balance" | "nonce">;

function checkTransaction(serialized: Hex, state: State) {
	const tx = readSigned(serialized);
	const seconds = Math.floor(state.now() / 1_000);
	if (tx.chainId !== state.chainId) throw new Rejected("invalid chain id");
	if (tx.validBefore !== undefined && tx.validBefore <= seconds) throw new Rejected("transaction expired");
	if (tx.validAfter !== undefined && tx.validAfter > seconds) throw new Rejected("not valid yet", -32_000);
	const lane = tx.nonceKey ?? 0n;
	const number = BigInt(tx.nonce ?? 0);
	if (lane === maxUint256) {
		if (tx.validBefore === undefined || tx.validBefore > seconds + 30) throw new Rejected("invalid transaction");
	} else {
		if (number < state.nonce(tx.from, lane)) throw new Rejected("nonce too low");
		if (number > state.nonce(tx.from, lane)) throw new Rejected("nonce gap", -32_000);
	}
	return { from: tx.from, lane, transfers: transfersOf(tx.from, tx.calls, state.balance) };
}

function readSigned(serialized: Hex) {
	const tx = (() => {
		try {
			return Transaction.deserialize(serialized as `0x76${string}`);
		} catch {
			throw new Rejected("failed to decode signed transaction", -32_602);
		}
	})();
	// Null: a fee payer was to sign, and has not.
	if (tx.from === undefined || tx.feePayerSignature === null || tx.signature?.type !== "secp256k1")
		throw new Rejected("invalid signature");
	return { ...tx, from: lower(tx.from) };
}

/** The transfers among a transaction's calls, for all of which the sender must hold enough. */
function transfersOf(from: string, calls: readonly Call[], balance: Ledger["balance"]): Omit<Movement, "hash">[] {
	const spent = new Map<string, bigint>();
	return calls.flatMap((call) => {
		const transfer = decodeTransfer(call);
		if (transfer === undefined) return [];
		const { token, amount } = transfer;
		const required = (spent.get(token) ?? 0n) + amount;
		spent.set(token, required);
		const available = balance(from, token);
		if (required > available) {
			const args = [available, required, token] as const;
			const data = encodeErrorResult({ abi: Abis.tip20, errorName: "InsufficientBalance", args });
			throw new Rejected("execution reverted", 3, data);
		}
		return [{ ...transfer, from: lower(from) }];
	});
}

function decodeTransfer(call: Call): Pick<Movement, "token" | "to" | "amount" | "memo"> | undefined {
	try {
		const decoded = decodeFunctionData({ abi: Abis.tip20, data: (call.data ?? call.input ?? "0x") as Hex });
		if (decoded.functionName !== "transfer" && decoded.functionName !== "transferWithMemo") return;
		const [to, amount, memo] = decoded.args as readonly [Address, bigint, Hex?];
		return { token: lower(call.to ?? ""), to: lower(to), amount, memo };
	} catch {
		return;
	}
}
