/** Two years of form EIA-860 on six plants, invented: the schedules of utilities, plants, generators and owners, in the EIA's layout. */
import type { Cell } from "#libs/files/values.ts";
import { workbook } from "../../../test/support/file-formats.ts";
import { columns, grid, type Row, rowsOf } from "./list.ts";

const years = [2024, 2025] as const;
type Year = (typeof years)[number];

// biome-ignore format: a table, one company a line.
const companies = rowsOf({ "Entity Type": "Q" }, "Utility_ID Utility_Name Street_Address City State Zip", [
	[99901, "Larkspur Field Services LLC", "88 Depot Street", "Bakersfield", "CA", 93301],
	[99902, "Sedgewater Flats Clean Energy, LLC", "301 Bluebonnet Row", "Austin", "TX", 78701],
	[99903, "Fallow Creek Generating Co", "12 Courthouse Square", "Sweetwater", "TX", 79556],
	[99904, "Imperial Dunes Operations LLC", "7 Canal Road", "El Centro", "CA", 92243],
	[99911, "Quillback Harbor Solar Holdings, LLC", "40 Fish Pier", "Boston", "MA", 2210],
	[99912, "Quillback Harbor Storage, LLC", "40 Fish Pier", "Boston", "MA", 2210],
	[99913, "Quillback Harbor Peakers, LLC", "40 Fish Pier", "Boston", "MA", 2210],
	[99921, "Alder Grove Antelope Acres, LLC", "410 Juniper Avenue", "Denver", "CO", 80202],
	[99922, "Alder Grove Wind Holdings, LLC", "410 Juniper Avenue", "Denver", "CO", 80202],
	[99931, "Merrowstone Fund I Holdings, LP", "19 Lantern Lane", "New York", "NY", 10004],
	[99941, "Bitter Spring Wind Project, LLC", "5 Mesquite Trail", "Sterling City", "TX", 76951],
]);
/** One of them has another name, and the same number. */
const renamed: Record<number, string> = { 99941: "Bitter Spring Wind Energy, LLC" };

// biome-ignore format: a table, one plant a line; the first two and the fourth are requests of the sample's California list.
const plants = rowsOf({ Sector: 2, "Sector Name": "IPP Non-CHP", "Regulatory Status": "NR" },
	"Plant_Code Plant_Name Utility_ID State County Latitude Longitude NERC_Region Balancing_Authority_Code Unit Technology Prime_Mover MW Year", [
	[99101, "Antelope Acres Solar", 99901, "CA", "Los Angeles", 34.75, -118.29, "WECC", "CISO", "PV1", "Solar Photovoltaic", "PV", 60, 2016],
	[99102, "Mesa Verde Peaker", 99904, "CA", "Imperial", 32.79, -115.69, "WECC", "CISO", "GT1", "Natural Gas Fired Combustion Turbine", "GT", 48, 2010],
	[99103, "Cold Sedge Solar", 99902, "TX", "Pecos", 30.89, -102.88, "TRE", "ERCO", "0001", "Solar Photovoltaic", "PV", 120, 2021],
	[99104, "San Joaquin Bend Storage", 99901, "CA", "San Joaquin", 37.93, -121.27, "WECC", "CISO", "BESS1", "Batteries", "BA", 80, 2025],
	[99105, "Bitter Spring Wind", 99902, "TX", "Sterling", 31.83, -101.05, "TRE", "ERCO", "WT1", "Onshore Wind Turbine", "WT", 150, 2018],
	[99106, "Split Gourd Wind", 99903, "TX", "Fisher", 32.74, -100.4, "TRE", "ERCO", "WTG 1", "Onshore Wind Turbine", "WT", 90, 2012],
]);

/**
 * Who owns what is not wholly its operator's: [plant, owner's number, share]. Sold outright; a quarter sold on; in two hands, as before;
 * renamed; listed for the first time while the operator stays. The third plant is its operator's, and so not listed.
 */
const owners: Record<Year, [plant: number, owner: number, share: number][]> = {
	2024: [
		[99101, 99911, 1],
		[99102, 99913, 0.5],
		[99102, 99931, 0.5],
		[99104, 99912, 0.5],
		[99104, 99931, 0.5],
		[99105, 99941, 1],
	],
	2025: [
		[99101, 99921, 1],
		[99102, 99913, 0.25],
		[99102, 99931, 0.75],
		[99104, 99912, 0.5],
		[99104, 99931, 0.5],
		[99105, 99941, 1],
		[99106, 99922, 1],
	],
};

