/** The part of the registry that is reachable over HTTP. */
import { type OperationName, type OperationShape, operations } from "#libs/contract/index.ts";
import type { HttpBinding } from "#libs/contract/operation.ts";

export interface HttpOperation {
	name: OperationName;
	operation: OperationShape;
	http: HttpBinding;
	/** Requests of an address without a key are counted apart from all others. */
	limit?: "pages";
}

/** Resource by resource, in each by name. */
export function httpOperations(): HttpOperation[] {
	return Object.entries<OperationShape>(operations).flatMap(([name, operation]) =>
		operation.http === undefined ? [] : [{ name: name as OperationName, operation, http: operation.http }],
	);
}

/** The names that stand as `{name}` in a path of the registry. */
export const pathParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
