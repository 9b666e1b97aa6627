import { testRealPairs } from "./support/real-pairs.ts";

testRealPairs(Number.POSITIVE_INFINITY);
