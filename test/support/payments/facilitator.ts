/**
 * A facilitator without a chain: the official one over a token in this process, by HTTP at /verify, /settle and /supported, and the
 * chain's JSON-RPC at /rpc. Faults can be ordered, one a request.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { x402Facilitator } from "@x402/core/facilitator";
import type { FacilitatorClient } from "@x402/core/http";
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { answerRpc } from "./chain-rpc.ts";
import type { Token } from "./token.ts";

/**
 * A fault of one request. `hang`: no response, nothing done. `drop`: the connection is lost, nothing done. `late`: done, and no response.
 * `lost`: done, and the connection is lost. `error`: 500. `refuse`: the verdict is no, with 200 or the status that is named. `pending`:
 * sent, and not known yet, although it arrived. `contradict`: done, and called a refusal.
 */
export type Fault =
	| "hang"
	| "drop"
	| "late"
	| "lost"
	| "error"
	| "refuse"
	| "refuse-400"
	| "refuse-500"
	| "pending"
	| "contradict";

export interface Facilitator extends AsyncDisposable {
	url: string;
	rpcUrl: string;
	faults: { verify: Fault[]; settle: Fault[]; supported: Fault[]; rpc: Fault[] };
	/** Requests so far. */
	asked: { verify: number; settle: number; supported: number; rpc: number };
	/** The Authorization headers that came. */
	authorizations: (string | undefined)[];
	/** The same, without HTTP. */
	client: FacilitatorClient;
}

export interface FacilitatorOptions {
	token: Token;
	/** Any free one by default. */
	port?: number;
}

type Verb = keyof Facilitator["faults"];

const longestBody = 262_144;

/** Runs in the process, without HTTP and faults. */
export function inProcessFacilitator(token: Token): FacilitatorClient {
	const official = new x402Facilitator().register(token.network, new ExactEvmScheme(token.signer));
	return {
		verify: (payload, requirements) => official.verify(payload, requirements),
		settle: (payload, requirements) => official.settle(payload, requirements),
		// The package types its own networks as text.
		getSupported: async () => official.getSupported() as Awaited<ReturnType<FacilitatorClient["getSupported"]>>,
	};
}

export async function startFacilitator({ token, port = 0 }: FacilitatorOptions): Promise<Facilitator> {
	const client = inProcessFacilitator(token);
	const faults: Facilitator["faults"] = { verify: [], settle: [], supported: [], rpc: [] };
	const requests: Facilitator["asked"] = { verify: 0, settle: 0, supported: 0, rpc: 0 };
	const authorizations: (string | undefined)[] = [];

	async function act(verb: Verb, body: string): Promise<unknown> {
		if (verb === "supported") return client.getSupported();
		if (verb === "rpc") return answerRpc(token, JSON.parse(body));
		const { paymentPayload, paymentRequirements } = JSON.parse(body) as {
			paymentPayload: PaymentPayload;
			paymentRequirements: PaymentRequirements;
		};
		return client[verb](paymentPayload, paymentRequirements);
	}

	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const verb = request.url?.slice(1) as Verb;
		if (!Object.hasOwn(requests, verb)) return answer(response, 404, { error: "no such path" });
		requests[verb]++;
		authorizations.push(request.headers.authorization);
		const body = await bodyOf(request);
		const fault = faults[verb].shift();
		if (fault === "hang") return;
		if (fault === "drop") return void request.socket.destroy();
		// Some facilitators quote the payment in their errors.
		if (fault === "error") return answer(response, 500, { error: /"nonce":"\w+"/.exec(body)?.[0] ?? "ordered" });
		if (fault?.startsWith("refuse")) return answer(response, Number(fault.slice(7)) || 200, refusalOf(verb, token));
		const done = await act(verb, body);
		if (fault === "late") return;
		if (fault === "lost") return void request.socket.destroy();
		if (fault === "pending")
			return answer(response, 200, { ...(done as object), success: false, errorReason: "settlement_pending" });
		if (fault === "contradict") return answer(response, 200, { ...(done as object), ...refusal });
		return answer(response, 200, done);
	}

	const server = createServer((request, response) => {
		respond(request, response).catch(() => answer(response, 500, { error: "failed" }));
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject).listen(port, "127.0.0.1", resolve);
	});
	const url = addressOf(server);
	return {
		url,
		rpcUrl: `${url}/rpc`,
		faults,
		asked: requests,
		authorizations,
		client,
		[Symbol.asyncDispose]: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

const refusal = { success: false, errorReason: "invalid_exact_evm_insufficient_balance" };

function addressOf(server: Server): string {
	const at = server.address();
	if (at === null || typeof at === "string") throw new Error("no port");
	return `http://127.0.0.1:${at.port}`;
}

function refusalOf(verb: Verb, { network }: Token): object {
	if (verb === "verify") return { isValid: false, invalidReason: "invalid_exact_evm_insufficient_balance" };
	return { ...refusal, transaction: "", network };
}

function answer(response: ServerResponse, status: number, body: unknown): void {
	if (response.destroyed) return;
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	const parts: Buffer[] = [];
	let length = 0;
	for await (const part of request as AsyncIterable<Buffer>) {
		length += part.length;
		if (length > longestBody) throw new Error("too long");
		parts.push(part);
	}
	return Buffer.concat(parts).toString();
}
