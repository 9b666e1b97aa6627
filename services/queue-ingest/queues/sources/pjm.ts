/** PJM: two lists, that of the transition cycles and since, and that of the serial queue before. */
import type { Operator } from "../../sources/source.ts";
import { pjmCycle } from "./pjm/cycle.ts";
import { pjmSerial } from "./pjm/serial.ts";

export const operator: Operator = {
	publisher: "PJM Interconnection",
	states: ["DE", "DC", "MD", "NJ", "PA", "VA", "WV", "OH", "IL", "IN", "KY", "MI", "NC", "TN"],
	// The cycle row of a request wins over its serial row.
	lists: [pjmCycle, pjmSerial],
};
