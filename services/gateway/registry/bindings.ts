/** The operations that are reachable over HTTP, their prices, and the shape of an answer. */

import type { Readable } from "node:stream";
import { type OperationName, type OperationShape, operations } from "#libs/contract/index.ts";
import type { HttpBinding } from "#libs/contract/operation.ts";
import { type Price, priceMicroUsd } from "#libs/contract/vocabulary.ts";

export interface HttpOperation {
	name: OperationName;
	operation: OperationShape;
	http: HttpBinding;
	/** Set for reads of pages for browsers, which are free and counted apart from all other requests. */
	pageRead?: {
		/** Rows that it takes at least of those of a day; 0: it takes none, because programs read the same for free. */
		leastRows: number;
	};
}

/** Resource by resource, in each by name. */
export function httpOperations(): HttpOperation[] {
	return Object.entries<OperationShape>(operations).flatMap(([name, operation]) =>
		operation.http === undefined ? [] : [{ name: name as OperationName, operation, http: operation.http }],
	);
}

/** The names that stand as `{name}` in a path of the registry. */
export const pathParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** Millionths of a US dollar as dollars: at least the cents, and no digit more than there is (`0.01`, `5.00`, `0.0025`). */
export function usdText(microUsd: number): string {
	const digits = (microUsd / 1_000_000).toFixed(6);
	return digits.replace(/(\.\d\d)(\d*?)0*$/, "$1$2");
}

/** Whether single calls of it can be paid for: what needs a key takes queries of its plan. */
export const isSold = ({ price, needsKey }: HttpBinding): boolean => price !== "free" && needsKey !== true;

/** A tier as its price: `free`, `$0.01`. */
export const usdOf = (price: Price): string => (price === "free" ? "free" : `$${usdText(priceMicroUsd[price])}`);

/** An answer before it is sent. */
export interface Answered {
	status: number;
	headers: Record<string, string>;
	body: Buffer | Readable;
	/** Of an export: the SHA-256 of its file, which is what is paid for. */
	file?: string;
}
