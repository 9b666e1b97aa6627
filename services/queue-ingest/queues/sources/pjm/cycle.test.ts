import { describe, expect, it } from "vitest";
import { csvOf, cycleExample, one, type Row, rowsOf, xmlOf } from "../../../../../test/support/pjm-files.ts";
import { withoutOrigins } from "../../../sources/collector.ts";
import type { ParsedFile } from "../../../sources/source.ts";
import { pjmCycle } from "./cycle.ts";

const cycle = (change?: Row) => one(pjmCycle, cycleExample, change);

/** Without positions in the file. */
const withoutTables = ({ tables: _, requests, ...rest }: ParsedFile) => ({
	...rest,
	requests: requests.map(withoutOrigins),
});

describe("PJM's cycle queue", () => {
	it("reads a request with its developer, cycle and stage", async () => {
		expect(await cycle()).toMatchObject({
			number: "AG2-901",
			name: "Dequine 345 kV",
			developer: "Brook Trout Solar LLC",
			state: null,
			county: null,
			cluster: "TC2",
			service: "Capacity",
			type: "Solar,Storage,Hybrid",
			typeStd: "Solar + Storage",
			capacityMw: 100,
			cod: "2024-12-02",
			studyPhase: "SIS",
			studyPhaseFiled: "PHASE 1",
			evidence: { stage: "early", basis: "study-code", contradictory: false },
			raw: { "Phase 1 SIS Report Status": "Posted" },
		});
	});

	it("reads the same requests from XML and CSV", async () => {
		const rows = rowsOf(cycleExample, [{}, { "Project ID": "AG2-902", "Revised In-Service Date": "1/1/2030" }]);
		const xml = await pjmCycle.parse(xmlOf(rows));
		expect(withoutTables(xml)).toEqual(withoutTables(await pjmCycle.parse(csvOf(rows))));
		expect(xml.unknownColumns).toEqual([]);
		expect(xml.requests[1]?.cod).toBe("2030-01-01");
	});

	it("ignores a new Last Updated date", async () => {
		expect(await cycle({ "Last Updated": "6/3/2026" })).toEqual(await cycle());
	});

	it("reads the stages of 2025 and of 2026", async () => {
		const cases = [
			["APPLICATION REVIEW", "Not Started", "early"],
			["Decision Point 1", "SIS", "early"],
			["DP2", "SIS", "early"],
			["PHASE 3", "Facilities", "mid"],
			["Final Agreement", "GIA", "late"],
		] as const;
		for (const [Stage, studyPhase, stage] of cases) {
			expect(await cycle({ Stage })).toMatchObject({ studyPhase, evidence: { stage, basis: "study-code" } });
		}
	});

	it("reads the abbreviated statuses", async () => {
		const Stage = "FINAL AGREEMENT";
		const [ep, uc] = [await cycle({ Stage, Status: "EP" }), await cycle({ Stage, Status: "UC" })];
		expect(ep).toMatchObject({
			statusStd: "Active",
			studyPhase: "IA Executed",
			evidence: { stage: "late", basis: "agreement" },
		});
		expect(uc).toMatchObject({ statusStd: "Active", evidence: { stage: "construction", basis: "published" } });
		expect(await cycle({ Stage, Status: "UC-ISP" })).toMatchObject({ statusStd: "Operational" });
	});

	it("keeps a new status and a new stage as filed, and counts them", async () => {
		const parsed = await pjmCycle.parse(csvOf(rowsOf(cycleExample, [{ Status: "Paused", Stage: "PHASE 9" }])));
		expect(parsed.requests[0]).toMatchObject({ status: "Paused", statusStd: "Active", studyPhase: null });
		expect(parsed.unknownValues).toEqual([
			{ field: "status", value: "Paused", count: 1 },
			{ field: "study_phase", value: "PHASE 9", count: 1 },
		]);
	});
});
