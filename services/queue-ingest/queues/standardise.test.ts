import { describe, expect, it } from "vitest";
import type { Status, StudyPhase } from "#libs/contract/vocabulary.ts";
import type { FiledRequest, StageEvidence } from "../sources/source.ts";
import { operators } from "./sources/index.ts";
import { standardise } from "./standardise.ts";

const context = { operator: operators.NYISO, asOf: "2025-01-09T00:00:00Z" };

const filed: FiledRequest = {
	number: "0517",
	unit: null,
	kind: "generation",
	name: "Granada Solar",
	developer: null,
	county: "Kings, Queens",
	state: "New York",
	poi: "Greenwood 138 kV",
	utility: null,
	cluster: null,
	service: null,
	type: "S",
	typeStd: "Solar",
	status: "5",
	statusStd: "Active",
	statusBasis: "filed",
	statusFlag: null,
	requestClass: "new",
	capacityBasis: "injection_limit",
	incrementalMw: null,
	operatingMw: null,
	capacityMw: 100,
	components: null,
	summerMw: null,
	winterMw: null,
	queueDate: null,
	cod: "2027-06-01",
	actualCod: null,
	withdrawnDate: null,
	iaDate: null,
	backfeedDate: null,
	energizedDate: null,
	securityPosted: null,
	studyPhaseFiled: null,
	studyPhase: "SIS",
	iaStatusFiled: null,
	evidence: { stage: "mid", basis: "study-code", contradictory: false },
	partial: false,
	raw: { Zone: "J" },
};

function standard(changes: Partial<Omit<FiledRequest, "evidence">> & { evidence?: Partial<StageEvidence> } = {}) {
	return standardise({ ...filed, ...changes, evidence: { ...filed.evidence, ...changes.evidence } }, context);
}

describe("the request", () => {
	it("keeps the filed values and replaces county and state by official ones", () => {
		const request = standard();
		expect(request).toMatchObject({ number: "0517", typeStd: "Solar", raw: { Zone: "J" } });
		expect(request).toMatchObject({ county: "Kings", counties: ["Kings", "Queens"], state: "NY", fips: "36047" });
		expect(request.locationPrecision).toBe("county");
		expect(request).not.toHaveProperty("evidence");
	});

	it.each([
		["Vineyard Offshore Wind", "Wind", "Offshore Wind"],
		["Beacon Offshore", "Wind + Storage", "Offshore Wind + Storage"],
		["Offshore View Solar", "Solar", "Solar"],
		["Shore Road Wind", "Wind", "Wind"],
	])("named %s and filed as %s is %s", (name, typeStd, expected) => {
		expect(standard({ name, typeStd }).typeStd).toBe(expected);
	});

	it("is located even without a region", () => {
		const request = standardise({ ...filed, county: "fresno", state: "CA" }, { ...context, operator: null });
		expect(request).toMatchObject({ county: "Fresno", fips: "06019" });
	});
});

describe("construction stage", () => {
	it.each<[Status, string]>([
		["Withdrawn", "withdrawn"],
		["Operational", "operational"],
		["Suspended", "suspended"],
		["Active", "construction"],
	])("of %s with construction evidence is %s", (statusStd, stage) => {
		expect(standard({ statusStd, evidence: { stage: "construction" } }).constructionStage).toBe(stage);
	});
});

describe("state of the plant", () => {
	type Changes = Parameters<typeof standard>[0];
	const building = { statusStd: "Active", evidence: { stage: "construction" }, cod: "2025-06-01" } as const;
	const agreed = { studyPhase: "IA Executed", evidence: { stage: "late" } } as const;
	it.each<[Changes, string, string, string | null]>([
		[{}, "none", "operator", null],
		[{ statusStd: "Withdrawn", status: "0" }, "none", "operator", null],
		[{ statusStd: "Operational", status: "In Service" }, "operating", "operator", "status In Service"],
		[{ statusStd: "Operational", actualCod: "2022-05-01" }, "operating", "operator", "in operation since 2022-05-01"],
		[
			{ statusStd: "Operational", statusFlag: "retired", status: "Deactivated" },
			"retired",
			"operator",
			"status Deactivated",
		],
		[{ ...building, status: "14" }, "under_construction", "operator", "status 14"],
		[
			{ ...building, energizedDate: "2024-11-02" },
			"energized",
			"operator",
			"approved to energise or synchronise on 2024-11-02",
		],
		[
			{ ...building, energizedDate: "2024-11-02", evidence: { stage: "construction", byUpdateSheet: true } },
			"energized",
			"operator_update_sheet",
			"approved to energise or synchronise on 2024-11-02",
		],
		// A projected date a year past does not show construction; nor does any past date with an agreement.
		[{ ...building, cod: "2024-01-10" }, "under_construction", "operator", "status 5"],
		[
			{ ...building, cod: "1990-01-01" },
			"unknown",
			"date_only",
			"projected for 1990-01-01, and no later report of the plant",
		],
		[{ ...agreed, cod: "2025-01-09" }, "none", "operator", null],
		[{ ...agreed, statusStd: "Suspended", cod: "2024-02-28" }, "none", "operator", null],
		// PJM's AC1-034: in operation by the end of 2025 as projected, backfed in 2027.
		[{ ...agreed, cod: "2024-12-31", backfeedDate: "2027-06-30" }, "none", "operator", null],
		[
			{ ...agreed, cod: "2025-01-08" },
			"unknown",
			"date_only",
			"projected for 2025-01-08, and no later report of the plant",
		],
	])("of %j is %s by %s", (changes, plantState, plantStateBasis, plantStateEvidence) => {
		expect(standard(changes)).toMatchObject({ plantState, plantStateBasis, plantStateEvidence });
	});
});

