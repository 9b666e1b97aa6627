import type { QueueRow, QueueStatus } from "../queue-files.ts";
import { day, type Layout, type Record_, sheet, when, xlsx } from "./layout.ts";

const cluster15Headers = [
	...[
		"Queue Number",
		"Project Number",
		"Project Name",
		"Generation/Fuel 1",
		"NET MW 1",
		"Generation/Fuel 2",
		"NET MW 2",
	],
	...["Generation/Fuel 3", "NET MW 3", "NET MW POI", "PROJECT COUNTY", "Project State", "Study Area", "PTO", "POI"],
	...["Voltage kV", "Requested COD", "Queue Date", "Application Date", "Service Type"],
];
const cluster15Fuels = {
	Solar: "Photovoltaic/Solar",
	Wind: "Wind Turbine/Wind",
	Storage: "Storage/Battery",
	Gas: "Gas",
};

const cluster15Record = (row: QueueRow): Record_ => ({
	"Queue Number": Number(row.number),
	"Project Number": Number(row.number) + 50_000,
	"Project Name": row.name,
	"Generation/Fuel 1": cluster15Fuels[row.fuel],
	"NET MW 1": row.mw + 5,
	"Generation/Fuel 2": "N/A",
	"NET MW 2": "N/A",
	"Generation/Fuel 3": "N/A",
	"NET MW 3": "N/A",
	"NET MW POI": row.mw,
	"PROJECT COUNTY": row.county,
	"Project State": row.state,
	"Study Area": "PG&E FRESNO",
	PTO: "PGAE",
	POI: row.poi,
	"Voltage kV": 230,
	"Requested COD": day(row.cod),
	"Queue Date": day("2025-02-12"),
	"Application Date": day("2024-11-18"),
	"Withdrawal Date": day(when(row, "withdrawn")),
	"Service Type": "Full Capacity Deliverability Status Requested",
});

export const caisoCluster15: Layout = {
	number: (n) => String(2200 + n),
	statuses: ["active", "withdrawn"],
	places: [
		["Stanislaus", "CA"],
		["Merced", "CA"],
		["Monterey", "CA"],
		["Yuma", "AZ"],
	],
	files: {
		xlsx: xlsx("cluster-15-interconnection-requests.xlsx", (rows) => {
			const of = (status: QueueStatus) => rows.filter((row) => row.status === status).map(cluster15Record);
			return [
				sheet("Cluster 15 ", [], of("active"), cluster15Headers),
				sheet("Withdrawn", [], of("withdrawn"), [...cluster15Headers, "Withdrawal Date"]),
			];
		}),
	},
};
