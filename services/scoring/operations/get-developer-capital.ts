import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { jsonReply } from "#libs/postgres/reply.ts";
import type { Resources } from "../resources.ts";
import { capital, costs, countOf, distressSignal, eventCounts } from "./developer-ratings.ts";

/** Most filings that the profile shows, newest first. */
const mostRaises = 500;

export function getDeveloperCapital({ sql }: Resources): Handler<"getDeveloperCapital"> {
	return async ({ developer_id: wanted, include_parent }) => {
		const id = await resolveDeveloper(sql, wanted);
		const n = (name: string) => countOf(sql, name);
		const reply =
			id === undefined
				? null
				: await jsonReply<Reply<"getDeveloperCapital">>(
						sql,
						sql`
			select row_to_json(t) from (
				select ${capital(sql)}, coalesce((select json_agg(json_build_object(
						'filing_date', f.filing_date, 'issuer_name', f.issuer_name, 'total_offering_amount', f.total_offering_amount,
						'total_amount_sold', f.total_amount_sold, 'is_amendment', f.is_amendment::int, 'match_method', f.match_method,
						'is_latest', f.is_latest)) from (
							select * from raises where developer_id = r.developer_id
							order by filing_date desc, accession_number limit ${mostRaises}) f), '[]') as raises,
					${n("behind")} as behind_schedule_projects, ${n("codSlipped")} as cod_slipped_projects,
					${n("stuck")} as stuck_in_queue_projects, ${costs(sql)},
					(select row_to_json(e) from (select ${eventCounts(sql, include_parent)}) e) as signal_events, ${distressSignal(sql)},
					r.needs_capital, r.needs_capital_reasons, r.tax_credit_activity
				from shown_ratings r where developer_id = ${id}) t`,
					);
		if (reply === null) throw notFound(`no developer ${wanted}`);
		return reply;
	};
}

/** The developer that a caller means by its number, its canonical name or a name that is its alone. */
async function resolveDeveloper(sql: Sql, wanted: string): Promise<number | undefined> {
	const number = /^\d{1,9}$/.test(wanted) ? Number(wanted) : null;
	const found = await sql<{ developer_id: number | null }[]>`
		select developer_id, 0 as rank from shown_ratings where developer_id = ${number}::integer
		union all
		select developer_id, 1 from shown_ratings where lower(canonical_name) = lower(${wanted})
		union all
		select min(developer_id), 2 from shown_ratings
			where exists (select from unnest(aliases) as alias where lower(alias) = lower(${wanted})) having count(*) = 1
		order by rank limit 1`;
	return found[0]?.developer_id ?? undefined;
}
