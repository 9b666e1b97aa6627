import type { Operator } from "../../sources/source.ts";
import { lbnl, lbnlUtilities } from "./lbnl.ts";
import { utilityQueue } from "./utilities/utility-queue.ts";

const publisher = "Tennessee Valley Authority";

export const operator: Operator = {
	publisher,
	states: ["TN", "AL", "MS", "KY", "GA", "NC", "VA", "AR"],
	lists: [
		utilityQueue({
			feed: "tva-active",
			region: "TVA",
			title: "TVA, active requests (tva_active_projects.csv)",
			publisher,
			names: ["TVA"],
		}),
		lbnlUtilities("TVA", lbnl.key),
	],
};
