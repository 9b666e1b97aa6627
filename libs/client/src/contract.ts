/** The API as types. In the package, `deploy/local/build-client.ts` writes them out in full, so that programs need no other library. */
import type { OperationName, OperationShape, Params, Operations as Registry, Reply } from "../../contract/index.ts";

type Reachable = {
	[N in OperationName]: Registry[N] extends { http: object } ? N : never;
}[OperationName];

type PathNames<P> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never;
type Path<N extends Reachable> = Registry[N] extends { http: { path: infer P } } ? P : never;
/** Parameters of a call. Only those in the path are required. */
type CallParams<N extends Reachable> = Partial<Params<N>> & Pick<Params<N>, PathNames<Path<N>> & keyof Params<N>>;

/** Parameters and reply by name of the operation. */
export type Calls = {
	[N in Reachable]: { params: CallParams<N>; reply: Registry[N] extends OperationShape ? Reply<N> : never };
};
