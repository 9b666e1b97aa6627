/** CAISO: the public queue report, and Cluster 15, which is published separately. */
import type { Operator } from "../../sources/source.ts";
import { caisoCluster15 } from "./caiso/cluster-15.ts";
import { caiso } from "./caiso/queue.ts";

export const operator: Operator = {
	publisher: "California ISO",
	states: ["CA", "NV", "AZ", "NM"],
	joinsByHyphen: true,
	lists: [caiso, caisoCluster15],
};
