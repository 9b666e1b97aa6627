/** Ten thousand random statements by DuckDB's grammar: `npm run test:long -- test/query`. */
import { fuzz } from "./support/fuzz-suite.ts";

fuzz(10_000, Number(process.env.FUZZ_SEED ?? 1));
