import { csv, json } from "../file-formats.ts";
import type { QueueRow } from "../queue-files.ts";
import { grid, type Layout, plain, type Record_, when } from "./layout.ts";

/** Key of the JSON, header of the CSV. */
const misoNames: Record<string, string> = {
	projectNumber: "Project #",
	applicationStatus: "Request Status",
	queueDate: "Queue Date",
	withdrawnDate: "Withdrawn Date",
	doneDate: "Done Date",
	inService: "Appl In Service Date",
	transmissionOwner: "Transmission Owner",
	county: "County",
	state: "State",
	studyCycle: "Study Cycle",
	studyGroup: "Study Group",
	studyPhase: "Study Phase",
	svcType: "Service Type",
	poiName: "POI Name",
	summerNetMW: "Summer MW",
	winterNetMW: "Winter MW",
	fuelType: "Fuel",
	facilityType: "Generating Facility",
	postGIAStatus: "Post GIA Status",
	negInService: "Negotiated In Service Date",
};

function misoRecord(row: QueueRow): Record_ {
	const moment = (iso: string | null) => (iso === null ? null : `${iso}T04:00:00+00:00`);
	return {
		projectNumber: row.number,
		applicationStatus: row.status === "withdrawn" ? "Withdrawn" : row.status === "operational" ? "Done" : "Active",
		queueDate: moment(row.queueDate),
		withdrawnDate: moment(when(row, "withdrawn")),
		doneDate: moment(when(row, "operational")),
		inService: moment(row.cod),
		transmissionOwner: "American Transmission Co. LLC",
		county: `${row.county} County`,
		state: row.state,
		studyCycle: "DPP-2021",
		studyGroup: "East (ATC)",
		studyPhase: row.status === "operational" ? "GIA" : "Phase 2",
		svcType: "NRIS",
		poiName: row.poi,
		summerNetMW: row.mw,
		winterNetMW: row.mw,
		fuelType: row.fuel === "Storage" ? "Battery Storage" : row.fuel,
		facilityType: { Solar: "Photovoltaic", Wind: "Wind Turbine", Storage: "Battery", Gas: "Combined Cycle" }[row.fuel],
		postGIAStatus: row.status === "operational" ? "In Service" : "Not Started",
		negInService: null,
	};
}

export const miso: Layout = {
	number: (n) => `J${1000 + n}`,
	statuses: ["active", "operational", "withdrawn"],
	places: [
		["Polk", "IA"],
		["Grant", "WI"],
		["Lincoln", "MN"],
		["Will", "IL"],
	],
	files: {
		json: plain("getprojects", (rows) => json(grid(rows.map(misoRecord), Object.keys(misoNames)))),
		csv: plain("GI Interactive Queue.csv", (rows) => {
			const [, ...body] = grid(rows.map(misoRecord), Object.keys(misoNames));
			return csv([Object.values(misoNames), ...body], { quoteAll: true });
		}),
	},
};
