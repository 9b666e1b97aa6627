/** The declaration of an operation, for HTTP, the bus and agents' tools. */
import type { z } from "zod";
import { none } from "./params.ts";
import type { Price } from "./vocabulary.ts";

export const owners = ["queue-ingest", "signals", "scoring", "billing", "query", "subscriptions", "gateway"] as const;
export type Owner = (typeof owners)[number];

export type Method = "GET" | "POST" | "PATCH" | "DELETE";
/** Whether the parameters outside the path are in the body instead of the query. */
export const takesBody = (method: Method): boolean => method === "POST" || method === "PATCH";

export interface HttpBinding {
	method: Method;
	/** `{name}` is a path parameter of the same name in `params`. */
	path: `/${string}`;
	price: Price;
	/**
	 * Requires a key and concerns its account (403 without one, even if the call is free). Services other than the gateway receive the account's
	 * ID.
	 */
	needsKey?: true;
	/** Maximum requests per minute and address, with or without a key, for expensive operations. */
	perMinute?: number;
	/** Revokes the request's key. Counts against no limit, so that a thief's calls cannot prevent the owner from revoking it. */
	endsKey?: true;
	/** The operation is authorized by the token of the prepaid credits that it concerns. */
	credential?: "credits";
	/** Sells prepaid credits: a payment of the amount that the caller chooses. */
	sellsCredits?: true;
	/** Days of the deprecation and of the earliest removal, and the path to use instead. */
	deprecated?: { since: string; sunset: string; successor: `/${string}` };
	/** Returns 404 if an object does not exist that a parameter outside the path names. */
	looksUp?: true;
	/** A POST whose body is not read, because its senders choose it and its parameters are in the path. */
	ignoresBody?: true;
	/** A POST that changes nothing; it is used because its parameters are too long for an address. */
	readsByPost?: true;
}

/** Objects and arrays are allowed only in a body. */
export type ExampleValue =
	| string
	| number
	| boolean
	| Readonly<Record<string, readonly string[] | string | boolean>>
	| readonly Readonly<Record<string, string>>[];

export interface OperationShape {
	/** The service that handles the operation. */
	owner: Owner;
	/** Shown in every document. */
	summary: string;
	/** A flat object: names in `http.path` are path parameters, the others are in the query (GET, DELETE) or the body (POST, PATCH). */
	params: z.ZodType<object, object> & { shape: Record<string, z.ZodType> };
	/** Closed schema of the response, for types, documents and tests; the owner writes the JSON itself. */
	reply: z.ZodType;
	/** Absent for operations on the bus only. */
	http?: HttpBinding;
	/**
	 * For a GET whose parameter names depend on the requested object: the parameter (an object of texts) that collects all query parameters
	 * without a declared name.
	 */
	gathers?: string;
	/** Media type of a response that is not JSON (a page, a CSV). */
	mediaType?: string;
	/** Media types by value of the parameter `format`; `mediaType` is the default. */
	mediaTypes?: Record<string, string>;
	/** Other forms of the response, by the extension of the address: an Atom feed, an iCalendar. */
	alsoAs?: readonly ("atom" | "ics")[];
	/** The reply is a stream of chunks of any length. Over HTTP it is a file, which each caller reads at its own speed. */
	streamed?: true;
	/**
	 * The gateway responds with an endless stream of server-sent events, derived from owners' events: the schema of the data by event name.
	 * `mediaType` is text/event-stream; the operation is not a tool.
	 */
	eventStream?: Record<string, z.ZodType>;
	/** Has no timeout in the gateway; ends when the caller disconnects. */
	untimed?: true;
	/** The response for a past day (`as_of`, or `from` and `to`) also contains data of this owner. */
	ofDayWith?: Owner;
	/** Why a read of requests, changes, scores or developers does not take `as_of`: a sentence shown in documents. */
	noPast?: string;
	/** How long a response that depends on the clock may be cached (ms). */
	maxAgeMs?: number;
	/** For the parameter `fields`: the name of the rows in the response (null: the response is the row), and the fields that are always shown. */
	fields?: { of: string | null; always: readonly string[] };
	/** Example parameters for documents and for the live calls of the reference; empty for an operation without parameters. */
	example?: Record<string, ExampleValue>;
}

/** Declares an operation: returns its argument, with literal types. */
export function operation<const O extends OperationShape>(declaration: O): O {
	return declaration;
}

const operationOf =
	<W extends Owner>(owner: W) =>
	<const O extends Omit<OperationShape, "owner">>(declaration: O) =>
		operation({ owner, ...(declaration.params === none && { example: {} }), ...declaration });

export const billingOperation = operationOf("billing");
export const gatewayOperation = operationOf("gateway");
export const queryOperation = operationOf("query");
export const queueIngestOperation = operationOf("queue-ingest");
export const scoringOperation = operationOf("scoring");
export const signalsOperation = operationOf("signals");
export const subscriptionsOperation = operationOf("subscriptions");

declare const reply: unique symbol;
/** JSON text of an `R`, written by PostgreSQL and not parsed before it reaches the caller. */
export type Json<R> = string & { readonly [reply]?: R };
