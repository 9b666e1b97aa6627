/** The part of the registry that is reachable over HTTP. */
import { type OperationName, type OperationShape, operations } from "#libs/contract/index.ts";
import type { HttpBinding } from "#libs/contract/operation.ts";

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
