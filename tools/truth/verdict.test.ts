import { expect, it } from "vitest";
import { statusIn } from "./fields.ts";
import { verdictOf } from "./verdict.ts";

it("a value is right if it equals the first cell with a value", () => {
	expect(verdictOf("capacity_mw", 99.9, ["0.00", "99.90"])).toBe("right");
	expect(verdictOf("queue_date", "2021-09-11", ["9/11/2021"])).toBe("right");
	expect(verdictOf("cod", "2026-04-30", ["04-2026"])).toBe("right");
	expect(verdictOf("county", "Kit Carson", ["Kit Carson/Cheyenne Counties"])).toBe("right");
	expect(verdictOf("status", "Withdrawn (Under Study)", ["Under Study"])).toBe("right");
});

it("a value is wrong if the cells have another value or none, or if it is missing", () => {
	expect(verdictOf("capacity_mw", 100, ["90", "100"])).toBe("wrong");
	expect(verdictOf("cod", "2026-04-30", [""])).toBe("wrong");
	expect(verdictOf("developer", null, ["Heron LLC"])).toBe("wrong");
});

it("a value that no cell contains is correctly unknown", () => {
	expect(verdictOf("developer", null, [])).toBe("unknown");
	expect(verdictOf("capacity_mw", null, ["0.00"])).toBe("unknown");
	expect(verdictOf("county", null, ["Not Specified"])).toBe("unknown");
});

it("a row's standard status is derived from texts, sheets and days", () => {
	const row = (sheet: string, cells: Record<string, string>) => [
		{ file: "f", sheet, cells: new Map(Object.entries(cells).map(([header, cell]) => [header.toLowerCase(), cell])) },
	];
	expect(statusIn("ISO-NE", row("raw", { "Project Status": "Under Study", "W/ D Date": "2020-01-01" }))).toBe(
		"Withdrawn",
	);
	expect(statusIn("ISO-NE", row("raw", { "Project Status": "" }))).toBe("Active");
	const silent = (file: string, requested: string) =>
		row("raw", { "Project Status": "", Requested: requested }).map((each) => ({ ...each, file }));
	expect(statusIn("ISO-NE", silent("isone/2024-08-30/queue.xlsx", "2015-02-16"))).toBe("Active");
	expect(statusIn("ISO-NE", silent("isone/2026-06-29/queue.csv", "2015-02-16"))).toBe("Unknown");
	expect(statusIn("ISO-NE", silent("isone/2024-08-30/queue.xlsx", "35223"))).toBe("Unknown");
	expect(statusIn("MISO", row("raw", { applicationStatus: "Done", postGIAStatus: "In Service" }))).toBe("Operational");
	expect(statusIn("MISO", row("raw", { applicationStatus: "Withdrawn - Pending Cure" }))).toBe("Active");
	expect(statusIn("NYISO", row("Interconnection Queue", { S: "9, 14" }))).toBe("Operational");
	expect(
		statusIn("CAISO", row("Grid GenerationQueue", { "Suspension Status": "X", "Application Status": "ACTIVE" })),
	).toBe("Suspended");
	expect(statusIn("ERCOT", row("Cancellation Update", {}))).toBe("Withdrawn");
});
