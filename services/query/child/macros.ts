/** Functions in FROM that are made of the documented views: a day of the past by name. */
import type { Database } from "#libs/contract/databases.ts";

export interface Macro {
	database: Database;
	/** The view that it reads. */
	view: string;
	description: string;
	parameters: string[];
	/** A call of it, to stand in FROM. */
	example: string;
	/** The statement that makes it. */
	sql: string;
}

/**
 * A day that is not a date, is in the future, or lies before the first that is known is an error, as it is for the other readers of the
 * past. Once a call. The error does not repeat the day, which a statement may have computed from data.
 */
const check = (database: Database, name: string, view: string, first: string) => `
	(select case
		when try_cast(day as date) is null
			or not (typeof(day) like 'TIMESTAMP%' or regexp_full_match(cast(day as varchar), '\\d{4}-\\d\\d-\\d\\d'))
			then error('${name}: the day must be a date, year-month-day')
		when cast(day as date) > cast(now() as date)
			then error('${name}: the day is in the future: today is ' || cast(now() as date) || ' (UTC)')
		when cast(day as date) < cast(earliest as date)
			then error('${name}: nothing is known of that day: ${first} is of ' || cast(earliest as date))
		else true end from (select min(valid_from) as earliest from ${database}.${view}))`;

/** All that these errors can say. */
export const dayErrors =
	/^\w{1,30}_as_of: (the day must be a date, year-month-day|the day is in the future: today is [\d-]{10} \(UTC\)|nothing is known of that day: the first (list|published score) is of [\d-]{10})$/;

/** Never null: a condition that is null would be decided without the check. */
const dayEnd = "coalesce(try_cast(day as date), date '9999-01-01') + interval 1 day";

/** The rows of a view that stood as a day ended. `first`: what its first row is of. */
const ofDay = (
	database: Database,
	name: string,
	view: string,
	{ description, first }: { description: string; first: string },
): [string, Macro] => [
	name,
	{
		database,
		view,
		description,
		parameters: ["day"],
		example: `${name}('2026-06-30')`,
		sql: `create macro ${database}.${name}(day) as table
			select * from ${database}.${view}
			where ${check(database, name, view, first)} and valid_from < ${dayEnd} and (valid_to is null or valid_to >= ${dayEnd})`,
	},
];

/** By name, in lower case. */
export const macros: ReadonlyMap<string, Macro> = new Map([
	ofDay("master", "projects_as_of", "project_versions", {
		description:
			"The requests as the lists showed them at the end of a day (UTC, year-month-day); an error before the first list. Of an operator whose lists begin later there are no rows",
		first: "the first list",
	}),
	ofDay("scoring", "scores_as_of", "score_history", {
		description:
			"The scores that stood published at the end of a day (UTC, year-month-day); an error before the first of them",
		first: "the first published score",
	}),
]);
