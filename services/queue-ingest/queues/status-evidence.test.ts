import { describe, expect, it } from "vitest";
import { evidenceFor, type OpenRequest, type ReportedPlant } from "./status-evidence.ts";

const silent: OpenRequest = {
	status: null,
	statusStd: "Active",
	listed: "listed",
	name: "Kleen Energy",
	typeStd: "Gas",
	queueDate: "2001-11-21",
	cod: "2011-07-12",
	sharesNumber: false,
};
const request = { name: "Kleen Energy", queueDate: "2001-11-21", operationDate: "2011-07-12" };
const lbnl = (...requests: (typeof request)[]) => ({ lbnl: { day: "2024-01-09", requests }, plant: null });
const plant: ReportedPlant = {
	plantId: 56798,
	name: "Kleen Energy Systems Project",
	year: 2020,
	method: "name",
	confidence: 0.85,
	units: [{ technology: "Natural Gas Fired Combined Cycle", stage: "operable", status: "OP", operatingYear: 2011 }],
};
const eia = (changes: Partial<ReportedPlant> = {}) => ({ lbnl: null, plant: { ...plant, ...changes } });

describe("of a request that its operator says nothing of", () => {
	it("Berkeley Lab's row of the same number and date says that it runs", () => {
		expect(evidenceFor(silent, lbnl(request))).toEqual({
			status: "Operational",
			confidence: 0.4,
			says: "LBNL Queued Up, edition of 2024-01-09: operational since 2011-07-12",
		});
	});

	it("a row of the same number says nothing where the dates are others, or several requests have the number", () => {
		expect(evidenceFor(silent, lbnl({ ...request, queueDate: "2003-01-01" }))).toBeNull();
		expect(evidenceFor({ ...silent, sharesNumber: true }, lbnl(request))).toBeNull();
		const undated = { ...silent, queueDate: null };
		expect(evidenceFor(undated, lbnl({ ...request, name: "Kleen Energy Unit 2" }))).toBeNull();
		expect(evidenceFor(undated, lbnl({ ...request, name: "KLEEN ENERGY" }))).not.toBeNull();
	});

	it("what is still planned does not run: by its own date, or by that of the row", () => {
		expect(evidenceFor({ ...silent, cod: "2028-06-01" }, lbnl(request))).toBeNull();
		expect(evidenceFor(silent, lbnl({ ...request, operationDate: "2030-08-30" }))).toBeNull();
	});

	it("the plant that is the same by its name says it where all its units of the technology run", () => {
		expect(evidenceFor(silent, eia())).toEqual({
			status: "Operational",
			confidence: 0.85,
			says: "EIA-860 of 2020: plant 56798 Kleen Energy Systems Project operates since 2011, the same by its name",
		});
		const [unit] = plant.units;
		if (unit === undefined) throw new Error("no unit");
		const proposed = { ...unit, stage: "proposed", status: "P", operatingYear: null };
		expect(evidenceFor(silent, eia({ units: [unit, proposed] }))).toBeNull();
		expect(evidenceFor(silent, eia({ units: [{ ...unit, status: "OS" }] }))).toBeNull();
		expect(evidenceFor(silent, eia({ units: [{ ...unit, technology: "Solar Photovoltaic" }] }))).toBeNull();
		expect(evidenceFor(silent, eia({ units: [unit, { ...unit, operatingYear: 1999 }] }))).toBeNull();
		expect(evidenceFor({ ...silent, queueDate: "2011-01-05" }, eia())).toBeNull();
		expect(evidenceFor({ ...silent, queueDate: null }, eia())).toBeNull();
	});

	it("a link that rests on figures, or is no sure one, says nothing", () => {
		expect(evidenceFor(silent, eia({ method: "county_capacity_year" }))).toBeNull();
		expect(evidenceFor(silent, eia({ confidence: 0.75 }))).toBeNull();
	});

	it("both are named where both say it", () => {
		const both = evidenceFor(silent, { ...lbnl(request), plant });
		expect(both?.confidence).toBe(0.85);
		expect(both?.says).toMatch(/^LBNL .+; EIA-860 /);
	});
});

it("a status that the newest list states is not overruled", () => {
	const reports = { ...lbnl(request), plant };
	expect(evidenceFor({ ...silent, status: "Under Study" }, reports)).toBeNull();
	for (const statusStd of ["Withdrawn", "Suspended", "Operational"] as const)
		expect(evidenceFor({ ...silent, statusStd }, reports)).toBeNull();
	for (const listed of ["missing", "disappeared"] as const)
		expect(evidenceFor({ ...silent, status: "Under Study", listed }, reports)).not.toBeNull();
});
