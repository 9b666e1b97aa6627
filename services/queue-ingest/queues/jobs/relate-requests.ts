/** Finds an operator's requests that belong to the same plant, and the request that represents each plant. */
import { waitingCondition } from "#libs/contract/filters/project-condition.ts";
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { insertRows } from "../../sources/insert-rows.ts";
import { findRelations, findRepresentedRequests, type Request } from "../related.ts";

/** Relates all requests of the region again. Requires the schema-wide write lock; the caller raises the data version. */
export async function relateRequests(tx: Transaction, region: string): Promise<void> {
	const requests = await tx<Request[]>`
		select id, nullif(name, poi) as name, poi, poi_id, state, county, lat, lon, developer, capacity_mw, type_std, status_std,
			queue_date::text, withdrawn_date::text, listed, construction_stage, ${waitingCondition<Fragment>(tx)} as is_active
		from projects p where region = ${region} and kind in ('generation', 'utility') order by id`;
	const relations = findRelations(requests);
	await tx`delete from request_relations r using projects p where p.id = r.project_id and p.region = ${region}`;
	await insertRows(
		tx,
		"request_relations",
		relations.map(({ id, ...relation }) => ({ project_id: id, ...relation })),
	);
	await tx`
		update projects p set represented_by = f.represented_by, is_repeat = f.is_repeat
		from (
			select o.id, r.represented_by, coalesce(r.is_repeat, false) as is_repeat
			from projects o left join json_to_recordset(${JSON.stringify(findRepresentedRequests(requests, relations))}::text::json)
				as r (id text, represented_by text, is_repeat boolean) using (id)
			where o.region = ${region}) f
		where f.id = p.id and (p.represented_by, p.is_repeat) is distinct from (f.represented_by, f.is_repeat)`;
}
