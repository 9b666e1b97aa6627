/** Invented sample files whose dates depend on the day on which they are loaded. */
import { createPriceFiles, type WrittenFile } from "./prices.ts";

const csv = (rows: readonly (readonly (string | number)[])[]): Buffer =>
	Buffer.from(
		`${rows.map((row) => row.map((cell) => (/[",]/.test(String(cell)) ? `"${cell}"` : cell)).join(",")).join("\r\n")}\r\n`,
	);

// biome-ignore format: a table, one area and fuel a line: facilities and kilowatts added in the year before last, and last year.
const areas: [geoid: string, name: string, type: string, fuel: string, before: [number, number], last: [number, number]][] = [
	["0500000US39041", "Delaware County", "COUNTY", "Solar", [41, 402.5], [57, 611.25]],
	["0500000US39041", "Delaware County", "COUNTY", "Energy Storage", [3, 24], [6, 51.5]],
	["0500000US39049", "Franklin County", "COUNTY", "Solar", [88, 915.75], [102, 1204.5]],
	["0500000US39049", "Franklin County", "COUNTY", "Natural Gas/Propane", [0, 0], [1, 248]],
	["0500000US39089", "Licking County", "COUNTY", "Solar", [12, 131.25], [19, 206]],
	["0500000US39089", "Licking County", "COUNTY", "Wind", [1, 10], [0, 0]],
	["1600000US3918000", "Columbus", "PLACE", "Solar", [61, 590.25], [70, 742]],
];

function ohioFile(today: string): WrittenFile {
	const lastYear = Number(today.slice(0, 4)) - 1;
	const rows = areas.flatMap(([geoid, name, type, fuel, before, last]) => [
		[geoid, name, type, lastYear - 1, fuel, ...before],
		[geoid, name, type, lastYear, fuel, ...last],
	]);
	const header = ["GEOIDFQ", "NAME", "GEOTYPE", "YEAR", "FUEL_TYPE", "FACILITIES", "CAPACITY"];
	return { name: "renewenergy-der-long.csv", bytes: csv([header, ...rows]) };
}

const proposalHeader =
	"id,name,type,phase,status,state,towns,counties,address,lat,lon,size_acres,capacity_mw,scale,date,lastUpdated,yearOpened,jobsConstruction,jobsLongTerm,jobsTotal,companies,zoningAllowance,landSold,bringingOwnEnergy,approx,locationTbd,moratoriumExempt,info,createdAt,updatedAt,outcome_detail";

// biome-ignore format: a table, one proposal a line.
const proposals: Record<string, string | number>[] = [
	{ name: "Hawser Drive Expansion", phase: "expansion", state: "Virginia", towns: "Ashburn", counties: "Loudoun County", companies: "Marlinspike Data", lat: 39.042, lon: -77.486, capacity_mw: 96, zoningAllowance: "TRUE", landSold: "TRUE" },
	{ name: "Tobacco Scale Campus", phase: "approved", state: "Virginia", towns: "Richmond", counties: "Henrico County", companies: "Quartz Lantern; Foundry Bell Partners", lat: 37.51, lon: -77.35, capacity_mw: 240, size_acres: 180, zoningAllowance: "TRUE" },
	{ name: "Project Buckeye Kiln", phase: "proposed", state: "Ohio", towns: "New Albany", counties: "Licking County", companies: "Halyard Compute", lat: 40.09, lon: -82.76, capacity_mw: 300, size_acres: 220, landSold: "FALSE" },
	{ name: "Prairie Loom Campus", phase: "construction", state: "Texas", towns: "Lancaster", counties: "Dallas County", companies: "Halyard Compute", lat: 32.6, lon: -96.76, capacity_mw: 500, bringingOwnEnergy: "TRUE", yearOpened: 2027 },
	{ name: "Erie Basin Data Center", phase: "proposed", state: "New York", towns: "Buffalo", counties: "Erie County", companies: "Erie Basin Compute", lat: 42.86, lon: -78.86, capacity_mw: 300, approx: "True" },
	{ name: "Orchard Wire Annex", phase: "rejected", state: "California", towns: "Gilroy", counties: "Santa Clara County", companies: "Undisclosed Developer", lat: 37.01, lon: -121.57, capacity_mw: 49, outcome_detail: "Denied by the planning commission" },
];

function trackerFile(today: string): WrittenFile {
	const columns = proposalHeader.split(",");
	const rows = proposals.map((proposal, at) => {
		const values: Record<string, string | number> = {
			...{ id: 9001 + at, type: "Data Center", scale: 0 },
			...{ locationTbd: "False", moratoriumExempt: "False", approx: "False" },
			...{ zoningAllowance: "unknown", landSold: "unknown", bringingOwnEnergy: "unknown", info: "Invented." },
			...{ date: `${Number(today.slice(0, 4)) - 1}-6`, lastUpdated: today },
			...{ createdAt: `${today}T06:00:00.000Z`, updatedAt: `${today}T06:00:00.000Z` },
			...proposal,
		};
		return columns.map((column) => values[column] ?? "");
	});
	return { name: "proposals.csv", bytes: csv([columns, ...rows]) };
}

export const datedFiles = (today: string): Record<"dg" | "datacenters" | "market", WrittenFile[]> => ({
	dg: [ohioFile(today)],
	datacenters: [trackerFile(today)],
	market: createPriceFiles(today),
});
