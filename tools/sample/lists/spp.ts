import { csv } from "../../../test/support/file-formats.ts";
import { columns, grid, nextDay, rowsOf, type SampleList, slashed } from "./list.ts";

const headers = [
	...columns("Generation Interconnection Number, IFS Queue Number, Current Cluster, Cluster Group"),
	" Nearest Town or County",
	...columns(`State, TO at POI, In-Service Date, Commercial Operation Date, Cessation Date,
		Original Generator Commercial Op Date, Capacity, MAX Summer MW, MAX Winter MW, Service Type,
		Requested Maximum Injection Capability (MW), Requested Network Resource Deliverability (MW), Nameplate Capacity,
		Generation Type, Fuel Type, Substation or Line, Request Received, Date Withdrawn, Status, JTIQ Participant,
		JTIQ Commitment, Cause of Delay`),
];

const number = "Generation Interconnection Number";
const place = " Nearest Town or County";
const names = "number cluster place State TO MW type fuel line received cod Status";
const schedule = "IA FULLY EXECUTED/ON SCHEDULE";
const built = "IA FULLY EXECUTED/COMMERCIAL OPERATION";

// biome-ignore format: a table, one request a line.
const yesterday = rowsOf({}, names, [
	["GEN-2017-901", "DISIS-2017-001", "Grady County", "OK", "OGE", 200, "Wind", "", "Border Plains 345kV Substation", "2017-03-30", "2020-12-31", built],
	["GEN-2018-914", "DISIS-2018-001", "Caddo Parrish", "LA", "AEP", 150, "Solar", "", "Cross Bayou 138 kV", "2018-10-31", "2023-06-01", built],
	["GEN-2019-921", "DISIS-2019-001", "Lea", "NM", "SPS", 250, "Solar", "", "Monument Draw 230kV", "2019-11-29", "2026-10-31", built],
	["GEN-2019-927", "DISIS-2019-001", "Wayne Co", "NE", "NPPD", 180, "Wind", "", "Logan Creek 115kV Substation", "2019-11-29", "2027-03-31", schedule],
	["GEN-2020-903", "DISIS-2020-001", "Ford", "KS", "SUNC", 300, "Wind", "", "Arkansas River 345kV Substation", "2020-04-27", "2028-12-31", schedule],
	["GEN-2020-911", "DISIS-2020-001", "Drumright", "OK", "OGE", 120, "Battery/Storage", "Battery", "Drumright East 138kV", "2020-04-29", "2027-11-30", "IA FULLY EXECUTED/ON SUSPENSION"],
	["GEN-2021-902", "DISIS-2021-001", "Hughes/Okfuskee", "OK", "WFEC", 160, "Solar", "Photovoltaic", "Wewoka Tap 138 kV", "2021-11-28", "2028-06-30", "IA PENDING"],
	["GEN-2021-905", "DISIS-2021-001", "Sedgwick", "KS", "WERE", 200, "Hybrid", "Solar/Storage", "Cowskin 138 kV Substation", "2021-11-29", "2028-12-31", "FACILITY STUDY STAGE"],
	["GEN-2021-909", "DISIS-2021-001", "Roosevelt", "NM", "SPS", 220, "Hybrid", "Wind/Storage", "Portales Valley 230 kV", "2021-11-30", "2028-09-30", "FACILITY STUDY STAGE"],
	["GEN-2022-901", "DISIS-2022-001", "Gage", "NE", "NPPD", 175, "Solar", "", "Big Blue 115 kV", "2022-10-03", "2029-12-31", "DISIS STAGE"],
	["GEN-2022-906", "DISIS-2022-001", "Vernon", "MO", "KCPL", 240, "Solar", "", "Osage Prairie 345kV Substation", "2022-10-11", "2029-12-31", "DISIS STAGE"],
	["GEN-2022-912", "DISIS-2022-001", "Texas", "OK", "SPS", 500, "Wind", "", "Beaver River - Hitch 345kV", "2022-10-20", "2030-12-31", "DISIS STAGE"],
	["GEN-2022-917", "DISIS-2022-001", "Ochiltree", "TX/OK", "SPS", 350, "Wind", "", "Wolf Creek 345kV", "2022-10-28", "2030-12-31", "DISIS STAGE"],
	["GEN-2023-904", "DISIS-2023-001", "Andrew and Nodaway", "MO", "GMO", 260, "Battery/Storage", "Battery", "Platte Ridge 161kV", "2023-11-14", "2030-06-01", "DISIS STAGE"],
	["GEN-2023-908", "DISIS-2023-001", "Brown", "SD", "WAPA", 200, "Wind", "", "James Valley 345 kV", "2023-11-20", "2030-11-30", "DISIS STAGE"],
	["GEN-2024-901", "DISIS-2024-001", "Canadian", "OK", "OGE", 400, "Thermal", "CTG", "Six Mile Creek 345kV Substation", "2024-12-02", "2030-05-01", "DISIS STAGE"],
	["GEN-2024-907", "DISIS-2024-001", "Mercer", "ND", "BEPC", 450, "Thermal", "Gas", "Antelope Coulee 345 kV", "2024-12-10", "2031-05-01", "DISIS STAGE"],
	["GEN-2024-SR91", "Surplus", "Grady", "OK", "OGE", 60, "Battery/Storage", "Battery", "Border Plains 345kV Substation", "2024-06-18", "2027-05-31", "IA PENDING"],
	["GEN-2025-ER93", "ERAS", "Oldham", "TX", "SPS", 600, "Thermal", "Gas", "Canadian Breaks 345kV", "2025-10-15", "2030-04-30", "ERAS"],
	["TI-19-0991", "RTOE Transitional Cluster", "Weld County", "CO", "TSGT", 145, "Wind", "Wind", "Crow Creek 230 Substation", "2019-08-27", "2027-06-24", schedule],
]);

