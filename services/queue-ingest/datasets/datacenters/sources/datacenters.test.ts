/** Lists of data centers, and which of their values are accepted. */
import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { describeRealFiles } from "../../../../../test/support/real-files.ts";
import { datacenterDatasets } from "../../index.ts";
import { addressKey, type FacilityRow, nameKey } from "./facility.ts";
import { readFacilityEnergy } from "./facility-energy.ts";
import { readFacilityGuide } from "./facility-guide.ts";
import { readFacilityMap } from "./facility-map.ts";
import { isInState } from "./place.ts";

const file = (lines: string[], name = "list.csv") => ({ name, bytes: Buffer.from(`${lines.join("\n")}\n`) });

const mapHeader =
	"Data_center,power_usage_2023_kwh,power_usage_per_hour_2023_kwh,Data_center_address,Longitude_of_data_center," +
	"Latitude_of_data_center,Is_it_accurate,market,Number_of_Market_Data_Centers,states,Number_of_States_Data_Centers";
const mapRow = (name: string, lon: string, lat: string, accuracy = "ROOFTOP", state = "Texas", market = "Dallas") =>
	`${name},33566.97,3.83,1 Main St,"${lon}",${lat},${accuracy},${market},9,${state},99`;

describe("the list with addresses", () => {
	it("keeps a coordinate that is in its state, with its precision", () => {
		const { rows, unknownColumns } = readFacilityMap(file([mapHeader, mapRow("Alpha 1", "-96.80", "32.78")]));
		expect(rows).toMatchObject([{ name: "Alpha 1", state: "TX", lat: 32.78, lon: -96.8, location_precision: "site" }]);
		expect(unknownColumns).toEqual([]);
	});

	it("omits a coordinate in another state, or of a street far from the rest of its market", () => {
		const lines = [
			mapRow("Beta", "-96.81", "32.77"),
			mapRow("Gamma", "-96.82", "32.79", "RANGE_INTERPOLATED"),
			mapRow("Delta", "-96.79", "32.80"),
			mapRow("In New York", "-74.03", "40.77"),
			mapRow("In Houston", "-95.37", "29.76", "RANGE_INTERPOLATED"),
		];
		const { rows } = readFacilityMap(file([mapHeader, ...lines]));
		const placed = Object.fromEntries(rows.map((row) => [row.name, row.location_precision]));
		expect(placed).toEqual({ Beta: "site", Gamma: "street", Delta: "site", "In New York": null, "In Houston": null });
	});

	it("reads GB 18030, a comma before a number, and a note in Chinese behind a name", () => {
		// "Epsilon（无）": the list's maker found no coordinate.
		const note = Buffer.concat([Buffer.from("Epsilon"), Buffer.from([0xa3, 0xa8, 0xce, 0xde, 0xa3, 0xa9])]);
		const bytes = Buffer.concat([
			Buffer.from(`${mapHeader}\n${mapRow("Zeta", ", -96.8", "32.7")}\n`),
			note,
			Buffer.from(",1,1,,,,,Dallas,9,Texas,99\n"),
		]);
		const { rows } = readFacilityMap({ name: "list.csv", bytes });
		expect(rows.map(({ name, lon }) => [name, lon])).toEqual([
			["Zeta", -96.8],
			["Epsilon", null],
		]);
	});

	it("drops a state average that every row repeats", () => {
		const [row] = readFacilityMap(file([mapHeader, mapRow("Alpha 1", "-96.80", "32.78")])).rows;
		expect(Object.values(row ?? {})).not.toContain(33566.97);
		expect(row).toMatchObject({ capacity_mw: null, energy_low_mwh_year: null });
	});

	it("accounts for a row without a name, one abroad and a repeated one", () => {
		const lines = [
			mapRow("Alpha 1", "-96.80", "32.78"),
			mapRow("Alpha 1", "-96.80", "32.78"),
			mapRow("", "-96.80", "32.78"),
			mapRow("Eta", "-96.80", "32.78", "ROOFTOP", "Ontario"),
		];
		const { rows, rowsIn, dropped } = readFacilityMap(file([mapHeader, ...lines]));
		expect([rowsIn, rows.length]).toEqual([4, 1]);
		expect(dropped.map(({ reason, count, malformed }) => [reason, count, malformed])).toEqual([
			["exact repeat of another row", 1, undefined],
			["no name", 1, true],
			["no state of the US", 1, true],
		]);
	});
});

