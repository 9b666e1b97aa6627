/** One call of an operation, whichever transport brought it: the value that the steps of the pipeline work on. */
import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "#libs/contract/errors.ts";
import type { QueueCaller } from "#libs/service/fair-queue.ts";
import { type Place, placeOfRequest } from "../callers/addresses.ts";
import type { Caller } from "../callers/caller.ts";
import type { Decision } from "../limiter/limiter.ts";
import type { Charge } from "../payments/rails/rail.ts";
import type { Paid, Payment } from "../payments/settle.ts";
import type { HttpOperation } from "../registry/bindings.ts";

/** What a transport knows of a request, and does for its answer. HTTP and MCP implement it. */
export interface Transport {
	/** Names the request among all replicas and starts: in answers, logs and the ledger. */
	readonly id: string;
	/** HEAD asks for the headers of a GET alone. */
	readonly method: string;
	readonly headers: IncomingHttpHeaders;
	/** IP address of the client, as the socket or a trusted proxy says it. */
	readonly ip: string;
	/** Path parameters, decoded. */
	readonly path: Record<string, string>;
	/** The query as it was sent, without `?`. */
	readonly query: string;
	readonly body: Buffer | undefined;
	/** What a payment for this call buys: the address without a key, or the MCP tool. */
	readonly url: string;
	/** Where the caller reaches the service, with its scheme, without a slash at the end. */
	readonly site: string;
	/** The answer has ended, or the client has disconnected. */
	readonly closed: boolean;
	/** HTTP status of the answer that was begun; 499 where the client disconnected before. */
	readonly status: number;
	/** Adds headers to the answer. */
	setHeaders(headers: Record<string, string>): void;
	/** Called once when the answer has ended, however it did; never, if it has ended already. */
	whenEnded(then: () => void): void;
}

export interface Call {
	readonly operation: HttpOperation;
	readonly transport: Transport;
	/** Where it comes from, read once. */
	readonly place: Place;
	/** Anonymous until a key identifies it. */
	caller: Caller;
	/** Parsed parameters, or what is wrong with them, which is reported after the limits. */
	params?: object;
	fault?: unknown;
	/** What the limits said, where they were asked. */
	decision?: Decision;
	/** One query of the month was taken. */
	counted: boolean;
	/** With a key: its plan had no room, and what its address has without one did. */
	beyondPlan: boolean;
	/** Rows of the day of its network that a read of a page has taken. */
	rowsOfDay: number;
	/** It was refused before anything was done for it: no query of the month. */
	isFree: boolean;
	/** To be made before the answer goes out. */
	payment?: { payment: Payment; charge: Charge };
	/** The payment is being made. A client that disconnects meanwhile may have been charged: what came of it is recorded with the call. */
	paying?: Promise<Paid>;
}

export function newCall(operation: HttpOperation, transport: Transport): Call {
	const place = placeOfRequest(transport);
	return {
		operation,
		transport,
		place,
		caller: { kind: "anonymous", ...place },
		counted: false,
		beyondPlan: false,
		rowsOfDay: 0,
		isFree: false,
	};
}

/** What the call's share of a pool is counted under: its account, where it is known, and its address, unless it is from this machine. */
export function queueCallerOf({ caller, place: { address, loopback } }: Call): QueueCaller {
	const known: QueueCaller = {};
	if (!loopback) known.address = address;
	if (caller.kind === "key") known.account = String(caller.accountId);
	return known;
}

/** Fires when the client has disconnected; as an AppError it is not taken for a fault of ours. */
export function goneOf(transport: Transport): AbortSignal {
	const gone = new AbortController();
	const leave = () => gone.abort(new AppError(499, "the caller has gone"));
	if (transport.closed) leave();
	else transport.whenEnded(leave);
	return gone.signal;
}
