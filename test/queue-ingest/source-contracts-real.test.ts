import { testRealPairs } from "./support/real-pairs.ts";

testRealPairs(2);
