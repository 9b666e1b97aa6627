/** Functions in FROM that are made of the documented views: a day of the past by name. */
import type { Database } from "#libs/contract/databases.ts";

export interface Macro {
	database: Database;
	/** The view that it reads. */
	view: string;
	/** The statement that makes it. */
	sql: string;
}

/** The rows of a view that stood as a day ended. */
const ofDay = (database: Database, name: string, view: string): [string, Macro] => [
	name,
	{
		database,
		view,
		sql: `create macro ${database}.${name}(day) as table
			select * from ${database}.${view}
			where valid_from < cast(day as date) + interval 1 day
				and (valid_to is null or valid_to >= cast(day as date) + interval 1 day)`,
	},
];

/** By name, in lower case. */
export const macros: ReadonlyMap<string, Macro> = new Map([
	ofDay("master", "projects_as_of", "project_versions"),
	ofDay("scoring", "scores_as_of", "score_history"),
]);
