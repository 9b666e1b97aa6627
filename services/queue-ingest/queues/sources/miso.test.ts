import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { describeRealFiles } from "../../../../test/support/real-files.ts";
import { withoutOrigins } from "../../sources/collector.ts";
import { locate } from "../../sources/geography/geography.ts";
import type { FiledRequest } from "../../sources/source.ts";
import { miso, operator } from "./miso.ts";

const csvHeader = [
	"Project #,Request Status,Queue Date,Withdrawn Date,Done Date,Appl In Service Date,Transmission Owner,County,State",
	"Study Cycle,Study Group,Study Phase,Service Type,POI Name,Summer MW,Winter MW,Fuel,Generating Facility,Post GIA Status",
	"Negotiated In Service Date,Decision Point 1 ERIS MW,Decision Point 1 NRIS MW,Decision Point 2 ERIS MW",
	"Decision Point 2 NRIS MW",
]
	.join(",")
	.split(",");

const example: Record<string, string> = {
	"Project #": "J9001",
	"Request Status": "Active",
	"Queue Date": "2021-07-22T04:00:00+00:00",
	"Appl In Service Date": "2025-09-01T04:00:00+00:00",
	"Transmission Owner": "PRAIRIE POWER",
	County: "Renville",
	State: "MN",
	"Study Cycle": "DPP-2021",
	"Study Group": "West",
	"Study Phase": "Phase 2",
	"Service Type": "Network Resource Interconnection Service (NRIS)",
	"POI Name": "Lynx 230kV Substation",
	"Summer MW": "200",
	"Winter MW": "180.5",
	Fuel: "Hybrid",
	"Generating Facility": "Solar/Battery",
	"Post GIA Status": "Not Started",
	"Decision Point 1 ERIS MW": "0",
};

const file = (source: string, name = "GI Interactive Queue.csv") => ({ name, bytes: new TextEncoder().encode(source) });

/** The page's export of the example with changes, one row each: every cell quoted, no line end after the last. */
function csv(...changes: Record<string, string>[]) {
	const rows = changes.map((change) => csvHeader.map((name) => ({ ...example, ...change })[name] ?? ""));
	return file([csvHeader, ...rows].map((row) => row.map((cell) => `"${cell}"`).join(",")).join("\n"));
}

async function one(change: Record<string, string> = {}): Promise<FiledRequest> {
	const { requests } = await miso.parse(csv(change));
	if (!requests[0]) throw new Error("no request");
	return requests[0];
}

describeRealFiles("../data_2026-11/cases", (read) => {
	it("MISO's list of July 2025: the form's placeholders are null, and the county determines the state", async () => {
		const { requests } = await miso.parse(read("MISO - 2025 - GI Interactive Queue.csv"));
		expect(requests.filter(({ utility, poi }) => utility === "GridUnity" || poi === "Other_")).toEqual([]);
		expect(requests.find(({ number }) => number === "J3928")).toMatchObject({ utility: null, poi: null, name: null });
		const place = (wanted: string) => {
			const { county = null, state = null } = requests.find(({ number }) => number === wanted) ?? {};
			const located = locate(county, state, operator);
			return [county, state, located.state, located.fips, located.locationPrecision];
		};
		expect(place("J3263")).toEqual(["Desha", "AK", "AR", "05041", "county"]);
		expect(place("S1065")).toEqual(["Washtenaw County", "Michigan", "MI", "26161", "county"]);
		expect(place("S1076")).toEqual(["Tangipahoa Parish", null, "LA", "22105", "county"]);
		// Counties of this name are in Wisconsin and in Kentucky.
		expect(place("R1060")).toEqual(["Green", null, null, null, null]);
	});
});

