/**
 * A Tempo network of one process, for tests and demonstrations without a chain: JSON-RPC over HTTP on loopback, as far as clients and
 * servers of MPP ask. Signatures, balances, numbers, validity and logs are real; fees and gas are not charged, and only keys of
 * secp256k1 sign. It is not a network: what it holds is worth nothing and is gone with it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Ledger, openLedger } from "./tempo-ledger.ts";
import { answering } from "./tempo-rpc.ts";

/**
 * A fault of one method's requests. `hang`: no response until it is over. `lose`: the connection breaks before anything is done. `drop`:
 * it breaks afterwards. `hold`: it breaks, and what was sent is put into a block only by `mine()`. `revert`: it is put into a block and
 * does nothing. `busy`: HTTP 503.
 */
export type Fault = "hang" | "lose" | "drop" | "hold" | "revert" | "busy";

export interface TempoStandIn extends AsyncDisposable {
	url: string;
	chainId: number;
	ledger: Ledger;
	/** The next `times` questions of a method go wrong. */
	fail(method: string, kind: Fault, times?: number): void;
	/** Everything works again; what hangs is cut off. */
	recover(): void;
	/** The number of requests of a method. */
	asked(method: string): number;
}

export interface TempoOptions {
	/** 4217 is the main network, which the command line of mppx knows as the one that it pays on. */
	chainId?: number;
	port?: number;
	/** Milliseconds since 1970. */
	now?: () => number;
	/** Units (micro-dollars) of every token that an account which was never given any holds. */
	everybodyHolds?: bigint;
}

const BODY_MAX_BYTES = 1_000_000;

interface Question {
	id?: unknown;
	method: string;
	params?: unknown[];
}

export async function startTempo(options: TempoOptions = {}): Promise<TempoStandIn> {
	const { chainId = 4_217, port = 0, now = Date.now, everybodyHolds = 0n } = options;
	const ledger = openLedger({ chainId, now, everybodyHolds });
	const reply = answering(ledger, { chainId, now, everybodyHolds });
	const faults = new Map<string, { kind: Fault; left: number }>();
	const requests = new Map<string, number>();
	const hanging = new Set<ServerResponse>();

	/** Undefined: the question goes unanswered, in the way that its fault has it. */
	function answer({ id, method, params = [] }: Question, response: ServerResponse): object | undefined {
		requests.set(method, (requests.get(method) ?? 0) + 1);
		const fault = faults.get(method);
		const kind = fault !== undefined && fault.left-- > 0 ? fault.kind : undefined;
		if (kind === "hang") return void hanging.add(response);
		if (kind === "lose") return void response.destroy();
		if (kind === "busy") return void response.writeHead(503).end();
		const replied = reply(method, params, kind);
		if (kind === "drop" || kind === "hold") return void response.destroy();
		return { jsonrpc: "2.0", id: id ?? null, ...replied };
	}

	const server = createServer(async (request, response) => {
		const asking = await readQuestions(request);
		if (asking === undefined) return void response.writeHead(400).end();
		const replies = [asking].flat().map((question) => answer(question, response));
		if (replies.includes(undefined)) return;
		response.writeHead(200, { "content-type": "application/json" });
		response.end(JSON.stringify(Array.isArray(asking) ? replies : replies[0]));
	});
	await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
	const address = server.address();

	function recover(): void {
		faults.clear();
		for (const response of hanging) response.destroy();
		hanging.clear();
	}
	return {
		url: `http://127.0.0.1:${typeof address === "object" ? address?.port : port}`,
		chainId,
		ledger,
		fail: (method, kind, times = Number.POSITIVE_INFINITY) => void faults.set(method, { kind, left: times }),
		recover,
		asked: (method) => requests.get(method) ?? 0,
		async [Symbol.asyncDispose]() {
			recover();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function readQuestions(request: IncomingMessage): Promise<Question | Question[] | undefined> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		bytes += chunk.length;
		if (bytes > BODY_MAX_BYTES) return undefined;
		chunks.push(chunk);
	}
	try {
		return JSON.parse(Buffer.concat(chunks).toString()) as Question | Question[];
	} catch {
		return undefined;
	}
}
