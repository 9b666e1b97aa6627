/** Parameters and metadata of responses that show a past day. */
import { z } from "zod";
import { count, day } from "../envelopes.ts";
import { invalid } from "../errors.ts";
import { isoDate, refuse } from "../params.ts";
import { dayFilters } from "../records/project.ts";
import { isScoreFilter, isScoreSort, scoreFilters } from "../vocabulary.ts";

export interface AsOf {
	as_of?: string | undefined;
}

/** The parameter of operations that can show a past day. */
export const asOf = {
	as_of: isoDate()
		.optional()
		.describe("State by each operator's newest list up to that day (UTC); `meta.coverage` has their days"),
};

/** Text in the description of `as_of` for operations that use `refusePastScores`. */
export const withoutScores = `Cannot be combined with ${scoreFilters.join(", ")} or a sort by scores; see /export/scores`;

/** Like `asOf`, for requests with filters by scores. */
export const asOfFacts = { as_of: asOf.as_of.describe(`${asOf.as_of.description}. ${withoutScores}`) };

/** @throws AppError 422 if the day is in the future (UTC) */
export function checkDay({ now }: { now: () => Date }, { as_of }: AsOf): void {
	const today = now().toISOString().slice(0, 10);
	if (as_of !== undefined && as_of > today)
		throw invalid([{ loc: ["query", "as_of"], msg: `is in the future: today is ${today} (UTC)` }]);
}

/** Refuses `as_of` combined with filters by scores or a sort by scores. */
export function refusePastScores(params: AsOf & { sort?: string | undefined }, context: z.RefinementCtx): void {
	if (params.as_of === undefined) return;
	const given = Object.entries(params).flatMap(([name, value]) => {
		if (name === "sort") return isScoreSort(String(value)) ? [name] : [];
		return value !== undefined && isScoreFilter(name) ? [name] : [];
	});
	for (const name of given)
		refuse(context, name, "cannot be combined with a past day: the scores of a day are in /export/scores?as_of=");
}

const dayParams: readonly string[] = [
	...["since", "until", "since_days", "updated_since"],
	...Object.keys(dayFilters).flatMap((name) => [`${name}_from`, `${name}_to`]),
];

/** Whether the request filters by days. If it does, an empty response can mean that no list covers those days. */
export const filtersByDay = (params: object): boolean =>
	Object.entries(params).some(([name, value]) => value !== undefined && dayParams.includes(name));

/** Fields of `meta` in responses with `as_of`. Responses with filters by day have only `coverage`. */
export const asOfMeta = {
	as_of: day().optional().describe("The requested day"),
	coverage: z
		.record(z.string(), day().nullable())
		.optional()
		.describe("With `as_of` or filters by day: day of each operator's newest list up to then (null: none)"),
	lists: z
		.record(z.string(), day())
		.optional()
		.describe("Day of each list; `coverage` has the later of an operator's two"),
	corrections: count().optional().describe("Lists up to that day that were retracted or loaded late"),
};

/** `meta` of responses that have no other fields in it. */
export const coverageMeta = z.strictObject(asOfMeta).optional().describe("With `as_of` or filters by day");
