/** Rows of a workbook of the EIA's yearly form 860, with the column names of the tables. */
import type { RowNote } from "../../sources/row-account.ts";

/** Schedules 1, 2, 3 (all generators, then the parts of it by technology) and 4, in the order in which they are read. */
export const schedules = ["utility", "plant", "generator", "wind", "solar", "storage", "multifuel", "owner"] as const;
export type Schedule = (typeof schedules)[number];

/** Those that list generators; the first lists them all. */
export const generatorSchedules = ["generator", "wind", "solar", "storage", "multifuel"] as const;
type GeneratorSchedule = (typeof generatorSchedules)[number];

/** `retired`: retired, cancelled, or put off without a date. */
export type Stage = "operable" | "proposed" | "retired";

export interface UtilityRow {
	utility_id: number;
	name: string;
	street: string | null;
	city: string | null;
	state: string | null;
	zip: string | null;
	entity_type: string | null;
}

export interface PlantRow {
	plant_id: number;
	name: string | null;
	/** The operator. */
	utility_id: number | null;
	utility_name: string | null;
	street: string | null;
	city: string | null;
	state: string | null;
	zip: string | null;
	county: string | null;
	lat: number | null;
	lon: number | null;
	nerc_region: string | null;
	balancing_authority: string | null;
	sector: string | null;
	/** Transmission or distribution system owner at the plant. */
	grid_owner: string | null;
	grid_voltage_kv: number | null;
}

export interface GeneratorRow {
	plant_id: number;
	/** As filed: zeros and spaces count. */
	generator_id: string;
	stage: Stage;
	/** EIA's code: OP, SB, OS, OA; P, L, T, U, V, TS, OT; RE, CN, IP. */
	status: string | null;
	technology: string | null;
	prime_mover: string | null;
	utility_id: number | null;
	utility_name: string | null;
	plant_name: string | null;
	state: string | null;
	county: string | null;
	/** Nameplate, MW. */
	capacity_mw: number | null;
	summer_mw: number | null;
	operating_year: number | null;
}

export interface OwnerRow {
	plant_id: number;
	generator_id: string;
	/** Place among the rows of the generator, from 1. */
	position: number;
	/** EIA's utility id of the owner. */
	owner_id: number | null;
	owner_name: string;
	/** 0 to 1; null where the row states none. */
	fraction: number | null;
	owner_street: string | null;
	owner_city: string | null;
	owner_state: string | null;
	owner_zip: string | null;
	status: string | null;
	plant_name: string | null;
	state: string | null;
	/** The operator. */
	utility_id: number | null;
	utility_name: string | null;
}

/** Rows of one schedule, and an account of all: rowsIn = records + dropped. `notes` are said of rows that are stored. */
export interface Rows<T> {
	rowsIn: number;
	records: T[];
	dropped: RowNote[];
	notes: RowNote[];
}

interface Heading {
	year: number;
	/** Published in June, incomplete. */
	earlyRelease: boolean;
	/** The day the workbook was saved, `YYYY-MM-DD`. */
	publishedOn: string | null;
}

export type ScheduleFile = Heading &
	(
		| ({ schedule: "utility" } & Rows<UtilityRow>)
		| ({ schedule: "plant" } & Rows<PlantRow>)
		| ({ schedule: GeneratorSchedule } & Rows<GeneratorRow>)
		| ({ schedule: "owner" } & Rows<OwnerRow>)
	);

/** A file of the set that states no facts of ours: documentation, or a schedule that is not used. */
export interface ReferenceFile {
	schedule: null;
	what: string;
	rowsIn: number;
}
