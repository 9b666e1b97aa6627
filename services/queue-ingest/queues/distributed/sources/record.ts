/** One record of distributed generation, keyed by the columns of the table. */
import type { Reply } from "#libs/contract/index.ts";

/** A record as callers see it, without what its file states of all records and what only installations have. Absent is null. */
export type DgRecord = Omit<
	Reply<"listDg">["data"][number],
	| ("source" | "edition" | "published_on")
	| ("city" | "zone" | "name" | "developer" | "capacity_kw" | "storage_mwh" | "in_service_on")
>;

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
