/** Lines that compare the statements of two publishers about the same requests, with the reason for each difference. Pure. */
import type { Listing, ReconciliationMethod, Status, StatusBasis, StatusFlag } from "#libs/contract/vocabulary.ts";
import type { ErcotTotals } from "./ercot-summary.ts";
import type { Rule } from "./rules.ts";

export interface Side {
	id: string;
	status: Status;
	/** MW as the publisher counts them; null if not stated. */
	mw: number | null;
	/** Number of requests or units that the side represents (default: 1). */
	records?: number;
}

/** Each of our requests and each of their records appears in exactly one line. */
export interface Line {
	ours: readonly Side[];
	theirs: readonly Side[];
	rule: Rule;
	method?: ReconciliationMethod;
}

export const sideOf = ({ id, status, mw }: Side): Side => ({ id, status, mw });
export const megawattsOf = (sides: readonly Side[]): number => sides.reduce((sum, { mw }) => sum + (mw ?? 0), 0);

const toleranceMw = 0.05;

/** Returns one line per milestone, comparing the operator's total with our requests. A request missing from the edition or lowering a capacity gets its own line and is left out of the totals. */
export function compareTotals({ totals, rows }: ErcotTotals, ours: readonly OurRequest[]): Line[] {
	const rowOf = new Map(rows.map((row) => [row.number, row]));
	const open = ours.filter(({ status }) => status === "Active");
	const findRow = (request: OurRequest) => request.keys.map((key) => rowOf.get(key)).find((row) => row !== undefined);
	const lines: Line[] = open
		.filter((request) => findRow(request) === undefined)
		.map((request) => ({ ours: [sideOf(request)], theirs: [], rule: "not_in_edition" }));
	for (const { milestone, requests, mw } of totals) {
		const same = open.filter((request) => findRow(request)?.milestone === milestone);
		const lowered = same.filter((request) => request.mw === null && (findRow(request)?.mw ?? 0) < 0);
		for (const request of lowered) {
			const row = findRow(request);
			const theirs: Side = { id: row?.number ?? "", status: "Active", mw: row?.mw ?? null };
			lines.push({ ours: [sideOf(request)], theirs: [theirs], rule: "negative_change" });
		}
		const rest = same.filter((request) => !lowered.includes(request)).map(sideOf);
		const loweredMw = lowered.reduce((sum, request) => sum + (findRow(request)?.mw ?? 0), 0);
		const records = requests - lowered.length;
		const theirs: Side[] = records === 0 ? [] : [{ id: milestone, status: "Active", mw: mw - loweredMw, records }];
		if (rest.length + theirs.length === 0) continue;
		const difference = Math.abs(megawattsOf(rest) - (mw - loweredMw));
		if (rest.length === 0) lines.push({ ours: [], theirs, rule: "not_published_singly" });
		else
			lines.push({
				ours: rest,
				theirs,
				rule: rest.length === records && difference <= toleranceMw ? "adds_up" : "sum_differs",
			});
	}
	return lines;
}

/** A request in an operator's list on the compared day. */
export interface OurRequest {
	id: string;
	/** Normalized queue numbers of the request. */
	keys: string[];
	kind: string;
	name: string | null;
	typeStd: string;
	status: Status;
	statusBasis: StatusBasis | null;
	statusFlag: StatusFlag | null;
	listed: Listing;
	mw: number | null;
	summerMw: number | null;
	winterMw: number | null;
	/** Sum of the parts' capacities in the newest list; null if not stated. */
	partsMw: number | null;
	/** PJM only: the request is for a plant's capacity rights, not for energy. */
	isForRights: boolean;
	queueDate: string | null;
	actualCod: string | null;
	withdrawnDate: string | null;
}

export interface ListedRequest {
	id: string;
	key: string;
	name: string | null;
	status: Status;
	/** Sum of all parts, as the publisher counts it. */
	mw: number | null;
	parts: number;
	queueDate: string | null;
}
