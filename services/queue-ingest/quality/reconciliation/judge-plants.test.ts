import { describe, expect, it } from "vitest";
import { judgePlants, type PlannedRequest, type ReportedUnit } from "./judge-plants.ts";

const request = (id: string, more: Partial<PlannedRequest> = {}): PlannedRequest => ({
	id,
	keys: [id],
	kind: "generation",
	name: null,
	typeStd: "Solar",
	status: "Operational",
	statusBasis: "filed",
	statusFlag: null,
	listed: "listed",
	mw: 100,
	summerMw: null,
	winterMw: null,
	partsMw: null,
	isForRights: false,
	queueDate: "2015-04-01",
	actualCod: "2020-04-01",
	withdrawnDate: null,
	plantId: null,
	isLate: true,
	...more,
});
const unit = (plantId: number, more: Partial<ReportedUnit> = {}): ReportedUnit => ({
	plantId,
	generatorId: "1",
	technology: "Solar Photovoltaic",
	isOperable: true,
	mw: 100,
	operatingYear: 2020,
	plantMw: 100,
	...more,
});
const rulesOf = (ours: PlannedRequest[], theirs: ReportedUnit[]) =>
	judgePlants({ year: 2024, families: ["solar"], firstYear: 2000, ours, theirs }).map(({ rule }) => rule);

describe("a plant and its requests", () => {
	it("form one line, whatever their numbers", () => {
		const lines = judgePlants({
			year: 2024,
			families: null,
			firstYear: null,
			ours: [request("a", { plantId: 1, mw: 60 }), request("b", { plantId: 1, mw: 40 })],
			theirs: [unit(1, { mw: 50 }), unit(1, { mw: 50, generatorId: "2" })],
		});
		expect(lines.map(({ ours, theirs, rule }) => [ours.length, theirs.length, rule])).toEqual([[2, 2, "agrees"]]);
	});

	it("differ because of a rating, phases or unbuilt capacity; any other difference is unexplained", () => {
		expect(rulesOf([request("a", { plantId: 1, mw: 80 })], [unit(1)])).toEqual(["nameplate"]);
		expect(rulesOf([request("a", { plantId: 1, mw: 20 })], [unit(1)])).toEqual(["other_phases"]);
		expect(rulesOf([request("a", { plantId: 1, mw: 300 })], [unit(1)])).toEqual(["capacity_differs"]);
		expect(rulesOf([request("a", { plantId: 1, status: "Active" })], [unit(1)])).toEqual(["operates_already"]);
		expect(
			rulesOf([request("a", { plantId: 1, status: "Active", mw: 300 })], [unit(1, { isOperable: false })]),
		).toEqual(["planned_smaller"]);
	});
});

it("a plant or request without a counterpart has its known reason", () => {
	const ours = [
		request("gas", { typeStd: "Gas" }),
		request("tiny", { mw: 0.5 }),
		request("early", { status: "Active", isLate: false }),
		request("new", { actualCod: "2025-02-01" }),
		request("lost"),
	];
	const theirs = [unit(1, { operatingYear: 1998 }), unit(2, { plantMw: 5 }), unit(3)];
	expect(rulesOf(ours, theirs)).toEqual([
		...["schedule_not_loaded", "below_threshold", "not_planned_yet", "began_after_report", "no_plant"],
		...["older_than_queue", "small_generator", "no_request"],
	]);
});
