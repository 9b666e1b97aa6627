/** Counts the facts from which developers are rated, as of a day, and selects headlines and filings about a bankruptcy or a search for money. */
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import type { DeveloperCounts } from "../domain/developers/counts.ts";
import type { Cohort } from "../domain/developers/distress.ts";
import { highCostPerKw, largestPlantMw } from "../domain/facts.ts";

const rules = {
	slipDays: 180,
	stuckMonths: 60,
	eventMonths: 24,
	matchConfidence: 0.7,
	raiseMonths: 36,
} as const;

/** Maximum headlines of each kind read for a developer, newest first: thousands may report one collapse. */
const maxHeadlines = 200;

/** The counts stored with a rating: those from which it is computed, and those only returned in replies. */
export interface RatedCounts extends DeveloperCounts {
	latestRaise: string | null;
	/** Changes of ownership on either side. They are not events of the distress score, because the news may report them too. */
	transfers: number;
	/** Headlines about its worldwide parent, by class, which are not events of the developer itself. */
	parent: Record<"financing" | "ma" | "distress" | "litigation", number>;
}

export interface CountedDeveloper {
	developer_id: number;
	canonical_name: string;
	tier: string;
	counts: Omit<RatedCounts, "bankruptcy" | "seeking" | "expectedWithdrawn">;
	cohorts: Cohort[];
	bankruptcyHeadlines: { domain: string; confidence: number }[];
	/** Current reports of the bankruptcy or receivership (item 1.03) of the developer, not of a subsidiary. */
	bankruptcyFilings: number;
	/** Headlines of the last 180 days that state that the developer seeks money or a buyer. */
	seekingHeadlines: string[];
	previous: { counts: RatedCounts; payload: { distress_level: string } & Record<string, unknown> } | null;
}

/** Counts the facts about these developers up to `today` (`YYYY-MM-DD`). */
export function countDevelopers(tx: Transaction, ids: readonly number[], today: string): Promise<CountedDeveloper[]> {
	const idCondition = tx`any(${[...ids]}::integer[])`;
	return tx<CountedDeveloper[]>`
		with requests as (${countRequests(tx, idCondition, today)}),
		cohorts as (${countCohorts(tx, idCondition)}),
		building as (${sumBuilding(tx, idCondition)}),
		news as (${countNews(tx, idCondition, today)}),
		reports as (${countFilings(tx, idCondition, today)}),
		raised as (${sumRaised(tx, idCondition, today)})
		select d.developer_id, d.canonical_name, d.tier,
			jsonb_build_object('active', coalesce(r.active, 0), 'operational', coalesce(r.operational, 0),
				'withdrawn', coalesce(r.withdrawn, 0), 'dated', coalesce(r.dated, 0), 'behind', coalesce(r.behind, 0), 'codSlipped', coalesce(r.slipped, 0),
				'stuck', coalesce(r.stuck, 0), 'withCost', coalesce(r.with_cost, 0), 'highCost', coalesce(r.high_cost, 0),
				'maxCostPerKw', r.max_cost, 'operationalMw', greatest(0, mw(r.operational_mw)), 'activeMw', greatest(0, mw(r.active_mw)),
				'capitalRaised', coalesce(c.raised, 0), 'capitalRaised36Months', coalesce(c.raised_lately, 0),
				'raiseCount', coalesce(c.offerings, 0), 'latestRaise', c.latest, 'raiseMonths', (${countRaiseMonths(tx, today)}),
				'events', coalesce(n.events, 0) + coalesce(f.events, 0), 'reports', coalesce(f.events, 0),
				'financing', coalesce(n.financing, 0) + coalesce(f.financing, 0),
				'ma', coalesce(n.ma, 0) + coalesce(f.ma, 0), 'transfers', (${countTransfers(tx, today)}),
				'distress', coalesce(n.distress, 0) + coalesce(f.distress, 0), 'litigation', coalesce(n.litigation, 0),
				'parent', coalesce(n.parent, '{"financing": 0, "ma": 0, "distress": 0, "litigation": 0}'),
				'lateAndConstruction', coalesce(b.building, '[]'),
				'creditValue', coalesce(r.credit_value, 0), 'creditProjects', coalesce(r.credit_projects, 0)) as counts,
			coalesce(h.cohorts, '[]') as cohorts,
			coalesce(n.bankruptcies, '[]') as "bankruptcyHeadlines", coalesce(f.bankruptcies, 0) as "bankruptcyFilings",
			coalesce(n.seeking, '{}') as "seekingHeadlines",
			(select jsonb_build_object('counts', s.counts, 'payload', s.payload) from developer_ratings s where s.developer_id = d.developer_id) as previous
		from developers d left join requests r using (developer_id) left join cohorts h using (developer_id)
			left join building b using (developer_id)
			left join news n using (developer_id) left join reports f using (developer_id) left join raised c using (developer_id)
		where d.developer_id = ${idCondition} order by d.developer_id`;
}

