import { queueFeeds, queueLayouts } from "../support/queue-files.ts";
import { faults } from "./broken-files.ts";
import { replay } from "./replay.ts";

for (const feed of queueFeeds)
	for (const layout of queueLayouts(feed))
		await replay(
			feed,
			layout,
			[1, 200].map((days) => ({ days, faults })),
		);
