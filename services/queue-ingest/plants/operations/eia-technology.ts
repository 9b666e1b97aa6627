/** Finds generators of form EIA-860 by technology: a value of the contract, or a part of the form's own text. */
import { containing } from "#libs/contract/filters/meanings.ts";
import type { Tag } from "#libs/contract/filters/project-condition.ts";
import { parseTechnology } from "#libs/contract/technology.ts";
import { technologies } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { generatorSchedules, schedules } from "../sources/schedule.ts";

const filedTechnologies = [
	...["All Other", "Batteries", "Coal Integrated Gasification Combined Cycle", "Conventional Hydroelectric"],
	...["Conventional Steam Coal", "Flywheels", "Geothermal", "Hydroelectric Pumped Storage", "Hydrokinetic"],
	...["Landfill Gas", "Municipal Solid Waste", "Natural Gas Fired Combined Cycle"],
	...["Natural Gas Fired Combustion Turbine", "Natural Gas Internal Combustion Engine", "Natural Gas Steam Turbine"],
	...["Natural Gas with Compressed Air Storage", "Nuclear", "Offshore Wind Turbine", "Onshore Wind Turbine"],
	...["Other Gases", "Other Natural Gas", "Other Waste Biomass", "Petroleum Coke", "Petroleum Liquids"],
	...["Solar Photovoltaic", "Solar Thermal with Energy Storage", "Solar Thermal without Energy Storage"],
	...["Wood/Wood Waste Biomass"],
].map((word) => word.toLowerCase());

/** A filter by one of these also matches the others, which the form distinguishes but callers do not. */
const impliedTechnologies: Record<string, string[]> = {
	Solar: ["Solar", "Solar + Storage"],
	Storage: ["Storage", "Other Storage"],
	Wind: ["Wind", "Offshore Wind"],
};

export function technologyCondition<F = Fragment>(sql: Tag<F>, alias: "g" | "n", requested: string): F {
	const standard = findStandardTechnology(requested);
	const [filed, mover] =
		alias === "g" ? [sql`g.technology`, sql`g.prime_mover`] : [sql`n.technology`, sql`n.prime_mover`];
	if (standard === undefined) return sql`${filed} ilike ${containing(requested)}`;
	const joinedTechnologies = (impliedTechnologies[standard] ?? [standard]).join(";");
	return sql`eia_type_std(${filed}, ${mover}) = any(string_to_array(${joinedTechnologies}, ';'))`;
}

function findStandardTechnology(requested: string): string | undefined {
	const lower = requested.toLowerCase();
	const standard = technologies.find((word) => word.toLowerCase() === lower);
	if (standard !== undefined) return standard;
	return isFiled(lower) ? undefined : parseTechnology(requested);
}

/** "energy storage" must not match solar stations with or without storage, nor "ct" the word "hydroelectric". */
function isFiled(lower: string): boolean {
	return (
		filedTechnologies.includes(lower) ||
		(lower.length > 2 &&
			filedTechnologies.some((word) => word.replace(/ with(out)? energy storage$/, "").includes(lower)))
	);
}

/** JSON array of the loaded years. The full list of generators contains those of the other schedules, which are then not missing. `shown`: the rows' year. */
export function eiaCoverage(sql: Sql, shown: Fragment): Fragment {
	return sql`
		(select coalesce(json_agg(json_build_object('year', year, 'shown', coalesce(year = ${shown}, false), 'loaded', loaded,
			'missing', array(select m.name from unnest(${[...schedules]}::text[]) with ordinality as m (name, place)
				where m.name <> all(loaded) and not ('generator' = any(loaded) and m.name = any(${[...generatorSchedules]}::text[]))
				order by m.place),
			'generators', case when 'generator' = any(loaded) then 'all'
				when loaded && ${[...generatorSchedules]}::text[] then 'partial' else 'none' end) order by year desc), '[]')
		from (select year, array_agg(schedule order by array_position(${[...schedules]}::text[], schedule)) as loaded
			from eia_schedules group by year) s)`;
}