const countRequests = (tx: Transaction, ids: Fragment, today: string): Fragment => tx`
	select p.developer_id,
		count(*) filter (where status_std = 'Active') as active,
		count(*) filter (where status_std = 'Operational') as operational,
		count(*) filter (where status_std = 'Withdrawn') as withdrawn,
		count(*) filter (where status_std = 'Active' and cod is not null) as dated,
		count(*) filter (where status_std = 'Active' and cod < ${judgedOn(tx, today)}) as behind,
		count(*) filter (where status_std = 'Active' and cod_slip_days >= ${rules.slipDays}) as slipped,
		count(*) filter (where status_std = 'Active' and ia_date is null and study_phase is distinct from 'IA Executed'
			and construction_stage <> 'construction'
			and queue_date < ${judgedOn(tx, today)} - make_interval(months => ${rules.stuckMonths})) as stuck,
		count(i.cost_usd_per_kw) as with_cost,
		count(*) filter (where i.cost_usd_per_kw > ${highCostPerKw}) as high_cost,
		max(i.cost_usd_per_kw) as max_cost,
		sum(capacity_mw) filter (where status_std = 'Operational' and capacity_mw between 0 and ${largestPlantMw}) as operational_mw,
		sum(capacity_mw) filter (where status_std = 'Active' and capacity_mw between 0 and ${largestPlantMw}) as active_mw,
		round(sum(c.estimated_value) filter (where construction_stage in ('mid', 'late', 'construction'))) as credit_value,
		count(*) filter (where construction_stage in ('mid', 'late', 'construction') and c.effective_rate > 0) as credit_projects
	from projects p left join feeds f using (feed) left join credits c using (project_id)
		left join interconnection_costs i using (project_id)
	where p.developer_id = ${ids} and kind = 'generation'
		and ${isCounted(tx)} group by 1`;

/**
 * An active request counts if its operator's newest list contains it, it is not void, and it does not merely use existing rights. Requests
 * that were built or withdrawn always count.
 */
const isCounted = (
	tx: Transaction,
): Fragment => tx`(status_std <> 'Active' or listed = 'listed' and status_flag is distinct from 'void_window'
	and coalesce(request_class, 'new') in ('new', 'modification'))`;

/** Like `judgedOn` in `domain/score/inputs.ts`: the day of the list `f`, or today if that is earlier. */
const judgedOn = (tx: Transaction, today: string): Fragment =>
	tx`least(${today}::text::date, (f.as_of at time zone 'UTC')::date)`;

/**
 * Counts requests by cohort (operator and year): the developer's (`c`) and those of all developers (`all_c`); and by operator in all years: the
 * developer's (`o`) and all (`all_o`).
 */
const countCohorts = (tx: Transaction, ids: Fragment): Fragment => tx`
	select c.developer_id, jsonb_agg(jsonb_build_object('requests', c.requests,
		'peers', all_c.requests - c.requests, 'peersWithdrawn', all_c.withdrawn - c.withdrawn,
		'operatorPeers', all_o.requests - o.requests, 'operatorPeersWithdrawn', all_o.withdrawn - o.withdrawn)
		order by c.region, c.year) as cohorts
	from (${cohortCounts(tx, tx`developer_id, region, year`, tx`developer_id = ${ids}`)}) c
		join (${cohortCounts(tx, tx`developer_id, region`, tx`developer_id = ${ids}`)}) o using (developer_id, region)
		join (${cohortCounts(tx, tx`region, year`, tx`true`)}) all_c using (region, year)
		join (${cohortCounts(tx, tx`region`, tx`true`)}) all_o using (region)
	group by 1`;

const cohortCounts = (tx: Transaction, by: Fragment, condition: Fragment): Fragment => tx`
	select ${by}, count(*) as requests, count(*) filter (where status_std = 'Withdrawn') as withdrawn
	from (select *, coalesce(extract(year from queue_date), 0) as year from projects
		where ${condition} and kind = 'generation' and status_std in ('Active', 'Operational', 'Withdrawn') and ${isCounted(tx)}) p
	group by ${by}`;

