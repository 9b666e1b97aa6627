/** The schedules of the EIA's annual form 860, and the fields read from each, keyed by database column. */
import { megawatts, number } from "#libs/files/values.ts";
import {
	code,
	degrees,
	field,
	generatorId,
	id,
	type RecordOf,
	stateCode,
	stated,
	yearOf,
	zip,
} from "../../sources/cells.ts";
import type { RowAccount, RowNotes } from "../../sources/row-account.ts";
import type { Dropped } from "../../sources/source.ts";

/** Schedules 1, 2, 3 (all generators, then the parts of it by technology) and 4, in the order in which they are read. */
export const schedules = ["utility", "plant", "generator", "wind", "solar", "storage", "multifuel", "owner"] as const;
export type Schedule = (typeof schedules)[number];

export const generatorSchedules = ["generator", "wind", "solar", "storage", "multifuel"] as const;

/** `retired`: retired, cancelled, or put off without a date. */
export type Stage = "operable" | "proposed" | "retired";

/** Headers by meaning, each with its spellings since 2009. */
export const headers = {
	owner: ["Owner Name", "owner_n", "ownername"],
	share: ["Percent Owned", "percent_ow"],
	plant: ["Plant Code", "plntcode", "plantcode"],
	generator: ["Generator ID", "gencode"],
	operator: ["Utility Name", "utilname"],
} as const;

export const utilityFields = {
	utility_id: field(id, "Utility ID", "utilcode"),
	name: field(stated, ...headers.operator),
	street: field(stated, "Street Address", "mail_street_address"),
	city: field(stated, "City", "mail_city"),
	state: field(stateCode, "State", "mail_state"),
	zip: field(zip, "Zip", "zip5"),
	entity_type: field(stated, "Entity Type"),
};

export const plantFields = {
	plant_id: field(id, ...headers.plant),
	name: field(stated, "Plant Name", "plntname"),
	utility_id: field(id, "Utility ID", "utilcode"),
	utility_name: field(stated, "Utility Name"),
	street: field(stated, "Street Address"),
	city: field(stated, "City"),
	state: field(stateCode, "State", "plntstate"),
	zip: field(zip, "Zip", "zip5", "plntzip"),
	county: field(stated, "County", "cntyname"),
	lat: field((cell) => degrees(cell, -15, 75), "Latitude"),
	lon: field((cell) => degrees(cell, -180, 180), "Longitude"),
	nerc_region: field(stated, "NERC Region", "NERC Region Code", "nerc"),
	balancing_authority: field(stated, "Balancing Authority Code", "iso_rto_code", "ISO RTO Code"),
	sector: field(stated, "Sector Name"),
	/** Transmission or distribution system owner at the plant. */
	grid_owner: field(stated, "Transmission or Distribution System Owner", "ownertransdist"),
	grid_voltage_kv: field((cell) => degrees(cell, 0, 1_500), "Grid Voltage (kV)", "gridvoltage"),
};

export const generatorFields = {
	plant_id: field(id, ...headers.plant),
	/** As filed: zeros and spaces count. */
	generator_id: field(generatorId, ...headers.generator),
	/** EIA's status code. Operable: OP, SB, OS, OA; proposed: P, L, T, U, V, TS, OT; retired or cancelled: RE, CN, IP. */
	status: field(code, "Status"),
	technology: field(stated, "Technology"),
	prime_mover: field(code, "Prime Mover", "primemover"),
	utility_id: field(id, "Utility ID", "utilcode"),
	utility_name: field(stated, ...headers.operator),
	plant_name: field(stated, "Plant Name", "plntname"),
	state: field(stateCode, "State"),
	county: field(stated, "County"),
	/** Nameplate, MW. */
	capacity_mw: field(megawatts, "Nameplate Capacity (MW)", "nameplate", "nameplate_capacity_mw"),
	summer_mw: field(megawatts, "Summer Capacity (MW)", "summer_capability", "summer_capacity_mw"),
	operating_year: field(yearOf, "Operating Year", "Current Year", "Effective Year"),
};
export type GeneratorRow = RecordOf<typeof generatorFields> & { stage: Stage };

export const ownerFields = {
	plant_id: field(id, ...headers.plant),
	generator_id: field(generatorId, ...headers.generator),
	owner_id: field(id, "Ownership ID", "owner_id", "ownership"),
	owner_name: field(stated, ...headers.owner),
	/** A fraction of 1, or in some old years of 100; stored as 0 to 1, null if the row states none. */
	fraction: field(number, ...headers.share),
	owner_street: field(stated, "Owner Street Address"),
	owner_city: field(stated, "Owner City"),
	owner_state: field(stateCode, "Owner State"),
	owner_zip: field(zip, "Owner Zip"),
	status: field(code, "Status"),
	plant_name: field(stated, "Plant Name"),
	state: field(stateCode, "State"),
	utility_id: field(id, "Utility ID", "utilcode"),
	utility_name: field(stated, ...headers.operator),
};
/** `position`: place among the rows of the generator, from 1. */
export type OwnerRow = RecordOf<typeof ownerFields> & { position: number };

/** Rows of one schedule, and an account of all: rowsIn = records + dropped. `notes` are about stored rows. */
export interface Rows<T> {
	rowsIn: number;
	records: T[];
	dropped: Dropped[];
	notes: Dropped[];
}

export const accountOf = <T>({ rowsIn, kept, dropped }: RowAccount<T>, notes?: RowNotes): Rows<T> => ({
	rowsIn,
	records: kept,
	dropped,
	notes: notes?.all ?? [],
});

export interface ScheduleFile extends Rows<object> {
	schedule: Schedule;
	year: number;
	/** Published in June, incomplete. */
	earlyRelease: boolean;
	/** The day the workbook was saved, `YYYY-MM-DD`. */
	publishedOn: string | null;
}

/** A file of the set without data for this service: documentation, or a schedule that is not used. */
export interface ReferenceFile extends Rows<never> {
	schedule: null;
	what: string;
	year: null;
	publishedOn: null;
}
