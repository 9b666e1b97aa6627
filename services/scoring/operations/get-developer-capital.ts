import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { jsonReply } from "#libs/postgres/reply.ts";
import { raisesOn, readRatingOn } from "../jobs/rating-on.ts";
import { loadReferences } from "../references.ts";
import type { Resources } from "../resources.ts";
import { checkDay } from "./check-day.ts";
import { capital, costs, countOf, distressSignal, eventCounts } from "./developer-ratings.ts";
import { readSettings } from "./read-score-on.ts";
import { readCoverage } from "./scores-on.ts";

/** Most filings that the profile shows, newest first. */
const mostRaises = 500;

export function getDeveloperCapital(resources: Resources): Handler<"getDeveloperCapital"> {
	const { sql } = resources;
	return async ({ developer_id: wanted, include_parent, as_of }) => {
		if (as_of !== undefined) checkDay(resources, as_of);
		const id = await resolveDeveloper(sql, wanted);
		const rating =
			id === undefined
				? undefined
				: as_of === undefined
					? ofNow(sql, id)
					: await ofThen(resources, id, as_of);
		const n = (name: string) => countOf(sql, name);
		const reply =
			rating === undefined
				? null
				: await jsonReply<Reply<"getDeveloperCapital">>(
						sql,
						sql`
			select row_to_json(t) from (
				select ${capital(sql)}, coalesce((select json_agg(json_build_object(
						'filing_date', f.filing_date, 'issuer_name', f.issuer_name, 'total_offering_amount', f.total_offering_amount,
						'total_amount_sold', f.total_amount_sold, 'is_amendment', f.is_amendment::int, 'match_method', f.match_method,
						'is_latest', f.is_latest)) from (
							select * from (${rating.raises}) every where developer_id = r.developer_id
							order by filing_date desc, accession_number limit ${mostRaises}) f), '[]') as raises,
					${n("behind")} as behind_schedule_projects, ${n("codSlipped")} as cod_slipped_projects,
					${n("stuck")} as stuck_in_queue_projects, ${costs(sql)},
					(select row_to_json(e) from (select ${eventCounts(sql, include_parent)}) e) as signal_events, ${distressSignal(sql)},
					r.needs_capital, r.needs_capital_reasons, r.tax_credit_activity ${rating.more}
				from ${rating.row} r) t`,
					);
		if (reply === null) throw notFound(`no developer ${wanted}`);
		return reply;
	};
}

interface Rating {
	/** A relation of one row with the columns of `shown_ratings`. */
	row: Fragment;
	raises: Fragment;
	/** Further columns of the answer, after a comma. */
	more: Fragment;
}

const ofNow = (sql: Sql, id: number): Rating => ({
	row: sql`(select * from shown_ratings where developer_id = ${id})`,
	raises: sql`select * from raises`,
	more: sql``,
});

async function ofThen(
	{ sql, notice_2025_42 }: Resources,
	id: number,
	as_of: string,
): Promise<Rating | undefined> {
	const { active } = await readSettings(sql);
	const basis = { references: await loadReferences(sql), notice_2025_42, version: active };
	const found = await readRatingOn(sql, id, as_of, basis);
	if (found === undefined) return undefined;
	const { counts, coverage, distress, payload, published, developer_id, canonical_name, tier } = found;
	const row = {
		...{ developer_id, canonical_name, tier, counts, coverage, distress_components: distress.components, ...payload },
		operational_mw: counts.operationalMw,
	};
	const isPublished =
		published?.distress_level === payload.distress_level && published.needs_capital === payload.needs_capital;
	const meta = { as_of, ...(await readCoverage(sql, as_of)) };
	return {
		row: sql`(
			select *, case when operational_mw > 0 then round((capital_raised / operational_mw)::numeric, 2)::float8 end as capital_per_operational_mw
			from jsonb_to_record(${JSON.stringify(row)}::text::jsonb) as e (developer_id integer, canonical_name text, tier text, counts jsonb,
				coverage jsonb, distress_components jsonb, distress_level text, distress_score integer, needs_capital boolean,
				needs_capital_reasons text[], tax_credit_activity text, capital_raised float8, operational_mw float8))`,
		raises: raisesOn(sql, as_of),
		more: sql`, ${isPublished ? "published" : "recomputed"}::text as basis, ${JSON.stringify(published)}::text::json as published,
			${JSON.stringify(meta)}::text::json as meta`,
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
