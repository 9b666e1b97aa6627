/** Table functions over the documented views. Each returns the rows that were current on a past day. */
import type { Database } from "#libs/contract/databases.ts";
import type { Reply } from "#libs/contract/index.ts";

export interface Macro extends Omit<Reply<"getQuerySchema">["macros"][number], "name"> {
	/** The statement that creates the macro. */
	sql: string;
}

/**
 * A condition that raises an error, once per call, if the day is not a date, is in the future or precedes the first known day, as in the API. The
 * error does not contain the day, because a statement may have computed it from data.
 */
const dayCheck = (database: Database, name: string, view: string, first: string) => `
	(select case
		when try_cast(day as date) is null
			or not (typeof(day) like 'TIMESTAMP%' or regexp_full_match(cast(day as varchar), '\\d{4}-\\d\\d-\\d\\d'))
			then error('${name}: the day must be a date, year-month-day')
		when cast(day as date) > cast(now() as date)
			then error('${name}: the day is in the future: today is ' || cast(now() as date) || ' (UTC)')
		when cast(day as date) < cast(earliest as date)
			then error('${name}: no data for that day: ${first} is dated ' || cast(earliest as date))
		else true end from (select min(valid_from) as earliest from ${database}.${view}))`;

/** Matches the errors that `dayCheck` raises, which are passed on to the caller. */
export const dayErrors =
	/^\w{1,30}_as_of: (the day must be a date, year-month-day|the day is in the future: today is [\d-]{10} \(UTC\)|no data for that day: the first (list|published score) is dated [\d-]{10})$/;

/** The end of the day. For an invalid day it is a distant date: if it were null, DuckDB would not evaluate `dayCheck`. */
const dayEnd = "coalesce(try_cast(day as date), date '9999-01-01') + interval 1 day";

/** A macro that returns the rows of a view that were current at the end of a day. `first` is the name of the view's first row in errors. */
const pastDayMacro = (
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
			where ${dayCheck(database, name, view, first)} and valid_from < ${dayEnd} and (valid_to is null or valid_to >= ${dayEnd})`,
	},
];

/** Macros by lower-case name. */
export const macros: ReadonlyMap<string, Macro> = new Map([
	pastDayMacro("master", "projects_as_of", "project_versions", {
		description:
			"The requests as the lists showed them at the end of a day (UTC, year-month-day); an error before the first list. An operator has no rows before its own first list",
		first: "the first list",
	}),
	pastDayMacro("scoring", "scores_as_of", "score_history", {
		description:
			"The scores that were published at the end of a day (UTC, year-month-day); an error before the first of them",
		first: "the first published score",
	}),
]);
