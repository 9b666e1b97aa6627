/** One call of an operation over any transport. The steps of the pipeline read and change it. */
import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "#libs/contract/errors.ts";
import type { QueueCaller } from "#libs/service/fair-queue.ts";
import { type ClientAddress, requestAddress } from "../callers/addresses.ts";
import { accountFields, type Caller, type KeyCaller } from "../callers/caller.ts";
import { disconnected } from "../http/answer.ts";
import type { Decision } from "../limiter/limiter.ts";
import type { Charge } from "../payments/rails/rail.ts";
import type { Paid, Payment } from "../payments/settle.ts";
import type { HttpOperation } from "../registry/bindings.ts";

/** A request and its response. HTTP and MCP implement it. */
export interface Transport {
	/** Unique among all replicas and restarts; used in responses, logs and the ledger. */
	readonly id: string;
	/** HEAD returns the headers of a GET. */
	readonly method: string;
	readonly headers: IncomingHttpHeaders;
	/** The caller, if an access token has identified it. Otherwise the headers or the query may contain a key. */
	readonly tokenCaller?: KeyCaller | undefined;
	/** IP address of the client, from the socket or a trusted proxy. */
	readonly ip: string;
	readonly path: Record<string, string>;
	readonly query: string;
	readonly body: Buffer | undefined;
	/** The resource that a payment for this call buys: the URL without a key, or the MCP tool. */
	readonly url: string;
	/** Scheme and host under which the caller reaches the service, without a trailing slash. */
	readonly site: string;
	/** The response has ended or the client has disconnected. */
	readonly closed: boolean;
	/** HTTP status of the response; 499 if the client disconnected before the response began. */
	readonly status: number;
	setHeaders(headers: Record<string, string>): void;
	/** Calls `then` once when the response ends for any reason; never if it has already ended. */
	whenEnded(then: () => void): void;
}

export interface Call {
	readonly operation: HttpOperation;
	readonly transport: Transport;
	/** Address of the client, parsed once. */
	readonly client: ClientAddress;
	caller: Caller;
	/** Parsed parameters. A `fault` in them is reported only after the limits are checked. */
	params?: object;
	fault?: unknown;
	/** The limiter's decision, if the call was counted. */
	decision?: Decision;
	/** The call took one query of the month. */
	counted: boolean;
	/** The plan was used up, but the call was allowed as one without a key. */
	beyondPlan: boolean;
	/** Rows that this read of a page took from the daily limit of its network. */
	rowsOfDay: number;
	/** The call was refused before any work was done, so it takes no query of the month. */
	refusedBeforeWork: boolean;
	payment?: { payment: Payment; charge: Charge };
	/**
	 * Set while the payment is being settled. A client that disconnects meanwhile may have been charged, so the outcome is recorded with
	 * the call.
	 */
	paying?: Promise<Paid>;
}

export function newCall(operation: HttpOperation, transport: Transport): Call {
	const client = requestAddress(transport);
	return {
		operation,
		transport,
		client,
		caller: { kind: "anonymous", ...client },
		counted: false,
		beyondPlan: false,
		rowsOfDay: 0,
		refusedBeforeWork: false,
	};
}

/** The account and address whose shares of a pool the call uses. An anonymous caller has no account, loopback no address. */
export function queueCallerOf({ caller, client: { address, loopback } }: Call): QueueCaller {
	const queueCaller: QueueCaller = {};
	if (!loopback) queueCaller.address = address;
	if (caller.kind === "key") Object.assign(queueCaller, accountFields(caller));
	return queueCaller;
}

/** Ends a call whose client has disconnected. It is an AppError, so that it is not logged as a failure of the service. */
export const callerGone = (): AppError => new AppError(disconnected, "the caller has disconnected");

/** Fires when the client disconnects, with `callerGone` as its reason. */
export function disconnectSignal(transport: Transport): AbortSignal {
	const gone = new AbortController();
	const abort = () => gone.abort(callerGone());
	if (transport.closed) abort();
	else transport.whenEnded(abort);
	return gone.signal;
}
