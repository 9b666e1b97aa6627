/** Southeastern utilities that have no separate list, from Berkeley Lab's editions: Florida Power & Light, Santee Cooper and others. */
import type { Operator } from "../../sources/source.ts";
import { lbnlUtilities } from "./lbnl.ts";

export const operator: Operator = {
	publisher: "Utilities of the Southeast",
	states: ["AL", "FL", "GA", "IN", "KY", "MO", "OK", "AR", "SC", "VA"],
	lists: [lbnlUtilities("SOUTHEAST")],
};
