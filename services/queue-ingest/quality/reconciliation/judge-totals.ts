/** Why an operator's own totals and what we made of its rows differ. Pure. */
import type { ErcotTotals } from "./ercot-summary.ts";
import type { Line, Side } from "./line.ts";
import type { OurRequest } from "./listed-request.ts";

const nearMw = 0.05;

/** Their sum of a milestone less the rows that are counted otherwise here is a line with our requests of that milestone. */
export function judgeTotals({ totals, rows }: ErcotTotals, ours: readonly OurRequest[]): Line[] {
	const rowOf = new Map(rows.map((row) => [row.number, row]));
	const open = ours.filter(({ status }) => status === "Active");
	const found = (request: OurRequest) => request.keys.map((key) => rowOf.get(key)).find((row) => row !== undefined);
	const side = ({ id, status, mw }: OurRequest): Side => ({ id, status, mw });
	const lines: Line[] = open
		.filter((request) => found(request) === undefined)
		.map((request) => ({ ours: [side(request)], theirs: [], rule: "not_in_edition" }));
	for (const { milestone, requests, mw } of totals) {
		const same = open.filter((request) => found(request)?.milestone === milestone);
		const lowered = same.filter((request) => request.mw === null && (found(request)?.mw ?? 0) < 0);
		for (const request of lowered) {
			const row = found(request);
			const theirs: Side = { id: row?.number ?? "", status: "Active", mw: row?.mw ?? null };
			lines.push({ ours: [side(request)], theirs: [theirs], rule: "negative_change" });
		}
		const rest = same.filter((request) => !lowered.includes(request)).map(side);
		const loweredMw = lowered.reduce((sum, request) => sum + (found(request)?.mw ?? 0), 0);
		const records = requests - lowered.length;
		const theirs: Side[] = records === 0 ? [] : [{ id: milestone, status: "Active", mw: mw - loweredMw, records }];
		if (rest.length + theirs.length === 0) continue;
		const difference = Math.abs(rest.reduce((sum, one) => sum + (one.mw ?? 0), 0) - (mw - loweredMw));
		if (rest.length === 0) lines.push({ ours: [], theirs, rule: "not_published_singly" });
		else
			lines.push({
				ours: rest,
				theirs,
				rule: rest.length === records && difference <= nearMw ? "adds_up" : "sum_differs",
			});
	}
	return lines;
}
