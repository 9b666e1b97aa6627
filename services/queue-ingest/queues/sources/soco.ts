/** Southern Company: Georgia Power, Alabama Power and Mississippi Power. */
import type { Operator } from "../../sources/source.ts";
import { lbnl, lbnlUtilities } from "./lbnl.ts";
import { utilityQueue } from "./utilities/utility-queue.ts";

const publisher = "Southern Company";

export const operator: Operator = {
	publisher,
	states: ["GA", "AL", "MS"],
	lists: [
		utilityQueue({
			feed: "soco-active",
			region: "SOCO",
			title: "Southern Company, active requests (soco_active_projects.csv)",
			publisher,
			names: ["SoCo"],
		}),
		lbnlUtilities("SOCO", lbnl.key),
	],
};
