/** Duke Energy Carolinas and Duke Energy Progress: one list for both. */
import type { Operator } from "../../sources/source.ts";
import { lbnlUtilities } from "./lbnl.ts";
import { utilityQueue } from "./utilities/utility-queue.ts";

const publisher = "Duke Energy";

export const operator: Operator = {
	publisher,
	states: ["NC", "SC", "FL"],
	lists: [
		utilityQueue({
			feed: "duke-active",
			region: "DUKE",
			title: "Duke Energy, active requests (duke_active_projects.csv)",
			publisher,
			names: ["DEC", "DEP"],
		}),
		lbnlUtilities("DUKE", (number) => number.trim().padStart(6, "0")),
	],
};
