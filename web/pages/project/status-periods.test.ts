import { expect, test } from "vitest";
import { type State, statusPeriods } from "./status-periods.ts";

const state = (valid_from: string, status: [string | null, string | null] | null): State => ({
	...{
		version: 1,
		valid_from,
		valid_to: null,
		reason: "list",
		backfilled: false,
		snapshot_id: 1,
		file: null,
	},
	differences:
		status === null
			? [{ field: "cod", old_value: "2027-01-01", new_value: "2028-01-01" }]
			: [{ field: "status_std", old_value: status[0], new_value: status[1] }],
});

test("a status lasts until the next one, in any order of the states", () =>
	expect(
		statusPeriods([
			state("2026-01-01T00:00:00Z", ["Active", "Withdrawn"]),
			state("2025-06-01T00:00:00Z", null),
			state("2025-01-01T00:00:00Z", [null, "Active"]),
		]),
	).toEqual([
		{ status: "Active", from: "2025-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z" },
		{ status: "Withdrawn", from: "2026-01-01T00:00:00Z", to: null },
	]));

test("without the first states, the oldest known state has the status before the first change", () =>
	expect(
		statusPeriods([state("2026-01-01T00:00:00Z", ["Active", "Suspended"]), state("2025-06-01T00:00:00Z", null)]),
	).toEqual([
		{ status: "Active", from: "2025-06-01T00:00:00Z", to: "2026-01-01T00:00:00Z" },
		{ status: "Suspended", from: "2026-01-01T00:00:00Z", to: null },
	]));