const headers = {
	utility: columns("Utility ID, Utility Name, Street Address, City, State, Zip, Entity Type"),
	plant: columns(`Utility ID, Utility Name, Plant Code, Plant Name, State, County, Latitude, Longitude, NERC Region,
		Balancing Authority Code, Regulatory Status, Sector, Sector Name`),
	generator:
		columns(`Utility ID, Utility Name, Plant Code, Plant Name, State, County, Generator ID, Technology, Prime Mover,
		Nameplate Capacity (MW), Summer Capacity (MW), Status, Operating Year`),
	owner: columns(`Utility ID, Utility Name, Plant Code, Plant Name, State, Generator ID, Status, Owner Name,
		Owner Street Address, Owner City, Owner State, Owner Zip, Ownership ID, Percent Owned`),
};
const note = "NOTE: Every company and plant in this file is invented.";

const company = (id: Cell, year: Year): Row => {
	const found = companies.find((row) => row["Utility ID"] === id);
	if (found === undefined) throw new Error(`no company ${id}`);
	const name = year === 2024 ? found["Utility Name"] : (renamed[Number(id)] ?? found["Utility Name"]);
	return { ...found, "Utility Name": name };
};

/** A battery that is not in operation in the first year. */
const statusOf = (plant: Row, year: Year): string => (Number(plant.Year) > year ? "V" : "OP");

const generatorOf = (plant: Row, year: Year): Row => ({
	...plant,
	"Utility Name": company(plant["Utility ID"], year)["Utility Name"],
	"Generator ID": plant.Unit,
	"Nameplate Capacity (MW)": plant.MW,
	"Summer Capacity (MW)": plant.MW,
	Status: statusOf(plant, year),
	"Operating Year": plant.Year,
});

function ownerOf([plantCode, ownerId, share]: [number, number, number], year: Year): Row {
	const plant = plants.find((row) => row["Plant Code"] === plantCode);
	if (plant === undefined) throw new Error(`no plant ${plantCode}`);
	const owner = company(ownerId, year);
	return {
		...generatorOf(plant, year),
		"Owner Name": owner["Utility Name"],
		"Owner Street Address": owner["Street Address"],
		"Owner City": owner.City,
		"Owner State": owner.State,
		"Owner Zip": owner.Zip,
		"Ownership ID": ownerId,
		"Percent Owned": share,
	};
}

/** The four workbooks of a year, by their path below the sample's folder. */
async function workbooksOf(year: Year): Promise<{ path: string; bytes: Buffer }[]> {
	const titled = (schedule: string, header: string[], rows: Row[], end: Cell[][] = []): Cell[][] => [
		[`${year} Form EIA-860 Data - Schedule ${schedule}`],
		...grid(header, rows),
		...end,
	];
	const units = (stage: string, rows: Row[]) =>
		titled(`3, 'Generator Data' (${stage} Units Only)`, headers.generator, rows);
	const generators = plants.map((plant) => generatorOf(plant, year));
	const operable = generators.filter((row) => row.Status === "OP");
	const proposed = generators.filter((row) => row.Status !== "OP");
	const utilities = companies.map((row) => company(row["Utility ID"], year));
	const listed = plants.map((row) => ({ ...row, "Utility Name": company(row["Utility ID"], year)["Utility Name"] }));
	const held = owners[year].map((owner) => ownerOf(owner, year));
	const sheets = {
		"1___Utility": [{ name: "Utility", rows: titled("1, 'Utility Data'", headers.utility, utilities) }],
		"2___Plant": [{ name: "Plant", rows: titled("2, 'Plant Data'", headers.plant, listed) }],
		"3_1_Generator": [
			{ name: "Operable", rows: units("Operable", operable) },
			{ name: "Proposed", rows: units("Proposed", proposed) },
			{ name: "Retired and Canceled", rows: units("Retired & Canceled", []) },
		],
		"4___Owner": [
			{
				name: "Ownership",
				rows: titled("4, 'Generator Ownership' (Jointly or Third-Party Owned Only)", headers.owner, held, [[note]]),
			},
		],
	};
	const files = Object.entries(sheets).map(async ([name, tables]) => ({
		path: `eia860/${year}/${name}_Y${year}.xlsx`,
		bytes: await workbook(tables),
	}));
	return Promise.all(files);
}

export const eia860Workbooks = async (): Promise<{ path: string; bytes: Buffer }[]> =>
	(await Promise.all(years.map(workbooksOf))).flat();
