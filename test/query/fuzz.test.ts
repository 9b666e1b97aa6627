/** What is thrown at POST /query at random comes to rows or to a reason, changes nothing, and stops nobody. */
import { fuzzSuite } from "./support/fuzz-suite.ts";

fuzzSuite([1, 2, 3], 150);
