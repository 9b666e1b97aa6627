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

/** The rows of a view that stood as a day ended. */
const ofDay = (database: Database, name: string, view: string, description: string): [string, Macro] => [
	name,
	{
		database,
		view,
		description,
		parameters: ["day"],
		example: `${name}('2026-06-30')`,
		sql: `create macro ${database}.${name}(day) as table
			select * from ${database}.${view}
			where valid_from < cast(day as date) + interval 1 day
				and (valid_to is null or valid_to >= cast(day as date) + interval 1 day)`,
	},
];

/** By name, in lower case. */
export const macros: ReadonlyMap<string, Macro> = new Map([
	ofDay(
		"master",
		"projects_as_of",
		"project_versions",
		"The requests as the lists showed them at the end of a day (UTC, year-month-day)",
	),
	ofDay(
		"scoring",
		"scores_as_of",
		"score_history",
		"The scores that stood published at the end of a day (UTC, year-month-day)",
	),
]);
