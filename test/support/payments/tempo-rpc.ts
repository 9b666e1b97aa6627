/** JSON-RPC as the stand-in for Tempo answers it, from its ledger. */
import {
	decodeFunctionData,
	encodeAbiParameters,
	encodeEventTopics,
	encodeFunctionResult,
	type Hex,
	keccak256,
	numberToHex,
	parseAbi,
	toHex,
} from "viem";
import { Abis } from "viem/tempo";
import { type Call, type Executed, type Ledger, type LedgerOptions, Rejected } from "./tempo-ledger.ts";

const reading = parseAbi([
	"function balanceOf(address account) view returns (uint256)",
	"function decimals() view returns (uint8)",
	"function name() view returns (string)",
	"function symbol() view returns (string)",
	"function currency() view returns (string)",
	"function getNonce(address account, uint256 nonceKey) view returns (uint64)",
]);
const none: Hex = `0x${"0".repeat(64)}`;
const bloom: Hex = `0x${"0".repeat(512)}`;
const GAS = toHex(50_000);

type Reply = { result: unknown } | { error: { code: number; message: string; data?: Hex } };
type Method = (params: unknown[], kind: string | undefined) => unknown;

/** `kind`, of what is sent: `revert`, `hold`. */
export function answering(ledger: Ledger, { chainId, now }: LedgerOptions) {
	const methods: Record<string, Method> = {
		eth_chainId: () => toHex(chainId),
		eth_blockNumber: () => toHex(ledger.height()),
		eth_getBlockByNumber: () => blockAt(ledger.height(), Math.floor(now() / 1_000)),
		eth_gasPrice: () => toHex(20_000_000_000),
		eth_maxPriorityFeePerGas: () => "0x0",
		eth_getCode: () => "0x",
		eth_getTransactionCount: ([account]) => toHex(ledger.nonce(String(account), 0n)),
		eth_getTransactionReceipt: ([hash]) => receiptOf(String(hash) as Hex, ledger.executed(String(hash))),
		eth_call: ([request]) => call(request as Request, ledger),
		eth_estimateGas: ([request]) => {
			simulate(request as Request, ledger);
			return GAS;
		},
		eth_sendRawTransaction: ([serialized], kind) => ledger.send(String(serialized).toLowerCase() as Hex, kind),
		eth_sendRawTransactionSync: ([serialized], kind) => {
			const hash = ledger.send(String(serialized).toLowerCase() as Hex, kind);
			return receiptOf(hash, ledger.executed(hash));
		},
	};
	return (method: string, params: unknown[], kind?: string): Reply => {
		try {
			const answer = methods[method];
			if (answer === undefined) throw new Rejected(`the method ${method} does not exist`, -32_601);
			return { result: answer(params, kind) };
		} catch (error) {
			if (!(error instanceof Rejected)) return { error: { code: -32_602, message: "invalid params" } };
			const { code, message, data } = error;
			return { error: { code, message, ...(data !== undefined && { data }) } };
		}
	};
}

interface Request extends Call {
	from?: string;
	calls?: Call[];
}

const callsOf = ({ calls, ...one }: Request) => calls ?? [one];
const simulate = (request: Request, ledger: Ledger) => ledger.simulate(request.from ?? "0x", callsOf(request));

function call(request: Request, ledger: Ledger): Hex {
	simulate(request, ledger);
	const [asked, ...more] = callsOf(request);
	if (asked === undefined || more.length > 0) return none;
	const data = (asked.data ?? asked.input ?? "0x") as Hex;
	const question = (() => {
		try {
			return decodeFunctionData({ abi: reading, data });
		} catch {
			return;
		}
	})();
	switch (question?.functionName) {
		case undefined:
			return none;
		case "balanceOf": {
			const result = ledger.balance(question.args[0], asked.to ?? "");
			return encodeFunctionResult({ abi: reading, functionName: "balanceOf", result });
		}
		case "getNonce": {
			const result = ledger.nonce(...question.args);
			return encodeFunctionResult({ abi: reading, functionName: "getNonce", result });
		}
		case "decimals":
			return encodeFunctionResult({ abi: reading, functionName: "decimals", result: 6 });
		case "currency":
			return encodeFunctionResult({ abi: reading, functionName: "currency", result: "USD" });
		default:
			return encodeFunctionResult({ abi: reading, functionName: "symbol", result: "demoUSD" });
	}
}

/** Null for a transaction that is in no block. */
function receiptOf(hash: Hex, executed: Executed | undefined): object | null {
	if (executed === undefined) return null;
	const block = toHex(executed.block);
	const place = {
		blockHash: keccak256(numberToHex(executed.block)),
		blockNumber: block,
		transactionHash: hash.toLowerCase(),
		transactionIndex: "0x0",
	};
	const logs = executed.movements.flatMap(({ token, from, to, amount, memo }) => {
		const data = encodeAbiParameters([{ type: "uint256" }], [amount]);
		const plain = encodeEventTopics({ abi: Abis.tip20, eventName: "Transfer", args: { from, to } });
		if (memo === undefined) return [{ address: token, data, topics: plain }];
		const named = encodeEventTopics({ abi: Abis.tip20, eventName: "TransferWithMemo", args: { from, to, memo } });
		return [plain, named].map((topics) => ({ address: token, data, topics }));
	});
	return {
		...place,
		type: "0x76",
		status: executed.success ? "0x1" : "0x0",
		from: executed.from,
		to: executed.movements[0]?.token ?? null,
		contractAddress: null,
		cumulativeGasUsed: GAS,
		gasUsed: GAS,
		effectiveGasPrice: "0x0",
		logsBloom: bloom,
		logs: logs.map((log, index) => ({ ...log, ...place, logIndex: toHex(index), removed: false })),
	};
}

const blockAt = (number: number, seconds: number) => ({
	number: toHex(number),
	hash: keccak256(numberToHex(number)),
	parentHash: none,
	timestamp: toHex(seconds),
	baseFeePerGas: "0x0",
	gasLimit: toHex(500_000_000),
	gasUsed: "0x0",
	difficulty: "0x0",
	extraData: "0x",
	logsBloom: bloom,
	miner: `0x${"0".repeat(40)}`,
	mixHash: none,
	nonce: "0x0000000000000000",
	receiptsRoot: none,
	sha3Uncles: none,
	size: "0x0",
	stateRoot: none,
	transactionsRoot: none,
	transactions: [],
	uncles: [],
});
