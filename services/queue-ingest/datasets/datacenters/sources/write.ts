/** Puts an edition of a list of data centres in the place of the one before, and says which rows are one facility. Set-based. */
import type { DatacenterStatus, PlacePrecision } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import type { DatasetFile } from "../../../sources/dataset.ts";
import type { FacilityRow } from "./facility.ts";

export interface ProposalRow {
	id: string;
	name: string;
	/** "Data Center", "Site Advertisement", "Zoning Ordinance": what the tracker calls it. */
	proposal_type: string | null;
	status_std: DatacenterStatus | null;
	status: string | null;
	outcome_detail: string | null;
	capacity_mw: number | null;
	companies: string[];
	town: string | null;
	address: string | null;
	county: string | null;
	counties: string[];
	state: string;
	lat: number | null;
	lon: number | null;
	location_precision: PlacePrecision | null;
	size_acres: number | null;
	announced: string | null;
	opening_year: number | null;
	zoning_allowed: boolean | null;
	land_sold: boolean | null;
	own_generation: boolean | null;
	updated_on: string | null;
}

export async function writeFacilities(
	tx: Transaction,
	feed: string,
	file: DatasetFile<FacilityRow>,
	{ snapshotId }: { snapshotId: number },
): Promise<number> {
	await tx`delete from datacenter_facilities where source = ${feed} and edition = ${file.edition}`;
	const { count } = await tx`
		insert into datacenter_facilities (source, edition, snapshot_id, as_of, id, name, name_key, operator, status, status_filed,
			facility_type, address, address_key, city, county, state, lat, lon, location_precision, capacity_mw, energy_low_mwh_year,
			energy_high_mwh_year, market, year_opened)
		select ${feed}, ${file.edition}, ${snapshotId}, ${file.publishedOn}::text::date, t.*
		from jsonb_to_recordset(${JSON.stringify(file.rows)}::text::jsonb) as t (id text, name text, name_key text, operator text,
			status text, status_filed text, facility_type text, address text, address_key text, city text, county text, state text,
			lat float8, lon float8, location_precision text, capacity_mw float8, energy_low_mwh_year float8,
			energy_high_mwh_year float8, market text, year_opened integer)`;
	await tx`analyze datacenter_facilities`;
	await recogniseRepeats(tx);
	return count;
}

/**
 * Two rows are one facility where their names agree and so does their place: the same address, or coordinates within 1 km (25 km where
 * one is known by its city alone). The row that is placed best stays, and the others name it. A row that is known by its county alone
 * agrees with none: which of a brand's facilities it is, is unknown.
 */
async function recogniseRepeats(tx: Transaction): Promise<void> {
	await tx`
		with ranked as (
			select *, row_number() over (order by
				array_position(array['site', 'street', 'area', 'city', 'county'], location_precision) nulls last, id) as rank
			from datacenter_facilities where name_key is not null),
		agreeing as (
			select r.id, b.id as better, b.rank from ranked r join ranked b
				on b.state = r.state and b.name_key = r.name_key and b.rank < r.rank
			where b.address_key = r.address_key or distance_km(b.lat, b.lon, r.lat, r.lon)
				<= case when 'city' in (r.location_precision, b.location_precision) then 25 else 1 end),
		best as (select distinct on (id) id, better from agreeing order by id, rank)
		update datacenter_facilities f set same_as = n.better
		from datacenter_facilities g left join best n using (id)
		where g.id = f.id and f.same_as is distinct from n.better`;
	// The better row can itself be one of several: all name the one that is shown.
	for (let round = 0; round < 5; round++) {
		const { count } = await tx`
			update datacenter_facilities f set same_as = b.same_as from datacenter_facilities b
			where b.id = f.same_as and b.same_as is not null`;
		if (count === 0) return;
	}
}

export async function writeProposals(
	tx: Transaction,
	feed: string,
	file: DatasetFile<ProposalRow>,
	{ snapshotId }: { snapshotId: number },
): Promise<number> {
	await tx`delete from datacenter_proposals where source = ${feed} and edition = ${file.edition}`;
	const { count } = await tx`
		insert into datacenter_proposals (source, edition, snapshot_id, as_of, id, name, proposal_type, status_std, status,
			outcome_detail, capacity_mw, companies, town, address, county, counties, state, lat, lon, location_precision, size_acres,
			announced, opening_year, zoning_allowed, land_sold, own_generation, updated_on)
		select ${feed}, ${file.edition}, ${snapshotId}, ${file.publishedOn}::text::date, t.*
		from jsonb_to_recordset(${JSON.stringify(file.rows)}::text::jsonb) as t (id text, name text, proposal_type text,
			status_std text, status text, outcome_detail text, capacity_mw float8, companies text[], town text, address text,
			county text, counties text[], state text, lat float8, lon float8, location_precision text, size_acres float8,
			announced text, opening_year integer, zoning_allowed boolean, land_sold boolean, own_generation boolean, updated_on date)`;
	await tx`analyze datacenter_proposals`;
	return count;
}
