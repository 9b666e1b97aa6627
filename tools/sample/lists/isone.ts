import { workbook } from "../../../test/support/file-formats.ts";
import { columns, day, grid, nextDay, type Row, rowsOf, type SampleList, slashed } from "./list.ts";

const headers =
	columns(`Cluster, Position, Updated, Type, Requested, Alternative Name, Unit, Fuel Type, Net MW, Summer MW,
	Winter MW, County, State, Op Date, Sync Date, W/ D Date, Interconnection Location, Serv, SIS Complete, I39, TO Report,
	Dev, Zone, FS, SIS, OS, FAC, IA, Project Status`);

const base: Row = { Type: "G", Serv: "CNR", Updated: "2026-10-30", "SIS Complete": false, I39: false };
const names =
	"Position Requested Alternative_Name Unit Fuel_Type MW County State Op_Date Interconnection_Location Zone";
const studied: Row = { ...base, FS: "Not Required", SIS: "In Progress", "Project Status": "Under Study" };
const executed: Row = {
	...base,
	"SIS Complete": true,
	I39: true,
	"TO Report": "ISO-NE",
	SIS: "Document Posted",
	IA: "Executed",
};

// biome-ignore format: a table, one request a line.
const yesterday = [
	...rowsOf({ ...studied, Cluster: "TCS" }, names, [
		[1901, "2024-08-21", "Housatonic Battery Storage", "OT", "BAT", 150, "Litchfield", "CT", "2029-06-01", "Frost Bridge 345 kV Substation", "CT"],
		[1904, "2024-09-05", "Quabbin Ridge BESS", "OT", "BAT", 100, "Worcester", "MA", "2029-05-01", "Ware 115 kV", "WMA"],
		[1907, "2024-09-17", "Androscoggin Solar II", "PV", "SUN", 75, "Androscoggin", "ME", "2028-11-30", "Lewiston Lower 115 kV", "ME"],
		[1910, "2024-10-02", "Katahdin View Wind", "WT", "WND", 180, "Penobscot", "ME", "2030-12-31", "Chester 345 kV", "BHE"],
		[1913, "2024-10-08", "Blackstone Valley Solar and Storage", "PV", "SUN BAT", 60, "Providence", "RI", "2028-09-01", "Woonsocket 115 kV", "RI"],
		[1916, "2024-10-15", "Merrimack Reliability BESS", "OT", "BAT", 200, "Merrimack", "NH", "2029-12-01", "Deerfield 345 kV Substation", "NH"],
		[1919, "2024-11-04", "Gosnold Offshore Wind", "WT", "WND", 800, "Bristol", "MA", "2033-12-31", "Brayton Point 345 kV", "SEMA"],
		[1922, "2024-11-18", "Otter Creek Storage", "OT", "BAT", 50, "Rutland", "VT", "2028-06-30", "West Rutland 115 kV", "VT"],
		[1925, "2024-12-03", "Thames River BESS", "OT", "BAT", 125, "New London", "CT", "2029-03-01", "Montville 115 kV", "CT"],
	]),
	...rowsOf(base, names, [
		[1931, "2026-02-11", "Cape Ann Battery", "OT", "BAT", 80, "Essex", "MA", "2030-06-01", "Gloucester 115 kV", "BOST"],
		[1933, "2026-03-24", "Saco Bay Storage", "OT", "BAT", 120, "York", "ME", "2030-10-01", "Maguire Road 115 kV", "ME"],
		[1936, "2026-05-19", "Connecticut Lakes Hydro Uprate", "HD", "WAT", 12, "Coos", "NH", "2029-11-01", "Pittsburg 34.5 kV", "NH"],
		[1939, "2026-06-08", "Dover Plains Storage (NYISO-C24-916)", "OT", "BAT", 90, "Dutchess", "NY", "2030-05-01", "NYISO Pleasant Valley 345 kV", "N/A"],
	]),
	...rowsOf(executed, `${names} Project_Status`, [
		[1205, "2021-03-10", "Aroostook Sun", "PV", "SUN", 100, "Aroostook", "ME", "2027-07-31", "Houlton 69 kV", "ME", "Under Construction"],
		[1212, "2021-05-06", "Shetucket BESS", "OT", "BAT", 175, "Windham", "CT", "2027-12-31", "Card Street 345 kV", "CT", "Under Study"],
		[1218, "2021-06-30", "Hoosac Tunnel Wind", "WT", "WND", 45, "Franklin", "MA", "2026-12-31", "Bear Swamp 69 kV", "WMA", "Suspended"],
		[988, "2019-09-12", "Pawtuxet Solar", "PV", "SUN", 40, "Kent", "RI", "2023-04-28", "Kent County 115 kV", "RI", "In Service"],
		[988, "2019-09-12", "Pawtuxet Storage", "OT", "BAT", 20, "Kent", "RI", "2024-02-15", "Kent County 115 kV", "RI", "In Service"],
		[415, "2012-04-02", "Nashua River Peaker", "GT", "NG DFO", 85, "Hillsborough", "NH", "2018-06-01", "Bridge Street 115 kV", "NH", "In Service"],
	]),
	...rowsOf({ ...studied, "W/ D Date": "2025-10-09" }, names, [
		[1140, "2021-01-14", "Narragansett Bay Wind 2", "WT", "WND", 600, "Washington", "RI", "2030-12-31", "Davisville 115 kV", "RI"],
		[1163, "2021-02-26", "Quinebaug Solar Park", "PV", "SUN", 55, "Windham", "CT", "2027-06-30", "Tracy 115 kV", "CT"],
	]),
	...rowsOf({ ...base, Type: "ETU", Serv: "NI", "Project Status": "Under Study", FS: "Document Posted" }, names, [
		[1177, "2021-04-22", "Northern Tier Connector", "NA", "N/A", null, "Windsor", "VT", "2031-12-31", "Coolidge 345 kV", "VT"],
	]),
];

