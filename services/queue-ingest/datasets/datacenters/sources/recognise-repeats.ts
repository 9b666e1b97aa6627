/** Finds rows in the lists of data centers that are one facility. Set-based. */
import type { Transaction } from "#libs/postgres/connect.ts";

/**
 * Two rows are one facility if their names and their places agree: the same address, or coordinates within 1 km (25 km if one is only
 * located by city). The others refer to the row with the most exact place. A row located only by county matches no other row, because
 * a brand can have several facilities there.
 */
export async function recogniseRepeats(tx: Transaction): Promise<void> {
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
	// References can form chains; point each at the row that is shown.
	for (let round = 0; round < 5; round++) {
		const { count } = await tx`
			update datacenter_facilities f set same_as = b.same_as from datacenter_facilities b
			where b.id = f.same_as and b.same_as is not null`;
		if (count === 0) return;
	}
}
