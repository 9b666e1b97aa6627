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

/** A day that is none, has not begun, or lies before all that is known is an error, as it is for the other readers of the past. Once a call. */
const check = (database: Database, name: string, view: string, first: string) => `
	(select case
		when try_cast(day as date) is null then error('${name}: the day must be a date, year-month-day')
		when cast(day as date) > cast(now() as date)
			then error('${name}: ' || cast(day as date) || ' is in the future: today is ' || cast(now() as date) || ' (UTC)')
		when cast(day as date) < cast(earliest as date)
			then error('${name}: nothing is known of ' || cast(day as date) || ': ${first} is of ' || cast(earliest as date))
		else true end from (select min(valid_from) as earliest from ${database}.${view}))`;

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
			where ${check(database, name, view, first)} and valid_from < cast(day as date) + interval 1 day
				and (valid_to is null or valid_to >= cast(day as date) + interval 1 day)`,
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
