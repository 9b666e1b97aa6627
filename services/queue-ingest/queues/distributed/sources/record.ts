/** One record of distributed generation, keyed by the columns of the table. */
import type { DgAreaType, DgKind, DgProgram, DgSector } from "#libs/contract/vocabulary.ts";

/** Quantities are in MW and MWh. A missing value is null. */
export interface DgRecord {
	/** The same in every edition for the same fact. */
	id: string;
	kind: DgKind;
	program: DgProgram | null;
	/** Two letters. */
	state: string | null;
	county: string | null;
	/** Five digits. */
	fips: string | null;
	area: string | null;
	area_type: DgAreaType | null;
	/** EIA's number. */
	utility_id: number | null;
	utility: string | null;
	balancing_authority: string | null;
	/** One of `technologies`; null for all technologies together. */
	technology: string | null;
	technology_filed: string | null;
	sector: DgSector | null;
	capacity_mw: number | null;
	/** How the source measures photovoltaic capacity. */
	capacity_basis: "AC" | "DC" | null;
	customers: number | null;
	facilities: number | null;
	generators: number | null;
	energy_sold_back_mwh: number | null;
	backup_mw: number | null;
	utility_owned_mw: number | null;
	/** Whether the record is a correction by the publisher rather than a report. */
	adjustment: boolean;
	/** False if other records of the source include the same installations. */
	in_totals: boolean;
	year: number | null;
}

export const blankRecord = {
	program: null,
	county: null,
	fips: null,
	area: null,
	area_type: null,
	utility_id: null,
	utility: null,
	balancing_authority: null,
	sector: null,
	capacity_mw: null,
	capacity_basis: null,
	customers: null,
	facilities: null,
	generators: null,
	energy_sold_back_mwh: null,
	backup_mw: null,
	utility_owned_mw: null,
	adjustment: false,
	in_totals: true,
} satisfies Partial<DgRecord>;
