/** News: GDELT's bulk files of every quarter of an hour, its search for developers' names, and the trade press' own feeds. */

import { readBulkFiles } from "./news-bulk-files.ts";
import { readNewsFeeds } from "./news-feeds.ts";
import { searchNews } from "./news-search.ts";
import type { Part } from "./turn.ts";

export const newsParts: readonly Part[] = [
	{ name: "gkg", everyMinutes: 10, run: readBulkFiles },
	{ name: "feeds", everyMinutes: 10, run: readNewsFeeds },
	// Most requests to it are refused, however few they are.
	{ name: "search", everyMinutes: 15, bestEffort: true, run: searchNews },
];
