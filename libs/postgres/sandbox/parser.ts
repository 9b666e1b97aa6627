/**
 * PostgreSQL's own parser, as WebAssembly. V8 compiles its grammar, one function of the size of a program, anew once it has been called
 * some thousand times: that takes 600 MB and seconds of a core, and parsing is no faster for it. So V8 is told not to, before it is loaded.
 */
import { setFlagsFromString } from "node:v8";

for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);

export const { hasSqlDetails, parse } = await import("libpg-query");
