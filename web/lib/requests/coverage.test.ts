import { expect, test } from "vitest";
import { coverageGapText } from "./coverage.ts";

const coverage = { PJM: "2026-06-29", MISO: "2026-06-30", SPP: "2026-06-30", NYISO: null };
const later = "What happened later is not known.";

test.each([
	[{ region: "MISO", withdrawn_from: "2026-07-01" }, `MISO: no list since 2026-06-30. ${later}`],
	[{ iso: "MISO", date_from: "2026-01-01", date_to: "2026-07-02" }, `MISO: no list since 2026-06-30. ${later}`],
	[{ region: "MISO", updated_since: "2026-08-01" }, `MISO: no list since 2026-06-30. ${later}`],
	[{ region: "MISO", withdrawn_from: "2026-01-01" }, `MISO: no list since 2026-06-30. ${later}`],
	[{ region: "MISO", withdrawn_from: "2026-01-01", withdrawn_to: "2026-06-30" }, ""],
	[{ region: "MISO", updated_since: "2026-01-01" }, `MISO: no list since 2026-06-30. ${later}`],
	[
		{ region: "MISO", as_of: "2026-07-15", date_to: "2026-12-31" },
		`MISO: no list between 2026-06-30 and 2026-07-15. ${later}`,
	],
	[{ region: "MISO", as_of: "2026-06-30", date_to: "2026-12-31" }, ""],
	[{ region: "NYISO", as_of: "2026-06-30" }, "No list of NYISO is loaded of 2026-06-30 or before."],
	[{ region: "NYISO", cod_from: "2029-01-01" }, "No list of NYISO is loaded."],
	[{ region: "MISO", ia_to: "2026-06-30" }, ""],
	[{ region: "MISO", cod_from: "2029-01-01" }, ""],
	[{ region: "NYISO,PJM" }, "No list of NYISO is loaded."],
	[
		{ date_to: "2099-01-01", region: "PJM,MISO,SPP" },
		`PJM: no list since 2026-06-29. MISO, SPP: no list since 2026-06-30. ${later}`,
	],
])("%j", (filters, text) => {
	expect(coverageGapText(coverage, filters, "2026-11-28")).toBe(text);
});

test("lists of today cover days to come up to today", () => {
	expect(coverageGapText({ MISO: "2026-11-28" }, { date_to: "2099-01-01" }, "2026-11-28")).toBe("");
	expect(coverageGapText({ MISO: "2026-11-28" }, { withdrawn_from: "2099-01-01" }, "2026-11-28")).toBe("");
	expect(coverageGapText(undefined, { date_from: "2026-07-01" }, "2026-11-28")).toBe("");
});
