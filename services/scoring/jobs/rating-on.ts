/** A developer's rating as of a past day: by the rules of now, of what was known of its requests and dated until then. */
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import type { Basis } from "../domain/assess.ts";
import { cumulativeSlipDays } from "../domain/score/index.ts";
import { scoreOn } from "../domain/score-on.ts";
import { type Counted, countDevelopers } from "./count-developers.ts";
import { ratingOf } from "./rate-developers.ts";
import { heldOn, listedOn, readRequestsOn } from "./requests-on.ts";

export interface RatingOn
	extends ReturnType<typeof ratingOf>,
		Pick<Counted, "developer_id" | "canonical_name" | "tier"> {
	/** What stood published as the day ended; null where none is known. */
	published: { distress_level: string; needs_capital: boolean } | null;
}

/** Undefined for a developer that is not known. `version`: of the score, whose tax credits count. */
export async function readRatingOn(
	sql: Sql,
	id: number,
	day: string,
	{ version, ...basis }: Omit<Basis, "today"> & { version: number },
): Promise<RatingOn | undefined> {
	const owned = await sql<{ id: string }[]>`
		select v.project_id as id from project_states v where v.developer_id = ${id} and ${heldOn(sql, day)}`;
	const requests = await readRequestsOn(sql, [day], { ids: owned.map((row) => row.id) });
	const own = requests.map((request) => {
		const { project_id, cod, cod_changes } = request.facts;
		const { estimated_value, effective_rate } = request.open ? scoreOn(request, version, basis).credit : closed;
		const cod_slip_days = cod_changes.length === 0 ? null : cumulativeSlipDays(cod_changes, cod);
		return { project_id, cod_slip_days, estimated_value, effective_rate };
	});
	const copies = copiesAt(sql, day, JSON.stringify(own));
	const [counted] = await countDevelopers(sql as unknown as Transaction, [id], day, copies);
	if (counted === undefined) return undefined;
	const [published = null] = await sql<NonNullable<RatingOn["published"]>[]>`
		select distress_level, needs_capital from developer_rating_versions where developer_id = ${id}
			and rated_at < (${day}::text::date + 1)::timestamptz and rated_until >= (${day}::text::date + 1)::timestamptz`;
	return { ...counted, ...ratingOf(counted), published };
}

const closed = { estimated_value: null, effective_rate: null };

/** In the place of the tables that `countDevelopers` reads; names and tiers of developers are those of now. */
const copiesAt = (sql: Sql, day: string, own: string): Fragment => sql`
	own as materialized (
		select * from json_to_recordset(${own}::text::json) as e (project_id text, cod_slip_days integer, estimated_value float8, effective_rate float8)),
	projects as materialized (
		select v.project_id, v.feed, v.developer_id, v.region, v.kind, v.status_std, v.listed, v.construction_stage, v.study_phase, v.ia_date,
			v.queue_date, v.cod, v.capacity_mw, v.type_std, own.cod_slip_days
		from project_states v left join own using (project_id) where ${heldOn(sql, day)}),
	credits as (select project_id, estimated_value, effective_rate from own where effective_rate is not null),
	feeds as (
		select l.feed, max(l.day)::timestamp at time zone 'UTC' as as_of from lists l where ${listedOn(sql, day)} group by l.feed),
	interconnection_costs as (
		select i.* from interconnection_costs i where coalesce(i.as_of <= ${day}::text::date, exists (
			select from reference_files c where c.sha256 = i.sha256 and c.source = 'ic-costs'
				and c.loaded_at < (${day}::text::date + 1)::timestamptz))),
	raises as (${raisesOn(sql, day)}),`;

/** Filings of the day or before; of an offering the newest of them counts, which one of later days has replaced since. */
export const raisesOn = (sql: Sql, day: string): Fragment => sql`
	select r.accession_number, r.filing_date, r.issuer_name, r.is_amendment, r.total_offering_amount, r.total_amount_sold, r.developer_id,
		r.match_method, case when r.chain is null then r.is_latest else row_number() over (
			partition by r.chain order by r.is_latest desc, r.filing_date desc, r.accession_number desc) = 1 end as is_latest
	from raises r where r.filing_date <= ${day}::text::date`;
