/** The operations that are reachable over HTTP, their prices, and the type of a response. */

import type { Readable } from "node:stream";
import { type OperationName, type OperationShape, operations } from "#libs/contract/index.ts";
import type { HttpBinding } from "#libs/contract/operation.ts";
import { type Price, priceMicroUsd } from "#libs/contract/vocabulary.ts";

/** Another format of an operation's response, such as an Atom feed. */
export interface Rendering {
	mediaType: string;
	/** Converts the parameters of the call into those of the operation whose reply is rendered. @throws AppError 422 */
	params(params: object): object;
	/** `url`: the requested address without its key. `site`: scheme and host of the service. */
	render(reply: object, request: { url: string; site: string }): string;
}

export interface HttpOperation {
	name: OperationName;
	operation: OperationShape;
	http: HttpBinding;
	/** Set if the response is rendered in a format other than JSON. */
	rendering?: Rendering;
	/** Set for reads by pages, which are free and have separate limits. */
	pageRead?: {
		/** Minimum rows that a read takes from the daily limit; 0 if the operation is free for programs, too. */
		minRows: number;
	};
}

/** The operations, by resource and then by name. */
export function httpOperations(): HttpOperation[] {
	return Object.entries<OperationShape>(operations).flatMap(([name, operation]) =>
		operation.http === undefined ? [] : [{ name: name as OperationName, operation, http: operation.http }],
	);
}

/** The names in braces of a declared path. */
export const pathParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** Micro-USD as dollars, with cents and no superfluous digits (`0.01`, `5.00`, `0.0025`). */
export function usdText(microUsd: number): string {
	const digits = (microUsd / 1_000_000).toFixed(6);
	return digits.replace(/(\.\d\d)(\d*?)0*$/, "$1$2");
}

/** Whether single calls can be paid for. Operations that need a key use the plan of the key instead. */
export const isSold = ({ price, needsKey }: HttpBinding): boolean => price !== "free" && needsKey !== true;

/** A price in dollars; 0 if free. */
export const priceUsd = (price: Price): number => priceMicroUsd[price] / 1_000_000;

/** A price as text: `free` or `$0.01`. */
export const usdOf = (price: Price): string => (price === "free" ? "free" : `$${usdText(priceMicroUsd[price])}`);

export interface CallResponse {
	status: number;
	headers: Record<string, string>;
	body: Buffer | Readable;
	/** SHA-256 of an export's file, for which a payment is valid for a day. */
	file?: string;
}
