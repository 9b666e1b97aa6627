/** PJM: two lists, one of the serial queue and one of the transition cycles and later. */
import type { Operator } from "../../sources/source.ts";
import { pjmCycle } from "./pjm/cycle.ts";
import { pjmSerial } from "./pjm/serial.ts";

export const operator: Operator = {
	publisher: "PJM Interconnection",
	states: ["DE", "DC", "MD", "NJ", "PA", "VA", "WV", "OH", "IL", "IN", "KY", "MI", "NC", "TN"],
	// The cycle row of a request has precedence over its serial row.
	lists: [pjmCycle, pjmSerial],
};
