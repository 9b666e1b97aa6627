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
	it("keeps what was filed and replaces county and state by the place they name", () => {
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

	it("is located without a region too", () => {
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

	it("of a final state is that of a published stage, unless only LBNL says so", () => {
		expect(standard({ statusStd: "Withdrawn", evidence: { basis: "active-only" } }).constructionStageConfidence).toBe(
			0.95,
		);
		expect(standard({ statusStd: "Withdrawn", evidence: { basis: "lbnl" } }).constructionStageConfidence).toBe(0.4);
	});

	it("falls by 0.15 when the projected date is more than 365 days past", () => {
		expect(standard({ cod: "2024-01-10" }).constructionStageConfidence).toBe(0.8);
		expect(standard({ cod: "2024-01-09" }).constructionStageConfidence).toBe(0.65);
	});

	it("does not fall for an operational plant, whose projected date is past by nature", () => {
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
