import { queueFeeds } from "../support/queue-files.ts";
import { breakRealLists } from "./broken-real-lists.ts";

await breakRealLists(queueFeeds);
