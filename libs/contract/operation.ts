/** The shape of every question that can be asked, over HTTP, over the bus, by an agent. */
import type { z } from "zod";
import type { Price } from "./vocabulary.ts";

export const owners = ["queue-ingest", "signals", "scoring", "billing", "query", "gateway"] as const;
export type Owner = (typeof owners)[number];

export interface HttpBinding {
	method: "GET" | "POST";
	/** `{name}` is a path parameter of the same name in `params`. */
	path: `/${string}`;
	price: Price;
	/** Answers only who has a key, and about that key (403 without one, whatever is free). */
	needsKey?: true;
	/** Requests of an address in a minute, with or without a key, where each costs us something. */
	perMinute?: number;
	/** Ends the key of the request. It counts against no limit: a thief who calls all the time must not keep the key's owner from it. */
	endsKey?: true;
	/** Authorized by a token of prepaid credits, which it is about. */
	credential?: "credits";
	/** Sells prepaid credits: a payment of the amount that the caller chooses. */
	sellsCredits?: true;
	/** A browser's form may send it and gets its answer as a page. */
	form?: true;
	/** Changes nothing, though it is a POST: its parameters are too long for an address. */
	readsByPost?: true;
}

export interface OperationShape {
	/** The one service that answers. */
	owner: Owner;
	/** One line, shown in every document. */
	summary: string;
	/** A flat object: names that stand in `http.path` are path parameters, the rest is the query (GET) or the body (POST). */
	params: z.ZodType<object, object> & { shape: Record<string, z.ZodType> };
	/** Closed schema of the answer, for types, documents and tests; the owner writes the JSON itself. */
	reply: z.ZodType;
	/** Absent: bus-only, there is no other internal interface. */
	http?: HttpBinding;
	/** The answer is not JSON: this media type (a page, a CSV). */
	mediaType?: string;
	/** Where the parameter `format` chooses the media type: each by its word. `mediaType` is that of who does not choose. */
	mediaTypes?: Record<string, string>;
	/** The answer is a stream of chunks, as long as it needs to be. Over HTTP it is a file, read at each caller's own speed. */
	streamed?: true;
	/** Of the gateway: it takes as long as what it describes, and ends when the caller has gone. */
	untimed?: true;
	/** The answer depends on the clock as well as on data: how long it may be kept (ms). */
	maxAgeMs?: number;
	/** Parameters of a call worth trying: what documents show, and what the reference asks for live. */
	example?: Record<string, string | number | boolean>;
}

/** Declares an operation. The identity function, for the types. */
export function operation<const O extends OperationShape>(declaration: O): O {
	return declaration;
}

declare const reply: unique symbol;
/** JSON text whose content is an `R`: what PostgreSQL wrote and nobody reads before the caller. */
export type Json<R> = string & { readonly [reply]?: R };
