/**
 * The interface as types, from the contract itself. The package has the same printed without the contract's own library
 * (`deploy/local/build-client.ts`), so that a program that uses it needs nothing else.
 */
import type { OperationName, OperationShape, Params, Operations as Registry, Reply } from "../../contract/index.ts";

type Reachable = {
	[N in OperationName]: Registry[N] extends { http: object } ? N : never;
}[OperationName];

/** By name of the operation: what it takes and what it answers. */
export type Calls = {
	[N in Reachable]: { params: Partial<Params<N>>; reply: Registry[N] extends OperationShape ? Reply<N> : never };
};
