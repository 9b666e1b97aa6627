/** Western utilities outside CAISO, from Berkeley Lab's editions: PacifiCorp, BPA, APS and others. */
import type { Operator } from "../../sources/source.ts";
import { lbnlUtilities } from "./lbnl.ts";

export const operator: Operator = {
	publisher: "Utilities of the West",
	states: ["AZ", "CA", "CO", "ID", "MT", "NM", "NV", "OR", "SD", "TX", "UT", "WA", "WY", "NE"],
	lists: [lbnlUtilities("WEST")],
};
