/** Data centers by state with addresses, invented: the list of facilities, which states no date. */
import { csv } from "../../../test/support/file-formats.ts";
import { columns, grid } from "./list.ts";

const header = columns(`Data_center, power_usage_2023_kwh, power_usage_per_hour_2023_kwh, Data_center_address,
	Longitude_of_data_center, Latitude_of_data_center, Is_it_accurate, market, Number_of_Market_Data_Centers, states,
	Number_of_States_Data_Centers`);

// biome-ignore format: a table, one facility a line.
const facilities = [
	["Marlinspike Ashburn 1", "4100 Hawser Drive", -77.487, 39.041, "ROOFTOP", "Ashburn", "Virginia"],
	["Marlinspike Ashburn 2", "4120 Hawser Drive", -77.485, 39.043, "ROOFTOP", "Ashburn", "Virginia"],
	["Quartz Lantern ASH-A", "77 Foundry Bell Court", -77.459, 39.018, "RANGE_INTERPOLATED", "Ashburn", "Virginia"],
	["Quartz Lantern RIC-A", "9 Tobacco Scale Road", -77.361, 37.512, "ROOFTOP", "Richmond", "Virginia"],
	["Halyard Dallas Campus", "2500 Prairie Loom Parkway", -96.83, 32.79, "ROOFTOP", "Dallas", "Texas"],
	["Quartz Lantern DAL-B", "318 Cotton Gin Lane", -96.69, 32.95, "GEOMETRIC_CENTER", "Dallas", "Texas"],
	["Halyard Columbus 1", "640 Buckeye Kiln Road", -82.81, 40.08, "ROOFTOP", "Columbus", "Ohio"],
	["Marlinspike Manhattan", "55 Ropewalk Street", -74.006, 40.714, "ROOFTOP", "New York", "New York"],
	["Halyard Santa Clara", "1200 Orchard Wire Way", -121.955, 37.37, "ROOFTOP", "Santa Clara", "California"],
	// Its place is unknown.
	["Quartz Lantern PHX-A", null, null, null, null, "Phoenix", "Arizona"],
];

export function datacenterFiles(): { path: string; bytes: Buffer }[] {
	const names =
		"Data_center Data_center_address Longitude_of_data_center Latitude_of_data_center Is_it_accurate market states";
	const rows = facilities.map((cells) =>
		Object.fromEntries(names.split(" ").map((name, at) => [name, cells[at] ?? null])),
	);
	return [{ path: "datacenters/Data_centers_divided_by_state.csv", bytes: csv(grid(header, rows)) }];
}
