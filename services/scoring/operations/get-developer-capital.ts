import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { jsonReply } from "#libs/postgres/reply.ts";
import { costs, countOf, distressSignal, eventCounts, listed, standing } from "./standings.ts";

/** Most filings that the profile shows, newest first. */
const mostRaises = 500;

export function getDeveloperCapital(sql: Sql): Handler<"getDeveloperCapital"> {
	return async ({ developer_id: wanted }) => {
		const id = await resolveDeveloper(sql, wanted);
		const n = (name: string) => countOf(sql, name);
		const reply =
			id === undefined
				? null
				: await jsonReply<Reply<"getDeveloperCapital">>(
						sql,
						sql`
			select row_to_json(t) from (
				select ${standing(sql)}, coalesce((select json_agg(json_build_object(
						'filing_date', r.filing_date, 'issuer_name', r.issuer_name, 'total_offering_amount', r.total_offering_amount,
						'total_amount_sold', r.total_amount_sold, 'is_amendment', r.is_amendment::int, 'match_method', r.match_method,
						'is_latest', r.is_latest)) from (
							select * from raises where developer_id = d.developer_id
							order by filing_date desc, accession_number limit ${mostRaises}) r), '[]') as raises,
					${n("behind")} as behind_schedule_projects, ${n("codSlipped")} as cod_slipped_projects,
					${n("stuck")} as stuck_in_queue_projects, ${costs(sql)},
					(select row_to_json(e) from (select ${eventCounts(sql)}) e) as signal_events, ${distressSignal(sql)},
					s.needs_capital, s.needs_capital_reasons, s.tax_credit_activity
				from standings s join developers d using (developer_id) where d.developer_id = ${id}) t`,
					);
		if (reply === null) throw notFound(`no developer ${wanted}`);
		return reply;
	};
}

/** The developer that a caller means by its number, its canonical name or a name that is its alone. */
async function resolveDeveloper(sql: Sql, wanted: string): Promise<number | undefined> {
	const number = /^\d{1,9}$/.test(wanted) ? Number(wanted) : null;
	const known = sql`from developers d join standings s using (developer_id) where ${listed(sql)}`;
	const found = await sql<{ developer_id: number | null }[]>`
		select d.developer_id, 0 as rank ${known} and d.developer_id = ${number}::integer
		union all
		select d.developer_id, 1 ${known} and lower(d.canonical_name) = lower(${wanted})
		union all
		select min(d.developer_id), 2 ${known}
			and exists (select from unnest(d.aliases) as alias where lower(alias) = lower(${wanted})) having count(*) = 1
		order by rank limit 1`;
	return found[0]?.developer_id ?? undefined;
}
