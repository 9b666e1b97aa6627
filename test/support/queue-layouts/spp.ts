import { csv } from "../file-formats.ts";
import type { QueueRow, QueueStatus } from "../queue-files.ts";
import { grid, type Layout, list, padded, plain, type Record_, slashed, when } from "./layout.ts";

const sppWords: Record<QueueStatus, string> = {
	active: "DISIS STAGE",
	suspended: "IA FULLY EXECUTED/ON SUSPENSION",
	operational: "IA FULLY EXECUTED/COMMERCIAL OPERATION",
	withdrawn: "WITHDRAWN",
};

const sppHeaders = list(`Generation Interconnection Number, IFS Queue Number, Current Cluster, Cluster Group,
	Nearest Town or County, State, TO at POI, In-Service Date, Commercial Operation Date, Cessation Date,
	Original Generator Commercial Op Date, Capacity, MAX Summer MW, MAX Winter MW, Service Type,
	Requested Maximum Injection Capability (MW), Requested Network Resource Deliverability (MW), Nameplate Capacity,
	Generation Type, Fuel Type, Substation or Line, Request Received, Date Withdrawn, Status, JTIQ Participant,
	JTIQ Commitment, Cause of Delay`);

const sppRecord = (row: QueueRow): Record_ => ({
	"Generation Interconnection Number": row.number,
	"Current Cluster": "DISIS-2020-001",
	"Cluster Group": "03 CENTRAL",
	"Nearest Town or County": `${row.county} County`,
	State: row.state,
	"TO at POI": "OKGE",
	"Commercial Operation Date": slashed(row.cod),
	Capacity: row.mw.toFixed(2),
	"MAX Summer MW": row.mw.toFixed(2),
	"MAX Winter MW": row.mw.toFixed(2),
	"Service Type": "ER/NR",
	"Requested Maximum Injection Capability (MW)": "0.00",
	"Generation Type": row.fuel === "Storage" ? "Battery/Storage" : row.fuel === "Gas" ? "Thermal" : row.fuel,
	"Fuel Type": row.fuel,
	"Substation or Line": row.poi,
	"Request Received": slashed(row.queueDate),
	"Date Withdrawn": slashed(when(row, "withdrawn")),
	Status: sppWords[row.status],
});

const layout = (file: string, ...statuses: QueueStatus[]): Layout => ({
	number: (n) => `GEN-2020-${padded(n, 3)}`,
	statuses: ["active", "suspended", "operational", ...statuses],
	places: [
		["Ford", "KS"],
		["Caddo", "OK"],
		["Lea", "NM"],
		["Holt", "NE"],
	],
	files: {
		csv: plain(file, (rows, publishedOn) => {
			const body = csv(grid(rows.map(sppRecord), sppHeaders));
			return Buffer.concat([Buffer.from(`"Last Updated On",${slashed(publishedOn)}\r\n`), body]);
		}),
	},
});

export const spp = layout("GI_ActiveRequest.csv");
export const sppSummary = layout("GI_Summary.csv", "withdrawn");