describe("the list by county", () => {
	const header = "Brand,State,County,Low_MWh_year,High_MWh_year,Note,latitude,longitude";

	it("places a row at the centre of its county, never at the listed coordinates", () => {
		const lines = ["Acme,IL,DeKalb,100,200,,39.8283,-98.5795", "Acme,OK,Tusla,100,200,,39.8283,-98.5795"];
		const { rows } = readFacilityEnergy(file([header, ...lines]));
		expect(rows.map(({ county, location_precision }) => [county, location_precision])).toEqual([
			["DeKalb", "county"],
			["Tulsa", "county"],
		]);
		expect(rows[0]?.lon).toBeCloseTo(-88.77, 1);
	});

	it("gives rows of one brand and county ids that are stable across reloads", () => {
		const lines = ["Acme,VA,Loudoun,7,9,1 of 2 facilities,0,0", "Acme,VA,Loudoun,7,9,1 of 2 facilities,0,0"];
		const once = readFacilityEnergy(file([header, ...lines])).rows.map(({ id }) => id);
		expect(new Set(once).size).toBe(2);
		expect(readFacilityEnergy(file([header, ...lines])).rows.map(({ id }) => id)).toEqual(once);
	});

	it("is held back if it was concatenated twice, but not if its rows number their facilities", () => {
		const lines = ["Acme,VA,Loudoun,7,9,1 of 2 facilities,0,0", "Bolt,VA,Loudoun,7,9,,0,0", "Crow,VA,Loudoun,7,9,,0,0"];
		const whole = [lines[0] ?? "", ...lines];
		const warningsOf = (rows: string[]) => readFacilityEnergy(file([header, ...rows])).warnings;
		expect(warningsOf(whole)).toEqual([]);
		expect(warningsOf([...whole, ...whole])).toEqual(["4 of 8 rows repeat others without a note that explains it"]);
	});

	it("keeps both bounds of an estimate or neither", () => {
		const lines = ["A,VA,Loudoun,,,not disclosed,0,0", "B,VA,Loudoun,9,7,,0,0", "C,VA,Loudoun,7,9,,0,0"];
		const { rows } = readFacilityEnergy(file([header, ...lines]));
		const ends = rows.map((row: FacilityRow) => [row.energy_low_mwh_year, row.energy_high_mwh_year]);
		expect(ends).toEqual([
			[null, null],
			[null, null],
			[7, 9],
		]);
	});
});

describe("the list of large sites", () => {
	const header =
		"id,name,operator,city,state,country,latitude,longitude,status,capacity_mw,facility_type,year_opened,size_sqft,notes";

	it("reads a row with one extra cell up to the last unambiguous column, and refuses wider rows", () => {
		const row = "1,Alpha One,Acme,Reno,NV,USA,39.5,-119.8,Under Construction,130,Colocation,2027,1,,extra";
		expect(readFacilityGuide(file([header, row])).rows).toMatchObject([
			{ id: "DC-G1", status: "construction", status_filed: "Under Construction", capacity_mw: 130, year_opened: 2027 },
		]);
		expect(() => readFacilityGuide(file([header, `${row},another`]))).toThrow(StructureError);
	});

	it("keeps an unknown status as filed and reports it", () => {
		const row = "1,Alpha One,Acme,Reno,NV,USA,39.5,-119.8,Mothballed,130,Colocation,2027,1,";
		const { rows, unknownValues } = readFacilityGuide(file([header, row]));
		expect(rows).toMatchObject([{ status: null, status_filed: "Mothballed" }]);
		expect(unknownValues).toEqual([{ field: "status", value: "Mothballed", count: 1 }]);
	});
});

it("names and addresses that differ only in spelling match; a postal code is not an address", () => {
	expect(nameKey("Meta Prineville Data Center")).toBe(nameKey("META  Prineville datacenter campus"));
	expect(nameKey("The Data Center")).toBeNull();
	expect(addressKey("111 8th Avenue")).toBe(addressKey("111 8TH AVE."));
	expect([addressKey("20147"), addressKey("Camino Arroyo"), addressKey(null)]).toEqual([null, null, null]);
});

it("a town at the border belongs to its state, a town across the border does not", () => {
	expect(isInState({ lat: 45.915, lon: -119.266 }, "OR")).toBe(true);
	expect(isInState({ lat: 40.153, lon: -74.743 }, "PA")).toBe(true);
	expect(isInState({ lat: 36.2, lon: -116.008 }, "CA")).toBe(false);
	expect(isInState({ lat: 40.757, lon: -74.031 }, "TX")).toBe(false);
});

describeRealFiles("datacenters", (read) => {
	const files = [
		["NHhui_Data_centers_divided_by_state.csv", "datacenter-map", 2872, 2872],
		["egreich_datacenters.csv", "datacenter-energy", 1240, 1240],
		["w4ester_datacenters.csv", "datacenter-guide", 25, 25],
		["pricephillips_proposals.csv", "datacenter-proposals", 338, 338],
	] as const;

	it.each(files)("%s is recognised only as %s, and every row is accounted for", async (name, feed, rowsIn, kept) => {
		const file = read(name);
		const own = datacenterDatasets.filter((dataset) => dataset.recognises(file));
		expect(own.map((dataset) => dataset.feed)).toEqual([feed]);
		const parsed = await own[0]?.parse(file);
		expect([parsed?.rowsIn, parsed?.rows.length]).toEqual([rowsIn, kept]);
		expect(parsed?.dropped.reduce((sum, { count }) => sum + count, 0)).toBe(rowsIn - kept);
		expect([parsed?.unknownValues, parsed?.unknownColumns]).toEqual([[], []]);
		const ids = parsed?.rows.map((row) => (row as { id: string }).id);
		expect(new Set(ids).size).toBe(kept);
	});

	it("a fifth of the coordinates of the list with addresses is in another state and omitted", () => {
		const { rows } = readFacilityMap(read("NHhui_Data_centers_divided_by_state.csv"));
		const placed = rows.filter((row) => row.lat !== null);
		expect(placed.length).toBeGreaterThan(2_150);
		expect(placed.length).toBeLessThan(2_350);
	});
});
