import { containing } from "#libs/contract/filters/meanings.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/replies/list.ts";
import { eiaCoverage, technologyCondition } from "./eia-technology.ts";

/** EIA's codes of the status of a generator, as the form's own layout explains them. */
const statusTexts = {
	OP: "Operating",
	SB: "Standby, available for service but not normally used",
	OS: "Out of service, not expected to return to service in the next year",
	OA: "Out of service, expected to return to service in the next year",
	P: "Planned, regulatory approvals not initiated",
	L: "Regulatory approvals pending, not under construction",
	T: "Regulatory approvals received, not under construction",
	U: "Under construction, at most half complete",
	V: "Under construction, more than half complete",
	TS: "Construction complete, not yet in commercial operation",
	OT: "Other",
	RE: "Retired",
	CN: "Cancelled",
	IP: "Postponed indefinitely, or no longer in a resource plan",
};

export function listGenerators(sql: Sql): Handler<"listGenerators"> {
	return async ({ sort, order, page, per_page, cursor, ...filters }) => {
		const year = filters.year === undefined ? newestYear(sql, filters) : sql`${filters.year}::int`;
		const requestedYear = sql`(select year from requested)`;
		const unique = { column: "generator_id" };
		return replyList(
			sql,
			{
				filters,
				tables: sql`requested as materialized (select ${year} as year),`,
				chosen: sql`listed_generators g where ${generatorCondition(sql, filters, requestedYear)}`,
				sort:
					sort === "plant_id"
						? [{ column: sort, order }, unique]
						: [{ column: sort, order, nullable: true }, { column: "plant_id" }, unique],
				columns: sql`g.*`,
				rows: sql`select page.plant_id, page.generator_id, plant_name, utility_id, utility_name, state, county, stage, status,
						(${JSON.stringify(statusTexts)}::text::jsonb) ->> status as status_text, technology, type_std, prime_mover,
						page.capacity_mw, summer_mw, page.operating_year,
						array(select o.schedule from generators o where o.plant_id = page.plant_id and o.generator_id = page.generator_id
							and o.year = page.year order by schedule_place(o.schedule)) as schedules,
						'eia860' as source, page.year,
						(select s.published_on from eia_schedules s where s.year = page.year and s.schedule = page.schedule) as as_of
					from page`,
				fields: { coverage: sql`select ${eiaCoverage(sql, requestedYear)}` },
			},
			{ page, per_page, cursor },
		);
	};
}

type Filters = Omit<Params<"listGenerators">, "sort" | "order" | "page" | "per_page" | "cursor">;

/**
 * The newest year that lists a matching generator, by the filters that do not depend on the year (a stage does, so past years are not
 * searched for it). The newest year of all if none matches.
 */
function newestYear(sql: Sql, { plant_id, technology }: Filters): Fragment {
	const plant = plant_id === undefined ? sql`true` : sql`n.plant_id = ${plant_id}`;
	const kind = technology === undefined ? sql`true` : technologyCondition(sql, "n", technology);
	return sql`coalesce((select max(n.year) from generators n where ${plant} and ${kind}), (select max(year) from generators))`;
}

function generatorCondition(sql: Sql, filters: Filters, year: Fragment): Fragment {
	const parts: Fragment[] = [sql`g.year = ${year}`];
	const when = <T>(value: T | undefined, part: (value: T) => Fragment) => {
		if (value !== undefined) parts.push(part(value));
	};
	when(filters.plant_id, (value) => sql`g.plant_id = ${value}`);
	when(filters.state, (value) => sql`g.state = ${value}`);
	when(filters.utility, (value) => sql`g.utility_name ilike ${containing(value)}`);
	when(filters.technology, (value) => technologyCondition<Fragment>(sql, "g", value));
	when(filters.stage, (value) => sql`g.stage = ${value}`);
	when(filters.status, (value) => sql`upper(g.status) = upper(${value})`);
	when(filters.operating_year_from, (value) => sql`g.operating_year >= ${value}`);
	when(filters.operating_year_to, (value) => sql`g.operating_year <= ${value}`);
	when(filters.capacity_min, (value) => sql`g.capacity_mw >= ${value}`);
	when(filters.capacity_max, (value) => sql`g.capacity_mw <= ${value}`);
	return parts.reduce((all, part) => sql`${all} and ${part}`);
}
