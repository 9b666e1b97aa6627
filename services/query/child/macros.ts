/** Functions in FROM that are made of the documented views: a day of the past by name. */
import type { Database } from "#libs/contract/databases.ts";

export interface Macro {
	database: Database;
	/** The view that it reads. */
	view: string;
	/** The statement that makes it. */
	sql: string;
}

/** By name, in lower case. */
export const macros: ReadonlyMap<string, Macro> = new Map([
	[
		"projects_as_of",
		{
			database: "master",
			view: "project_versions",
			sql: `create macro master.projects_as_of(day) as table
				select * from master.project_versions
				where valid_from < cast(day as date) + interval 1 day
					and (valid_to is null or valid_to >= cast(day as date) + interval 1 day)`,
		},
	],
	[
		"scores_as_of",
		{
			database: "scoring",
			view: "score_history",
			sql: `create macro scoring.scores_as_of(day) as table
				select * from scoring.score_history
				where valid_from < cast(day as date) + interval 1 day
					and (valid_to is null or valid_to >= cast(day as date) + interval 1 day)`,
		},
	],
]);
