/**
 * PostgreSQL's own parser, as WebAssembly. V8 compiles its grammar, one function of the size of a program, anew once it has been called
 * some thousand times: that takes 600 MB and seconds of a core, and parsing is no faster for it. So V8 is told not to, before it is loaded.
 */
import { setFlagsFromString } from "node:v8";

type Parser = typeof import("libpg-query");
let loaded: Promise<Parser> | undefined;

/** Loaded by the first statement: three services can be asked one, each would hold 10 MB for it, and most never are. */
export const parser = (): Promise<Parser> => {
	loaded ??= load();
	return loaded;
};

async function load(): Promise<Parser> {
	for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);
	return import("libpg-query");
}
