/** Checks that the reasons of a reconciliation add up to both sides, status by status, to the kilowatt. */
import { expect } from "vitest";
import type { Reply } from "#libs/contract/index.ts";

type Body = Reply<"getReconciliation">["data"][number];

export function addsUp({ ours, theirs, statuses }: Body): void {
	for (const side of ["ours", "theirs"] as const) {
		expect(sum(statuses.map((status) => status[side]))).toEqual(kilowatts({ ours, theirs }[side]));
		for (const status of statuses)
			expect(sum(status.reasons.map((reason) => reason[side]))).toEqual(kilowatts(status[side]));
	}
}

type Sum = Body["ours"];

const kilowatts = ({ records, capacity_mw }: Sum) => ({ records, kw: Math.round(capacity_mw * 1_000) });

const sum = (sums: Sum[]) => ({
	records: sums.reduce((all, { records }) => all + records, 0),
	kw: sums.reduce((all, { capacity_mw }) => all + Math.round(capacity_mw * 1_000), 0),
});
