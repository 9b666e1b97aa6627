import { breakRealLists } from "./broken-real-lists.ts";

// A text file that keeps finished requests; broken-real-downloads.long.test.ts breaks every operator's list.
await breakRealLists(["spp"]);
