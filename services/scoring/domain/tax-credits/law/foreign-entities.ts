/**
 * Least share of cost that must be free of prohibited foreign entities (MACR), by the day construction began (signals sheet
 * 6.4).
 */
import type { Warning } from "../types.ts";
import { law, type Row } from "./row.ts";

export interface MaterialAssistance extends Row {
	readonly facility: number;
	readonly storage: number;
	readonly warnings: { readonly facility: Warning; readonly storage: Warning; readonly both: Warning };
}

const citation = "26 USC 7701(a)(51)-(52), 45Y(b)(1), 48E(b)(6); Notice 2026-15";

function assistance(from: string, to: string | null, facility: number, storage: number): MaterialAssistance {
	const year = from.slice(0, 4);
	const when = to === null ? `in ${year} or later` : `in ${year}`;
	const warning = (share: string): Warning => ({
		code: "FEOC",
		message: `No credit unless at least ${share} of the cost is free of prohibited foreign entities (construction begun ${when}) and the owner is none.`,
	});
	const [part, ofStorage] = [`${Math.round(facility * 100)} %`, `${Math.round(storage * 100)} %`];
	return {
		law: law(`Material assistance cost ratio: ${part}, storage ${ofStorage} (begun ${when})`, citation, from, to),
		facility,
		storage,
		warnings: { facility: warning(part), storage: warning(ofStorage), both: warning(`${part} (storage ${ofStorage})`) },
	};
}

/** Begins with construction after 2025. */
export const materialAssistance: readonly MaterialAssistance[] = [
	assistance("2026-01-01", "2026-12-31", 0.4, 0.55),
	assistance("2027-01-01", "2027-12-31", 0.45, 0.6),
	assistance("2028-01-01", "2028-12-31", 0.5, 0.65),
	assistance("2029-01-01", "2029-12-31", 0.55, 0.7),
	assistance("2030-01-01", null, 0.6, 0.75),
];