describe("MISO", () => {
	it("reads the form's placeholders for a blank owner or station as null", async () => {
		const request = await one({ "Transmission Owner": "GridUnity", "POI Name": "Other_" });
		expect(request).toMatchObject({ utility: null, poi: null, name: null });
	});

	it("reads a request from the page's CSV", async () => {
		expect(await one()).toMatchObject({
			number: "J9001",
			kind: "generation",
			name: "Lynx 230kV Substation",
			poi: "Lynx 230kV Substation",
			developer: null,
			county: "Renville",
			state: "MN",
			utility: "PRAIRIE POWER",
			cluster: "DPP-2021",
			service: "NRIS",
			type: "Hybrid; Solar/Battery",
			typeStd: "Solar + Storage",
			status: "Active",
			statusStd: "Active",
			capacityMw: 200,
			summerMw: 200,
			winterMw: 180.5,
			queueDate: "2021-07-22",
			cod: "2025-09-01",
			studyPhase: "SIS",
			evidence: { stage: "early", basis: "study-code", contradictory: false },
			raw: { "Study Group": "West", "Decision Point 1 ERIS MW": "0", "Appl In Service Date": "2025-09-01" },
		});
	});

	it("reads the same request from the API's JSON, whose row id it ignores", async () => {
		const row = {
			id: 3036446,
			projectNumber: "J9001",
			applicationStatus: "Active",
			queueDate: "2021-07-22T04:00:00+00:00",
			withdrawnDate: null,
			doneDate: null,
			inService: "2025-09-01T04:00:00+00:00",
			negInService: null,
			giaToExec: null,
			transmissionOwner: "PRAIRIE POWER",
			county: "Renville",
			state: "MN",
			studyCycle: "DPP-2021",
			studyGroup: "West",
			studyPhase: "Phase 2",
			sisPhase1: "",
			svcType: "NRIS",
			poiName: "Lynx 230kV Substation",
			summerNetMW: 200.0,
			winterNetMW: 180.5,
			dp1ErisMw: 0.0,
			dp1NrisMw: null,
			dp2ErisMw: null,
			dp2NrisMw: null,
			fuelType: "Hybrid",
			facilityType: "Solar/Battery",
			postGIAStatus: "Not Started",
		};
		const parsed = await miso.parse(file(JSON.stringify([row]), "getprojects"));
		expect(parsed.requests.map(withoutOrigins)).toEqual([withoutOrigins(await one())]);
		expect(parsed.unknownColumns).toEqual([]);
	});

	it("reads a request as withdrawn by its status, its date or its post-agreement status", async () => {
		expect(await one({ "Request Status": "Withdrawn" })).toMatchObject({
			statusStd: "Withdrawn",
			statusBasis: "filed",
			studyPhase: null,
		});
		expect(await one({ "Post GIA Status": "Withdrawn" })).toMatchObject({
			statusStd: "Withdrawn",
			statusBasis: "milestone",
		});
		const dated = await one({ "Withdrawn Date": "2024-03-01T05:00:00+00:00" });
		expect(dated).toMatchObject({ statusStd: "Withdrawn", statusBasis: "date", withdrawnDate: "2024-03-01" });
		expect(dated.evidence.contradictory).toBe(true);
	});

	it("gives a withdrawal precedence over operation, and reports the contradiction", async () => {
		const request = await one({ "Request Status": "Withdrawn", "Post GIA Status": "In Service" });
		expect(request.statusStd).toBe("Withdrawn");
		expect(request.evidence.contradictory).toBe(true);
	});

	it("reads Done as an executed agreement, not as operation", async () => {
		const done = await one({ "Request Status": "Done", "Study Phase": "GIA" });
		expect(done).toMatchObject({
			statusStd: "Active",
			statusBasis: "milestone",
			studyPhase: "IA Executed",
			status: "Done",
		});
		expect(done.evidence).toMatchObject({ stage: "late", basis: "agreement" });
		expect(await one({ "Request Status": "LEGACY: Done", "Study Phase": "" })).toMatchObject({
			statusStd: "Active",
			studyPhase: null,
			evidence: { basis: "active-only" },
		});
	});

	it("reads operation and construction from the post-agreement status", async () => {
		expect(await one({ "Post GIA Status": "In Service (with Provisional GIA)" })).toMatchObject({
			statusStd: "Operational",
			studyPhase: "IA Executed",
		});
		expect(await one({ "Post GIA Status": "Under Construction" })).toMatchObject({
			statusStd: "Active",
			evidence: { stage: "construction", basis: "published" },
		});
	});

	it("reads R as replacement and S as surplus service", async () => {
		for (const number of ["R1004", "r5089"])
			expect(await one({ "Project #": number })).toMatchObject({ requestClass: "replacement" });
		expect(await one({ "Project #": "S1019" })).toMatchObject({ requestClass: "surplus" });
		expect(await one()).toMatchObject({ requestClass: "new" });
	});

	it("uses winter capacity if summer capacity is zero, and the negotiated date before the requested one", async () => {
		const request = await one({
			"Summer MW": "0",
			"Winter MW": "25",
			"Negotiated In Service Date": "2027-01-15T05:00:00+00:00",
		});
		expect(request).toMatchObject({ capacityMw: 25, summerMw: null, cod: "2027-01-15" });
	});

	it("derives the technology from the fuel, else from the type of machine", async () => {
		const piston = "Piston (Engine), Internal Combustion (Diesel)";
		expect(await one({ Fuel: "Gas", "Generating Facility": piston })).toMatchObject({ typeStd: "Gas" });
		expect(await one({ Fuel: "Hybrid", "Generating Facility": piston })).toMatchObject({ typeStd: "Oil" });
		const cogeneration = { Fuel: "Waste Heat Recovery", "Generating Facility": "Co-gen" };
		expect(await one(cogeneration)).toMatchObject({ typeStd: "Waste Heat" });
	});

	it("keeps direct-current lines as transmission", async () => {
		const line = await one({ Fuel: "High Voltage DC", "Generating Facility": "Wind Turbine" });
		expect(line).toMatchObject({ kind: "transmission", typeStd: "Transmission" });
	});

	it("drops test and message rows, upgrades beside their request, and exact repeats", async () => {
		const parsed = await miso.parse(
			csv(
				{},
				{ "Project #": "AA1234" },
				{ "Project #": "MSG KEEP" },
				{ "Project #": "N/A" },
				{ "Study Phase": "Network Upgrade" },
				{},
				{ "Project #": "J9002", "Study Phase": "Network Upgrade" },
			),
		);
		expect(parsed.requests.map((request) => request.number)).toEqual(["J9001", "J9002"]);
		expect(parsed.rowsIn).toBe(7);
		expect(parsed.dropped).toEqual([
			{ reason: "no request number", count: 3, examples: ["AA1234", "MSG KEEP", "DPP-2021"], malformed: true },
			{ reason: "network upgrade of a request that has its own row", count: 1, examples: ["J9001"] },
			{ reason: "exact repeat of another row", count: 1, examples: ["J9001"] },
		]);
	});

	it("keeps a new status as filed, counts it, and treats the request as active", async () => {
		const parsed = await miso.parse(csv({ "Request Status": "On Hold" }));
		expect(parsed.requests[0]).toMatchObject({ status: "On Hold", statusStd: "Active" });
		expect(parsed.unknownValues).toEqual([{ field: "status", value: "On Hold", count: 1 }]);
	});

	it("refuses an HTML page, an object, a truncated response and a list without statuses", async () => {
		for (const body of ["<html><title>Just a moment</title></html>", '{"error":1}', '[{"projectNumber":"J1"', "[1]"]) {
			await expect(miso.parse(file(body, "getprojects"))).rejects.toThrow(StructureError);
		}
		const without = [{ projectNumber: "J1", withdrawnDate: null, postGIAStatus: "", studyPhase: "", summerNetMW: 1 }];
		await expect(miso.parse(file(JSON.stringify(without)))).rejects.toThrow("required column missing: Request Status");
	});

	it("compares numbers without case and surrounding space", () => {
		expect(miso.key(" j1846 ")).toBe("J1846");
	});
});
