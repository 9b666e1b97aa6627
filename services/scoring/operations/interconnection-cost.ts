/** What a request's interconnection costs: by its own study, else in the range of its neighbours'. */
import type { Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";

export type InterconnectionCost = Reply<"readScore">["interconnection_cost"];

type Own = Omit<NonNullable<InterconnectionCost>, "basis" | "neighbours">;
type Neighbours = NonNullable<NonNullable<InterconnectionCost>["neighbours"]>;

const unstudied: Own = {
	ic_cost_usd_per_kw: null,
	poi_usd_per_kw: null,
	network_usd_per_kw: null,
	study: null,
	studied_on: null,
	dollars_year: null,
	source: null,
};

/** Null where neither is known. */
export async function readInterconnectionCost(sql: Sql, projectId: string): Promise<InterconnectionCost> {
	const [own] = await sql<Own[]>`
		select cost_usd_per_kw as ic_cost_usd_per_kw, poi_usd_per_kw, network_usd_per_kw, study, as_of as studied_on, dollars_year, source
		from interconnection_costs where project_id = ${projectId}`;
	if (own !== undefined) return { basis: "own", ...own, neighbours: null };
	const neighbours = await nearest(sql, projectId);
	return neighbours === null ? null : { basis: "neighbours", ...unstudied, neighbours };
}

/** Of the neighbourhoods with enough costs the nearest: the point of interconnection, the transmission owner's, the operator's. */
async function nearest(sql: Sql, projectId: string): Promise<Neighbours | null> {
	const [range] = await sql<Neighbours[]>`
		select r.rule as chosen_by, r.place, r.type_std, round(r.p25::numeric, 2)::float8 as p25_usd_per_kw,
			round(r.median::numeric, 2)::float8 as median_usd_per_kw, round(r.p75::numeric, 2)::float8 as p75_usd_per_kw,
			r.n, r.studied_from, r.studied_to, r.dollars_year
		from projects p cross join lateral (
			select * from interconnection_cost_ranges n where n.region = p.region and (
				(n.rule = 'poi' and n.place_key = place_key(p.poi))
				or (n.type_std = p.type_std and (n.rule = 'region'
					or (n.rule = 'transmission_owner' and n.place_key = place_key(p.utility)))))) r
		where p.project_id = ${projectId} and p.kind = 'generation'
		order by array_position(array['poi', 'transmission_owner', 'region'], r.rule) limit 1`;
	return range ?? null;
}