describe("incremental MW", () => {
	it.each([
		["new", null, 100],
		["modification", 40, 40],
		["modification", null, null],
		["replacement", null, 0],
		["surplus", null, 0],
		["capacity_rights", null, 0],
	] as const)("of class %s, with %s stated, are %s", (requestClass, incrementalMw, expected) => {
		expect(standard({ requestClass, incrementalMw }).incrementalMw).toBe(expected);
	});
});

it("a request dated years before its queue date, or a repower by name, has unknown incremental MW", () => {
	const dated = (cod: string) => standard({ statusStd: "Active", queueDate: "2022-07-07", cod });
	expect(dated("2002-03-20")).toMatchObject({ requestClass: "modification", incrementalMw: null });
	expect(dated("2021-07-07")).toMatchObject({ requestClass: "new", incrementalMw: 100 });
	expect(standard({ name: "Mount Storm Repower" })).toMatchObject({
		requestClass: "modification",
		incrementalMw: null,
	});
	expect(standard({ statusStd: "Operational", queueDate: "2022-07-07", cod: "2002-03-20" }).requestClass).toBe("new");
});

describe("a void window", () => {
	const inPjm = (changes: Parameters<typeof standard>[0], asOf = "2026-05-05T00:00:00Z") =>
		standardise(
			{ ...filed, number: "AI2-187", studyPhase: "Feasibility", ...changes, evidence: filed.evidence },
			{ operator: operators.PJM, asOf },
		).statusFlag;
	it("applies to PJM's unstudied requests from AH2 on, from the day of the transition", () => {
		for (const number of ["AH2-150", "AI1-001", "AI2-187", "AJ1-003"]) expect(inPjm({ number })).toBe("void_window");
		expect(inPjm({}, "2023-07-09T00:00:00Z")).toBeNull();
		expect(inPjm({ number: "AH1-187" })).toBeNull();
		expect(inPjm({ studyPhase: "SIS" })).toBeNull();
		expect(inPjm({ cluster: "C01" })).toBeNull();
		expect(inPjm({ statusStd: "Withdrawn" })).toBeNull();
		expect(standardise({ ...filed, number: "AI2-187" }, context).statusFlag).toBeNull();
	});
});

describe("confidence", () => {
	it.each<[StageEvidence["basis"], number]>([
		["published", 0.95],
		["agreement", 0.9],
		["study-code", 0.8],
		["study-columns", 0.65],
		["active-only", 0.5],
		["lbnl", 0.4],
	])("starts at the basis %s: %d", (basis, confidence) => {
		expect(standard({ evidence: { basis } }).constructionStageConfidence).toBe(confidence);
	});

	it("in a final state equals that of a published stage, unless only LBNL states it", () => {
		expect(standard({ statusStd: "Withdrawn", evidence: { basis: "active-only" } }).constructionStageConfidence).toBe(
			0.95,
		);
		expect(standard({ statusStd: "Withdrawn", evidence: { basis: "lbnl" } }).constructionStageConfidence).toBe(0.4);
	});

	it("falls by 0.15 when the projected date is more than 365 days past", () => {
		expect(standard({ cod: "2024-01-10" }).constructionStageConfidence).toBe(0.8);
		expect(standard({ cod: "2024-01-09" }).constructionStageConfidence).toBe(0.65);
	});

	it("does not fall for an operational plant, whose projected date is always past", () => {
		expect(standard({ statusStd: "Operational", cod: "2015-01-01" }).constructionStageConfidence).toBe(0.95);
	});

	it("falls by 0.10 when the operator's fields contradict each other", () => {
		expect(standard({ evidence: { contradictory: true } }).constructionStageConfidence).toBe(0.7);
	});

	it("falls by 0.05 without a projected date", () => {
		expect(standard({ cod: null }).constructionStageConfidence).toBe(0.75);
	});

	it("is never below 0.20", () => {
		const worst = standard({ cod: "2010-01-01", evidence: { basis: "lbnl", contradictory: true } });
		expect(worst.constructionStageConfidence).toBe(0.2);
	});
});

describe("state of the agreement", () => {
	it.each<[Status, StageEvidence["stage"], StudyPhase | null, string]>([
		["Withdrawn", "construction", "IA Executed", "Withdrawn"],
		["Operational", "construction", "IA Executed", "Operational"],
		["Active", "construction", "IA Executed", "Construction"],
		["Active", "late", "IA Executed", "IA Executed"],
		["Suspended", "late", "IA Executed", "IA Executed"],
		["Active", "late", "GIA", "Facility Study"],
		["Active", "mid", "Facilities", "Facility Study"],
		["Active", "mid", "SIS", "System Impact Study"],
		["Active", "early", "Feasibility", "Feasibility Study"],
		["Active", "early", "Not Started", "In Progress (unknown study)"],
		["Active", "early", null, "In Progress (unknown study)"],
	])("%s, %s, %s is %s", (statusStd, stage, studyPhase, iaStatus) => {
		expect(standard({ statusStd, studyPhase, evidence: { stage } }).iaStatus).toBe(iaStatus);
	});
});