// biome-ignore format: a table, one request a line.
const today = nextDay(yesterday, "number", {
	changed: {
		"GEN-2022-901": { Status: "FACILITY STUDY STAGE" },
		"GEN-2021-905": { MW: 150 },
		"GEN-2020-903": { cod: "2029-12-31" },
		"GEN-2020-911": { Status: schedule },
		// Says the same in other letters.
		"GEN-2022-912": { place: "Texas County", line: "Beaver River - Hitch  345kV" },
		"GEN-2019-927": { TO: "NPPD ", place: "Wayne County" },
	},
	// In operation since October: it may leave a list of active requests. The other one has no explanation.
	gone: ["GEN-2019-921", "GEN-2023-908"],
	added: rowsOf({}, names, [
		["GEN-2026-901", "DISIS-2026-001", "Kiowa", "KS", "SUNC", 200, "Battery/Storage", "Battery", "Rattlesnake Creek 345kV", "2026-11-16", "2031-12-31", ""],
	]),
});

export const spp: SampleList = {
	feed: "spp",
	name: "GenerateActiveCSV.csv",
	yesterday,
	today,
	write(rows, { iso }) {
		const records = rows.map((row) => {
			const mw = Number(row.MW).toFixed(2);
			return {
				[number]: row.number,
				"Current Cluster": row.cluster,
				[place]: row.place,
				State: row.State,
				"TO at POI": row.TO,
				"Commercial Operation Date": slashed(row.cod),
				Capacity: mw,
				"MAX Summer MW": mw,
				"MAX Winter MW": mw,
				"Service Type": "ER/NR",
				"Requested Maximum Injection Capability (MW)": "0.00",
				"Requested Network Resource Deliverability (MW)": "0.00",
				"Nameplate Capacity": "0.00",
				"Generation Type": row.type,
				"Fuel Type": row.fuel,
				"Substation or Line": row.line,
				"Request Received": slashed(row.received),
				Status: row.Status,
			};
		});
		const banner = `"Last Updated On",${slashed(iso)}${",".repeat(headers.length - 2)}\r\n`;
		return Buffer.concat([Buffer.from(banner), csv(grid(headers, records))]);
	},
};
