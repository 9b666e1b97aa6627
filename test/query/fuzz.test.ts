/** Random statements; test/query/fuzz.long.test.ts runs ten thousand. */
import { fuzz } from "./support/fuzz-suite.ts";

fuzz(60, 20_261_123);
