/** As fuzz.test.ts, for as long as a night has. FUZZ_SEED begins other courses. */
import { fuzzSuite } from "./support/fuzz-suite.ts";

const first = Number(process.env.FUZZ_SEED ?? 100);
fuzzSuite([first, first + 1, first + 2, first + 3], 5_000);
