/** The interface as types. In the package they are printed, so that programs need no other library (`deploy/local/build-client.ts`). */
import type { OperationName, OperationShape, Params, Operations as Registry, Reply } from "../../contract/index.ts";

type Reachable = {
	[N in OperationName]: Registry[N] extends { http: object } ? N : never;
}[OperationName];

/** Parameters and reply by name of the operation. */
export type Calls = {
	[N in Reachable]: { params: Partial<Params<N>>; reply: Registry[N] extends OperationShape ? Reply<N> : never };
};