// biome-ignore format: a table, one request a line.
const today = nextDay(yesterday, "Position", {
	changed: {
		1904: { "W/ D Date": "2026-11-19" },
		1205: { "Project Status": "In Service", "Op Date": "2026-11-17" },
		1910: { "Op Date": "2031-12-31" },
		1925: { MW: 115 },
		1212: { FAC: "In Progress", "Project Status": "Under Construction" },
		// Says the same in other letters.
		1913: { County: "PROVIDENCE", "Interconnection Location": "Woonsocket  115 kV" },
		1933: { County: "York County" },
	},
	gone: ["1936"],
	added: rowsOf(base, names, [
		[1942, "2026-11-16", "Penobscot Narrows Storage", "OT", "BAT", 140, "Waldo", "ME", "2031-03-01", "Orrington 345 kV", "BHE"],
	]),
});

export const isone: SampleList = {
	feed: "isone",
	name: "QueueReport.xlsx",
	yesterday,
	today,
	write(rows, { iso, isToday }) {
		const records = rows.map((row): Row => {
			const date = (name: string) => day(typeof row[name] === "string" ? row[name] : null);
			return {
				...row,
				"Net MW": row.MW,
				"Summer MW": row.MW,
				"Winter MW": row.MW,
				// A time stamp that moves by itself.
				Updated: day(isToday ? iso : String(row.Updated)),
				...Object.fromEntries(["Requested", "Op Date", "W/ D Date"].map((name) => [name, date(name)])),
			};
		});
		const banner = [
			[
				"Interconnection Requests for New England Control Area",
				null,
				null,
				null,
				null,
				null,
				`As of: ${slashed(iso)} 12:00:00 AM`,
				null,
				null,
				"ISO-NE Public",
			],
			["Generation, Elective Transmission Upgrade and Transmission Service Requests"],
			["Jurisdiction:", "All", "Status:", "All"],
			[],
		];
		return workbook([{ name: "Queue", rows: [...banner, ...grid(headers, isToday ? records.toReversed() : records)] }]);
	},
};
