import type { Handler, Params, Reply } from "#libs/contract/index.ts";
import { confidences } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { containing } from "#libs/postgres/containing.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { allOf, pageMeta } from "./filters.ts";

export function listMaEvents(sql: Sql): Handler<"listMaEvents"> {
	return async ({ page, per_page, ...filters }) => {
		const condition = maCondition(sql, filters);
		return oneJsonReply<Reply<"listMaEvents">>(
			sql,
			sql`
			select json_build_object(
				'data', coalesce((select json_agg(row_to_json(t)) from (
					select event_type, asset_class, effective_on as effective_date, plant_id as plant_id_eia, generator_id, queue_id, region,
						asset_name, capacity_mw, technology, state, seller, seller_canonical, buyer, buyer_canonical, fraction_owned,
						source, confidence, reason
					from ma_events where ${condition}
					order by effective_on desc, id desc limit ${per_page} offset ${(page - 1) * per_page}) t), '[]'),
				'meta', ${pageMeta(sql, sql`select count(*) from ma_events where ${condition}`, page, per_page)})`,
		);
	};
}

type Filters = Omit<Params<"listMaEvents">, "page" | "per_page">;

function maCondition(sql: Sql, filters: Filters): Fragment {
	const parts: Fragment[] = [sql`not retracted`];
	if (filters.event_type !== undefined) parts.push(sql`event_type = ${filters.event_type}`);
	if (filters.developer !== undefined)
		parts.push(sql`lower(${filters.developer}) in (lower(seller_canonical), lower(buyer_canonical))`);
	if (filters.region !== undefined) parts.push(sql`region = ${filters.region}`);
	if (filters.technology !== undefined) parts.push(sql`technology ilike ${containing(filters.technology)}`);
	if (filters.min_confidence !== undefined) {
		// From the highest down.
		const enough = confidences.slice(0, confidences.indexOf(filters.min_confidence) + 1);
		parts.push(sql`confidence = any(${enough}::text[])`);
	}
	if (filters.matched_only) parts.push(sql`coalesce(seller_canonical, buyer_canonical) is not null`);
	if (filters.since !== undefined) parts.push(sql`effective_on >= ${filters.since}::text::date`);
	return allOf(sql, parts);
}
