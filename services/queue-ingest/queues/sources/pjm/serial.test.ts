import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { csvOf, file, one, type Row, rowsOf, serialExample, xmlOf } from "../../../../../test/support/pjm-files.ts";
import { withoutOrigins } from "../../../sources/collector.ts";
import type { ParsedFile } from "../../../sources/source.ts";
import { standardise } from "../../standardise.ts";
import { operator } from "../pjm.ts";
import { pjmSerial } from "./serial.ts";

const serial = (change?: Row) => one(pjmSerial, serialExample, change);

/** Without positions in the file. */
const withoutTables = ({ tables: _, requests, ...rest }: ParsedFile) => ({
	...rest,
	requests: requests.map(withoutOrigins),
});

describe("PJM's serial queue", () => {
	it("reads a request", async () => {
		expect(await serial()).toMatchObject({
			number: "AB2-901",
			kind: "generation",
			name: "Heron Solar Project",
			poi: "Church - Oil City 138kV",
			developer: null,
			county: "Caroline",
			state: "MD",
			utility: "DPL",
			service: "Capacity",
			type: "Solar; Storage",
			typeStd: "Solar + Storage",
			status: "Engineering and Procurement",
			statusStd: "Active",
			capacityMw: 90,
			queueDate: "2016-02-26",
			cod: "2026-12-31",
			backfeedDate: "2026-06-20",
			studyPhase: "IA Executed",
			evidence: { stage: "late", basis: "agreement", contradictory: false },
			raw: { "Attachment Type": "N" },
		});
	});

	it("reads the same requests from XML and CSV", async () => {
		const rows = rowsOf(serialExample, [{}, { "Project ID": "AB2-902", Name: "Hill & Dale <115 kV>", MFO: "5" }]);
		const xml = await pjmSerial.parse(xmlOf(rows));
		expect(withoutTables(xml)).toEqual(withoutTables(await pjmSerial.parse(csvOf(rows))));
		expect(xml.unknownColumns).toEqual([]);
	});

	it("finds the agreement's status under its old name and its new one", async () => {
		const old = "Interim/Interconnection Service Agreement Status";
		const renamed = "Interim/Interconnection Service/Generation Interconnection Agreement Status";
		const { [renamed]: _, ...base } = serialExample;
		const word = "Wholesale Market Participation Agreement";
		for (const header of [old, renamed]) {
			const request = await one(pjmSerial, base, { Status: "Active", [header]: word });
			expect(request).toMatchObject({ iaStatusFiled: word, studyPhase: "IA Executed" });
		}
	});

	it("uses the point of interconnection as the name if there is none", async () => {
		expect(await serial({ "Commercial Name": "" })).toMatchObject({ name: "Church - Oil City 138kV" });
	});

	it("uses the requested energy as capacity, else the facility's output, else the capacity rights", async () => {
		expect(await serial({ "MW Energy": "" })).toMatchObject({ capacityMw: 92 });
		expect(await serial({ "MW Energy": "", MFO: "" })).toMatchObject({ capacityMw: 34.9 });
	});

	it("gives a request without energy the size of its capacity rights, with the plant's output as nameplate", async () => {
		const rights = await serial({ MFO: "776.0", "MW Energy": "0", "MW Capacity": "9.0" });
		expect(rights).toMatchObject({ capacityMw: 9, raw: { MFO: "776" } });
		const nothing = await serial({ MFO: "484", "MW Energy": "0", "MW Capacity": "0" });
		expect(nothing).toMatchObject({ capacityMw: null, raw: { MFO: "484" } });
		expect((await serial({ "MW Energy": "92" })).raw).not.toHaveProperty("MFO");
	});

	it("reads a request without energy as a request for capacity rights", async () => {
		// AI2-129: offshore wind of 2,250 MW with rights to 1,675.59, and no energy.
		const offshore = { "Project ID": "AI2-129", Fuel: "Offshore Wind", MFO: "2250.0", "MW Capacity": "1675.59" };
		expect(await serial({ ...offshore, "MW Energy": "0.0" })).toMatchObject({
			requestClass: "capacity_rights",
			capacityMw: 1675.59,
		});
		for (const energy of ["92", ""])
			expect(await serial({ "MW Energy": energy })).toMatchObject({ requestClass: "new" });
	});

	it("reads the capacity in service of a partly operating plant", async () => {
		// AF1-147, Dulles Solar and BESS.
		const Status = "Partially in Service - Under Construction";
		const partly = { Status, MFO: "100.0", "MW Energy": "100.0", "MW Capacity": "60.0", "MW In Service": "20.0" };
		expect(await serial(partly)).toMatchObject({ capacityMw: 100, operatingMw: 20, evidence: { partly: true } });
		expect(await serial({ ...partly, Status: "In Service" })).toMatchObject({ operatingMw: null });
		const request = standardise(await serial(partly), { operator, asOf: "2026-05-05T00:00:00Z" });
		expect(request).toMatchObject({
			...{ plantState: "partially_operating", constructionStage: "operational" },
			plantStateEvidence: `status ${Status}, 20 MW in service`,
		});
	});

	it("drops requests that moved to the cycle queue, and marks them as still listed", async () => {
		const moved = { "Project ID": "AE1-970 - moved to TC1", Status: "Withdrawn" };
		const parsed = await pjmSerial.parse(csvOf(rowsOf(serialExample, [{}, moved])));
		expect(parsed.requests.map((request) => request.number)).toEqual(["AB2-901"]);
		expect(parsed.stillListed).toEqual(["AE1-970"]);
		const reason = "moved to the cycle queue";
		expect(parsed.dropped).toEqual([{ reason, count: 1, examples: ["AE1-970 - moved to TC1"] }]);
		expect(parsed.rowsIn).toBe(2);
	});

	it("standardises every status", async () => {
		const cases = [
			["Active", "Active", null],
			["Under Construction", "Active", null],
			["In Service", "Operational", null],
			["Partially in Service - Under Construction", "Operational", null],
			["Deactivated", "Operational", "retired"],
			["Pending Termination", "Active", "at_risk"],
			["Suspended", "Suspended", null],
			["Retracted", "Withdrawn", null],
			["Canceled", "Withdrawn", null],
		] as const;
		for (const [Status, statusStd, statusFlag] of cases) {
			expect(await serial({ Status })).toMatchObject({ status: Status, statusStd, statusFlag });
		}
	});

	it("infers the study phase from the most advanced study in progress or finished", async () => {
		const active = { Status: "Active" };
		const posted = { ...active, "System Impact Study Status": "Document Posted" };
		expect(await serial(active)).toMatchObject({ studyPhase: "Feasibility", evidence: { stage: "early" } });
		expect(await serial({ ...active, "System Impact Study Status": "In Progress" })).toMatchObject({
			studyPhase: "SIS",
			evidence: { stage: "early", basis: "study-columns" },
		});
		expect(await serial(posted)).toMatchObject({ studyPhase: "SIS", evidence: { stage: "mid" } });
		expect(await serial({ ...posted, "Facilities Study Status": "Not Required" })).toMatchObject({ studyPhase: "SIS" });
		expect(await serial({ ...posted, "Facilities Study Status": "In Progress" })).toMatchObject({
			studyPhase: "Facilities",
		});
		expect(await serial({ ...posted, Status: "Withdrawn" })).toMatchObject({ studyPhase: null });
		expect(await serial({ ...active, "Feasibility Study Status": "" })).toMatchObject({
			studyPhase: null,
			evidence: { stage: "early", basis: "active-only" },
		});
	});

	it("derives construction from the status only", async () => {
		const request = await serial({ Status: "Under Construction" });
		expect(request.evidence).toEqual({ stage: "construction", basis: "published", contradictory: false });
	});

	it("reports a withdrawal date on an active request as a contradiction", async () => {
		const request = await serial({ Status: "Active", "Withdrawal Date": "1/2/2025" });
		expect(request).toMatchObject({ statusStd: "Active", evidence: { contradictory: true } });
	});

	it("reads transmission requests as transmission", async () => {
		for (const type of ["Long-Term Firm Transmission", "Merchant Transmission", "Upgrade Request"]) {
			const request = await serial({ "Project Type": type, Status: "Confirmed", Fuel: "" });
			expect(request).toMatchObject({ kind: "transmission", typeStd: "Transmission", statusStd: "Active" });
		}
	});

	it("reads the same date of operation from the headers of 2025 and from those of 2026, which PJM swapped", async () => {
		const { "Revised In Service Date": _, "Commercial Operation Milestone": __, ...base } = serialExample;
		const layouts: Row[] = [
			{ "Commercial Operation Milestone": "12/31/2026", "Revised In Service Date": "" },
			{ "Projected In Service Date": "12/31/2026", "Commercial Operation Milestone": "" },
		];
		const [before, after] = await Promise.all(layouts.map((layout) => one(pjmSerial, base, layout)));
		expect(before).toMatchObject({ cod: "2026-12-31" });
		expect(after).toEqual(before);
	});

	it("omits links to documents", async () => {
		expect(JSON.stringify(await serial())).not.toContain("http");
	});

	it("drops exact repeats and rows without a number, and keeps real repeats", async () => {
		const rows = rowsOf(serialExample, [{}, {}, { MFO: "1", "MW Energy": "1" }, { "Project ID": "" }]);
		const parsed = await pjmSerial.parse(csvOf(rows));
		expect(parsed.requests).toHaveLength(2);
		expect(parsed.dropped.map(({ reason, count }) => [reason, count])).toEqual([
			["exact repeat of another row", 1],
			["no request number", 1],
		]);
	});

	it("refuses an HTML page, a truncated list and a list without statuses", async () => {
		const xml = new TextDecoder().decode(xmlOf(rowsOf(serialExample, [{}])).bytes);
		for (const source of ["<!doctype html><html></html>", xml.slice(0, -20), "<Projects></Projects>", ""]) {
			await expect(pjmSerial.parse(file(source, "PlanningQueues.xml"))).rejects.toThrow(StructureError);
		}
		const { Status: _, ...without } = serialExample;
		const parsing = pjmSerial.parse(csvOf(rowsOf(without, [{}])));
		await expect(parsing).rejects.toThrow("required column missing: Status");
	});

	it("compares numbers without annotation, case and surrounding space", () => {
		for (const number of ["AE1-070 - moved to TC1", " ae1-070 ", "AE1-070"])
			expect(pjmSerial.key(number)).toBe("AE1-070");
		expect(pjmSerial.key("S30B  564954")).toBe("S30B 564954");
	});
});
