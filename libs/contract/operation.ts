/** The shape of every operation, over HTTP, over the bus and as an agent's tool. */
import type { z } from "zod";
import type { Price } from "./vocabulary.ts";

export const owners = ["queue-ingest", "signals", "scoring", "billing", "query", "subscriptions", "gateway"] as const;
export type Owner = (typeof owners)[number];

export type Method = "GET" | "POST" | "PATCH" | "DELETE";
/** Its parameters outside the path are a body; the others have them in the query. */
export const takesBody = (method: Method): boolean => method === "POST" || method === "PATCH";

export interface HttpBinding {
	method: Method;
	/** `{name}` is a path parameter of the same name in `params`. */
	path: `/${string}`;
	price: Price;
	/** Requires a key and concerns its account (403 without one, also where the call is free). Another service than the gateway gets the account's id. */
	needsKey?: true;
	/** Limit of requests of an address in a minute, with or without a key, for operations with a cost per call. */
	perMinute?: number;
	/** Revokes the key of the request. Counts against no limit: a thief's constant calls must not prevent the key's owner from revoking it. */
	endsKey?: true;
	/** Authorized by a token of prepaid credits, which it is about. */
	credential?: "credits";
	/** Sells prepaid credits: a payment of the amount that the caller chooses. */
	sellsCredits?: true;
	/** It will be gone: since when it is known (a day), from which day on it may be, and what to use in its place. */
	deprecated?: { since: string; sunset: string; successor: `/${string}` };
	/** Changes nothing, though it is a POST: its parameters are too long for an address. */
	readsByPost?: true;
}

/** An object or an array only in a body. */
export type ExampleValue =
	| string
	| number
	| boolean
	| Readonly<Record<string, readonly string[] | string | boolean>>
	| readonly Readonly<Record<string, string>>[];

export interface OperationShape {
	/** The one service that answers. */
	owner: Owner;
	/** One line, shown in every document. */
	summary: string;
	/** A flat object: names that stand in `http.path` are path parameters, the rest is the query (GET, DELETE) or the body (POST, PATCH). */
	params: z.ZodType<object, object> & { shape: Record<string, z.ZodType> };
	/** Closed schema of the answer, for types, documents and tests; the owner writes the JSON itself. */
	reply: z.ZodType;
	/** Absent: bus-only, there is no other internal interface. */
	http?: HttpBinding;
	/**
	 * The parameter, an object of texts, that takes whatever stands in the query under no declared name: names that are known only with the
	 * thing that is asked for. Of a GET.
	 */
	gathers?: string;
	/** The answer is not JSON: this media type (a page, a CSV). */
	mediaType?: string;
	/** Where the parameter `format` chooses the media type: by value. `mediaType` is the default. */
	mediaTypes?: Record<string, string>;
	/** The answer is a stream of chunks, as long as it needs to be. Over HTTP it is a file, read at each caller's own speed. */
	streamed?: true;
	/**
	 * The answer is server-sent events that have no end, answered by the gateway from what owners publish: the schema of the data by the
	 * event's name. `mediaType` is text/event-stream; it is no tool.
	 */
	eventStream?: Record<string, z.ZodType>;
	/** At the gateway: has no timeout, and ends when the caller disconnects. */
	untimed?: true;
	/** The answer for a past day (`as_of`, or `from` and `to`) also contains data of this owner. */
	ofDayWith?: Owner;
	/** Why it does not take `as_of`, of a read about requests, changes, scores or developers: a sentence that documents show. */
	noPast?: string;
	/** The answer depends on the clock as well as on data: how long it may be cached (ms). */
	maxAgeMs?: number;
	/** For the parameter `fields`: the name of the rows in the answer (null: the answer is the row), and the fields that are always shown. */
	fields?: { of: string | null; always: readonly string[] };
	/** Example parameters: shown in documents, and used by the live calls of the reference. */
	example?: Record<string, ExampleValue>;
}

/** Declares an operation. The identity function, for the types. */
export function operation<const O extends OperationShape>(declaration: O): O {
	return declaration;
}

declare const reply: unique symbol;
/** JSON text of an `R`, written by PostgreSQL and not parsed before it reaches the caller. */
export type Json<R> = string & { readonly [reply]?: R };
