import { csv } from "../file-formats.ts";
import type { QueueRow } from "../queue-files.ts";
import { day, grid, type Layout, list, padded, plain, type Record_, sheet, xlsx } from "./layout.ts";

const headers = list(
	"id, name, capacity, fuel, submitted_date, service_date, county, state, transmission_owner, iso_utility, join_key",
);

const utility = (
	owner: string,
	called: string,
	number: Layout["number"],
	places: Layout["places"],
	nameOf: (poi: string) => string,
): Layout => {
	const record = (row: QueueRow): Record_ => ({
		id: row.number,
		name: nameOf(row.poi),
		capacity: row.mw.toFixed(1),
		fuel: row.fuel === "Gas" ? "Natural Gas" : row.fuel,
		submitted_date: row.queueDate,
		service_date: row.cod,
		county: row.county,
		state: row.state,
		transmission_owner: owner,
		iso_utility: called,
		join_key: `${row.county.toLowerCase()}_${row.state.toLowerCase()}`,
	});
	const file = `${called.toLowerCase()}_active_projects.csv`;
	return {
		number,
		statuses: ["active"],
		places,
		files: { csv: plain(file, (rows) => csv(grid(rows.map(record), headers))) },
	};
};

export const duke = utility(
	"DEC",
	"DEC",
	(n) => String(960_000 + n),
	[
		["Laurens", "SC"],
		["Wayne", "NC"],
	],
	(poi) => `${poi}nan`,
);
export const soco = utility(
	"Southern Company",
	"SoCo",
	(n) => `IC-${padded(n, 3)}`,
	[
		["Decatur", "GA"],
		["Perry", "AL"],
	],
	(poi) => poi,
);
export const tva = utility(
	"TVA",
	"TVA",
	(n) => `${n}.0`,
	[
		["Shelby", "TN"],
		["Clay", "MS"],
	],
	(poi) => poi,
);

const bpaStatus = { active: "STUDY", suspended: "RECEIVED", operational: "ENERGIZED", withdrawn: "WITHDRAWN" };
const bpaWorkbook = list(
	"Request Number, Request Date, Project Name, Requestor, Comments, Point Of Interconnection, Status, State, County, Connection Type, Original Requested In-Service Date, Agreed To: (Blank=TBD), Max Summer Interconnection Service MW, Max Winter Interconnection Service MW",
);
const bpaRow = (row: QueueRow): Record_ => ({
	"Request Number": row.number,
	"Request Date": day(row.queueDate),
	"Project Name": row.name,
	Requestor: row.developer,
	"Point Of Interconnection": row.poi,
	Status: bpaStatus[row.status],
	State: row.state,
	County: row.county,
	"Connection Type": "LL",
	"Agreed To: (Blank=TBD)": day(row.cod),
	"Max Summer Interconnection Service MW": row.mw,
});
const bpaDerived = (row: QueueRow, at: number): Record_ => ({
	id: `BPA-${row.number}`,
	project_name: row.name,
	queue_id: row.number,
	status: bpaStatus[row.status],
	location: `${row.county}, ${row.state}`,
	capacity_mw: row.mw.toFixed(1),
	poi_substation: row.poi,
	source_row: at + 6,
});
export const bpa: Layout = {
	number: (n) => `L${padded(n, 4)}`,
	statuses: ["active", "operational", "withdrawn"],
	places: [
		["Benton", "WA"],
		["Morrow", "OR"],
	],
	files: {
		csv: plain("bpa_line_load_2026-07-20.csv", (rows) =>
			csv(
				grid(
					rows.map(bpaDerived),
					list("id, project_name, queue_id, status, location, capacity_mw, poi_substation, source_row"),
				),
			),
		),
		xlsx: xlsx("InterconnectionQueueOutput.xlsx", (rows, publishedOn) => [
			sheet(
				"Sheet1",
				[["Bonneville Power Administration Interconnection Request Queue", null, day(publishedOn)], ["NOTE"], []],
				rows.map(bpaRow),
				bpaWorkbook,
			),
		]),
	},
};