const sumBuilding = (tx: Transaction, ids: Fragment): Fragment => tx`
	select developer_id, jsonb_agg(jsonb_build_object('technology', type_std, 'mw', total) order by type_std) as building
	from (
		select developer_id, type_std, mw(sum(coalesce(incremental_mw, capacity_mw))) as total from projects
		where developer_id = ${ids} and kind = 'generation' and construction_stage in ('late', 'construction')
			-- A plant that is connected or operates is already paid for.
			and coalesce(plant_state, 'unknown') not in ('energized', 'operating', 'partially_operating')
			and ${isCounted(tx)} and coalesce(incremental_mw, capacity_mw) > 0 and capacity_mw <= ${largestPlantMw}
		group by 1, 2) t group by 1`;

const isInWindow = (tx: Transaction, column: Fragment, today: string): Fragment =>
	tx`${column} >= ${today}::text::date - make_interval(months => ${rules.eventMonths})
		and ${column} < ${today}::text::date + 1`;

/** Counts headlines about the developer (`is_own`), and separately those about its worldwide parent. */
const countNews = (tx: Transaction, ids: Fragment, today: string): Fragment => tx`
	select developer_id, count(*) filter (where is_own) as events,
		count(*) filter (where is_own and event_type = 'financing') as financing,
		count(*) filter (where is_own and event_type = 'ma') as ma,
		count(*) filter (where is_own and event_type = 'distress') as distress,
		count(*) filter (where is_own and event_type = 'litigation') as litigation,
		jsonb_build_object('financing', count(*) filter (where not is_own and event_type = 'financing'),
			'ma', count(*) filter (where not is_own and event_type = 'ma'), 'distress', count(*) filter (where not is_own and event_type = 'distress'),
			'litigation', count(*) filter (where not is_own and event_type = 'litigation')) as parent,
		jsonb_path_query_array(jsonb_agg(jsonb_build_object('domain', domain, 'confidence', confidence)
			order by published_at desc, article_id) filter (where is_own and bankruptcy and event_type = 'distress'),
			${`$[0 to ${maxHeadlines - 1}]`}::text::jsonpath) as bankruptcies,
		(array_agg(title order by published_at desc, article_id) filter (where is_own and seeks_capital
			and published_at >= ${today}::text::date - 180 and event_type <> 'litigation'))[1:${maxHeadlines}] as seeking
	from (select *, subject = 'us_business' as is_own from article_developers join articles using (article_id)
		where developer_id = ${ids} and confidence >= ${rules.matchConfidence} and ${isInWindow(tx, tx`published_at`, today)}) n
	group by 1`;

const countFilings = (tx: Transaction, ids: Fragment, today: string): Fragment => tx`
	select developer_id, count(*) filter (where first_told) as events,
		count(*) filter (where first_told and event_type = 'financing') as financing,
		count(*) filter (where first_told and event_type = 'ma') as ma,
		count(*) filter (where first_told and event_type = 'distress') as distress,
		count(*) filter (where '1.03' = any(item_codes) and subsidiary_bankruptcy is not true) as bankruptcies
	from filings where developer_id = ${ids} and ${isInWindow(tx, tx`filing_date`, today)} group by 1`;

/** Sums the amounts sold (to the cent) by the newest filing of each offering. Filings without an amount are ignored. */
const sumRaised = (tx: Transaction, ids: Fragment, today: string): Fragment => tx`
	select developer_id, round(sum(total_amount_sold::numeric) filter (where is_latest and total_amount_sold > 0), 2) as raised,
		round(sum(total_amount_sold::numeric) filter (where is_latest and total_amount_sold > 0
			and filing_date >= ${today}::text::date - interval '36 months'), 2) as raised_lately,
		count(*) filter (where is_latest) as offerings, max(filing_date) as latest
	from raises where developer_id = ${ids} and filing_date < ${today}::text::date + 1 group by 1`;

/** Counts the months for which the filings of all issuers are loaded (`whole`). The current month never counts. */
const countRaiseMonths = (tx: Transaction, today: string): Fragment => tx`
	select count(*) from raise_months
	where whole and month < date_trunc('month', ${today}::text::date)
		and month >= date_trunc('month', ${today}::text::date) - make_interval(months => ${rules.raiseMonths})`;

const countTransfers = (tx: Transaction, today: string): Fragment => tx`
	select count(*) from transfers t
	where (t.seller_canonical = d.canonical_name or t.buyer_canonical = d.canonical_name) and not t.retracted
		and t.confidence <> 'low' and ${isInWindow(tx, tx`t.effective_on`, today)}`;
