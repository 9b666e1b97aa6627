/** The lists of scored requests as of a past day: the same filters, order and pages as those of the present, over the rows of then. */
import type { Reply, Versioned } from "#libs/contract/index.ts";
import { onlyFields } from "#libs/contract/only-fields.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { type PageRequest, readPage, type SortColumn } from "#libs/postgres/list.ts";
import { isInSample } from "../domain/score-on.ts";
import type { Resources } from "../resources.ts";
import { checkDay } from "./check-day.ts";
import { type ScoredOn, type ScoresOn, scoresOn } from "./scores-on.ts";

type Lists = "listInvestable" | "listItcDeals";
type Meta = Reply<"listInvestable">["meta"];
/** What the row of a list says of the request itself. */
type Facts = Pick<
	Reply<"listInvestable">["data"][number],
	| "id"
	| "queue_id"
	| "name"
	| "region"
	| "state"
	| "county"
	| "developer"
	| "developer_canonical"
	| "developer_tier"
	| "type_std"
	| "capacity_mw"
	| "cod"
	| "construction_stage"
>;

type Listed = ReturnType<typeof listedRow>;

interface ListOn<N extends Lists> {
	day: string;
	/** What a cursor is bound to. */
	filters: object;
	/** Which of the day's scores may be in the list. */
	candidate: (scored: ScoredOn) => boolean;
	/** On a relation `p` with the columns of the views `scored_requests` and `credited_requests`. */
	condition: Fragment;
	sort: readonly SortColumn[];
	/** A row of this list, of what all lists of scored requests show and what it was scored by. */
	rowOf(row: Listed, scored: ScoredOn, version: number): Reply<N>["data"][number];
}

/** @throws AppError 422 for a day in the future, 503 while it is being computed */
export async function replyOn<N extends Lists>(
	resources: Resources,
	list: ListOn<N>,
	{ fields, ...request }: PageRequest,
): Promise<Versioned<Reply<N>>> {
	const { sql } = resources;
	checkDay(resources, list.day);
	const scores = await scoresOn(resources, list.day);
	const { rows, meta, dataVersion } = await readPage(
		sql,
		{
			filters: list.filters,
			tables: sql`of_day as materialized (select * from json_to_recordset(${candidates(scores, list.candidate)}::text::json) as e (
				project_id text, entry bigint, score integer, investable boolean, eligible boolean, needs_capital boolean, credit_type text,
				credit_status text, effective_rate float8, estimated_value float8, energy_community_eligible boolean,
				low_income_eligible boolean)),`,
			chosen: sql`(${requestsOn(sql)}) p where ${list.condition}`,
			sort: list.sort,
			rows: sql`select v.project_id as id, v.queue_id, v.name, v.region, v.state, v.county, v.developer, v.developer_canonical,
					v.developer_tier, v.type_std, v.capacity_mw, v.cod, v.construction_stage
				from page join of_day using (project_id) join project_states v using (project_id, entry)`,
		},
		request,
	);
	const found = JSON.parse(`[${rows}]`) as Facts[];
	const data = found.flatMap((facts) => {
		const scored = scores.rows.get(facts.id);
		return scored === undefined ? [] : [list.rowOf(listedRow(facts, scored), scored, scores.score_version)];
	});
	const { rows: _, day: as_of, ...about } = scores;
	const whole: Meta = { ...meta, as_of, ...about, in_sample: isInSample(about.score_version, as_of) };
	return { json: JSON.stringify({ data: data.map((row) => onlyFields(row, fields)), meta: whole }), dataVersion };
}

const candidates = ({ rows }: ScoresOn, isWanted: (scored: ScoredOn) => boolean): string =>
	JSON.stringify(
		[...rows].flatMap(([project_id, scored]) => {
			const { entry, score, investable, eligible, needs_capital, credit } = scored;
			const { credit_type, status, effective_rate, estimated_value, energy_community_eligible, low_income_eligible } =
				credit;
			const ofCredit = { credit_type, credit_status: status, effective_rate, estimated_value };
			const bonuses = { energy_community_eligible, low_income_eligible };
			return isWanted(scored)
				? [{ project_id, entry, score, investable, eligible, needs_capital, ...ofCredit, ...bonuses }]
				: [];
		}),
	);

const requestsOn = (sql: Sql): Fragment => sql`
	select e.*, e.project_id as id, e.score as investability_score, e.effective_rate as tax_credit_pct,
		v.capacity_mw as project_capacity_mw, v.region, v.state, v.type_std, v.capacity_mw, v.queue_id, v.name, v.counties, v.fips,
		v.developer, v.developer_id, v.developer_canonical, v.developer_tier, v.status, v.status_std, v.poi, v.queue_date,
		v.last_changed_at, v.lat, v.lon, v.construction_stage, v.construction_stage_confidence, v.study_phase, v.study_phase_filed,
		v.ia_status, v.ia_status_filed
	from of_day e join project_states v using (project_id, entry)`;

const listedRow = (facts: Facts, { credit, score, grade, p_built, basis }: ScoredOn) => ({
	...facts,
	tax_credit_type: credit.credit_type,
	tax_credit_status: credit.status,
	effective_credit_rate: credit.effective_rate,
	estimated_credit_value: credit.estimated_value,
	investability_score: score,
	grade,
	p_built,
	basis,
});
