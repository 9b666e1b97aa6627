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
	/** `{name}` is a path parameter, which `params` declares under the same name. */
	path: `/${string}`;
	price: Price;
	/**
	 * Set if the operation concerns the account of the key. Without a key the response is 403, even if the call is free. Services other than the
	 * gateway receive the account's ID.
	 */
	needsKey?: true;
	/** Maximum requests per minute from one address, with or without a key, for expensive operations. */
	perMinute?: number;
	/** The operation revokes the request's key. It counts against no limit, so that a thief's calls cannot prevent the owner from revoking it. */
	endsKey?: true;
	/** The operation is authorized by the token of the prepaid credits that it concerns. */
	credential?: "credits";
	/** The operation sells prepaid credits: the caller chooses the amount of the payment. */
	sellsCredits?: true;
	/** Set if the operation is deprecated: since which day, the earliest day of its removal, and the path to use instead. */
	deprecated?: { since: string; sunset: string; successor: `/${string}` };
	/** The operation returns 404 if the object that a parameter in the query or the body names does not exist. */
	looksUp?: true;
	/** The body of the POST is ignored: its senders (mail programs) decide what it contains, and all parameters are in the path. */
	ignoresBody?: true;
	/** The POST changes nothing; it is a POST because its parameters are too long for a URL. */
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
	/** Closed schema of the response, for types, documents and tests. It does not produce the JSON, which the owner writes. */
	reply: z.ZodType;
	/** Absent if the operation is available on the bus only. */
	http?: HttpBinding;
	/**
	 * Name of the parameter (an object of texts) that collects all query parameters that are not declared, for a GET whose parameters depend on the
	 * requested object.
	 */
	gathers?: string;
	/** Media type of a response that is not JSON (a page, a CSV). */
	mediaType?: string;
	/** Media types by value of the parameter `format`. `mediaType` is the one without that parameter. */
	mediaTypes?: Record<string, string>;
	/** Other forms of the response, which are requested with an extension in the URL: an Atom feed, an iCalendar file. */
	alsoAs?: readonly ("atom" | "ics")[];
	/** The reply is a stream of chunks of any length. Over HTTP it is a file, which each caller reads at its own speed. */
	streamed?: true;
	/**
	 * Schemas of the data by event name, if the gateway responds with an endless stream of server-sent events that are derived from owners' events.
	 * `mediaType` is then text/event-stream, and the operation is not a tool.
	 */
	eventStream?: Record<string, z.ZodType>;
	/** The gateway has no timeout for the operation, which ends when the caller disconnects. */
	untimed?: true;
	/** Another owner whose data the response for a past day (`as_of`, or `from` and `to`) also contains. */
	ofDayWith?: Owner;
	/** A sentence for documents that explains why an operation that reads requests, changes, scores or developers has no parameter `as_of`. */
	noPast?: string;
	/** How long a response that depends on the clock may be cached (ms). */
	maxAgeMs?: number;
	/** Set if there is a parameter `fields`: the response field with the rows (null: the response is the row), and the fields that are always shown. */
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
/** JSON text of an `R`. PostgreSQL writes it, and it is not parsed before it reaches the caller. */
export type Json<R> = string & { readonly [reply]?: R };
