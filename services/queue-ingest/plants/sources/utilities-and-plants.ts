/** Schedules 1 (utilities) and 2 (plants) of form EIA-860. Pure. */
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { type Cell, text } from "#libs/files/values.ts";
import { column, degrees, id, isNote, spellings, stateCode, stated, zip } from "../../sources/cells.ts";
import { dataRows } from "../../sources/collector.ts";
import { RowAccount } from "../../sources/row-account.ts";
import type { PlantRow, Rows, UtilityRow } from "./schedule.ts";

const utilityId = ["Utility ID", "utilcode"] as const;
const plantCode = ["Plant Code", "plntcode"] as const;

export function readUtilities(sheet: Table): Rows<UtilityRow> {
	const name = ["Utility Name", "utilname"] as const;
	const table = new HeadedTable(sheet, [spellings(...utilityId), spellings(...name)], 10);
	const at = {
		id: column(table, ...utilityId),
		name: column(table, ...name),
		street: column(table, "Street Address", "mail_street_address"),
		city: column(table, "City", "mail_city"),
		state: column(table, "State", "mail_state"),
		zip: column(table, "Zip", "zip5"),
		entityType: column(table, "Entity Type"),
	};
	return readKeyed(table, at.id, "utility", (row, utility_id) => {
		const filed = stated(row[at.name]);
		return filed === null
			? "no utility name"
			: {
					utility_id,
					name: filed,
					street: stated(row[at.street]),
					city: stated(row[at.city]),
					state: stateCode(row[at.state]),
					zip: zip(row[at.zip]),
					entity_type: stated(row[at.entityType]),
				};
	});
}

export function readPlants(sheet: Table): Rows<PlantRow> {
	const table = new HeadedTable(sheet, [spellings(...plantCode), spellings("Plant Name", "plntname")], 10);
	const at = {
		id: column(table, ...plantCode),
		name: column(table, "Plant Name", "plntname"),
		utilityId: column(table, ...utilityId),
		utilityName: column(table, "Utility Name"),
		street: column(table, "Street Address"),
		city: column(table, "City"),
		state: column(table, "State", "plntstate"),
		zip: column(table, "Zip", "zip5", "plntzip"),
		county: column(table, "County", "cntyname"),
		lat: column(table, "Latitude"),
		lon: column(table, "Longitude"),
		nercRegion: column(table, "NERC Region", "NERC Region Code", "nerc"),
		balancingAuthority: column(table, "Balancing Authority Code", "iso_rto_code", "ISO RTO Code"),
		sector: column(table, "Sector Name"),
		gridOwner: column(table, "Transmission or Distribution System Owner", "ownertransdist"),
		gridVoltage: column(table, "Grid Voltage (kV)", "gridvoltage"),
	};
	return readKeyed(table, at.id, "plant", (row, plant_id) => ({
		plant_id,
		name: stated(row[at.name]),
		utility_id: id(row[at.utilityId]),
		utility_name: stated(row[at.utilityName]),
		street: stated(row[at.street]),
		city: stated(row[at.city]),
		state: stateCode(row[at.state]),
		zip: zip(row[at.zip]),
		county: stated(row[at.county]),
		lat: degrees(row[at.lat], -15, 75),
		lon: degrees(row[at.lon], -180, 180),
		nerc_region: stated(row[at.nercRegion]),
		balancing_authority: stated(row[at.balancingAuthority]),
		sector: stated(row[at.sector]),
		grid_owner: stated(row[at.gridOwner]),
		grid_voltage_kv: degrees(row[at.gridVoltage], 0, 1_500),
	}));
}

/** Rows that are known by one number, each number once. `read` answers the record, or why there is none. */
function readKeyed<T extends object>(
	table: HeadedTable,
	idColumn: number,
	kind: string,
	read: (row: Cell[], id: number) => T | string,
): Rows<T> {
	const rows = new RowAccount<T>();
	const seen = new Set<number>();
	for (const row of dataRows(table)) {
		const label = text(row[idColumn]) ?? text(row.find((cell) => text(cell) !== null));
		const key = id(row[idColumn]);
		if (key === null) rows.drop(isNote(row) ? "a note, no row of the table" : `no ${kind} number`, label);
		else if (seen.has(key)) rows.drop(`a second row of the same ${kind}`, label);
		else {
			const record = read(row, key);
			if (typeof record === "string") rows.drop(record, label);
			else {
				seen.add(key);
				rows.keep(record);
			}
		}
	}
	return { rowsIn: rows.rowsIn, records: rows.kept, dropped: rows.dropped, notes: [] };
}
