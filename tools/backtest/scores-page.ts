/** docs/scores.md: what p_built means, how it held, and how to compute one by hand. Pure. */
import type { Reply } from "../../libs/contract/index.ts";
import { fittedPeriods, pooledWeight } from "../../libs/contract/vocabulary.ts";
import { leastRequests } from "../../services/scoring/domain/score/outcomes.ts";
import type { Bin } from "./statistics.ts";

type Published = Reply<"getScoreBacktest">;

const figure = (value: number | null): string => (value === null ? "-" : value.toFixed(3));

function rows(head: readonly string[], lines: readonly (readonly string[])[]): string {
	return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The aims that were set before the figures were seen. */
const aims = { all: 0.78, within: 0.7, error: 0.05 };
const verdict = (isMet: boolean): string => (isMet ? "met" : "not met");

export const scoresPage = (published: Published): string => `# How the score of version ${published.score_version} held

This page, the pictures beside it, \`/scores/backtest\` and the table that the score reads are written by \`npm run backtest -- --write\`; \`npm run backtest\` says whether they still are what it finds.

## What p_built says

${published.definition}.

- **built**: the later list shows it in operation. **advancing**: under construction, or with an executed agreement and a projected date that has not passed by the later list, and not suspended. **waiting**: still in the list, and neither. **lost**: withdrawn, or no longer in the list.
- The day is that of the operator's list, as with everything that is judged by dates. A date that an operator does not state does not count against a request.
- A request is counted with those that have come as far (eight stages) and whose projected date lies as far ahead (past, under 1 year, 1 to 2, 2 to 3, over 3, none). Its chance is what became of those in its operator's recent lists: pairs of lists a year apart (10 to 18 months), at most three, one before the other; where an operator has none yet, one pair of lists that lie 4 to 10 months apart.
- Few counts are drawn towards the rate of all operators, which weighs as much as ${pooledWeight} requests; from ${leastRequests.ofCell} requests of the operator on the answer says \`basis: operator\`, below it, and where an operator has fewer than ${leastRequests.ofOperator} in all (NYISO), \`pooled\`. The rate of all operators counts no operator for more than 30 requests of a kind.
- The interval takes the requests of one kind and year for at most twenty independent ones, because they fall together.

\`investability_score\` is the weighted sum of five components: 0.70 milestone_progress (p_built in points), 0.05 iso_posture (50, more or less by how the operator's requests fare beside such requests in all regions), 0.10 tax_credit_value, 0.10 deal_cleanliness, 0.05 developer_tier.
A request with a credit of 30 %, of an unknown developer, without deductions, has 65 where p_built is 0.64, in every region.

## How it was judged

On each day below the table was fitted on what was known by then, and its chances were compared with what had become of the requests a year later. ERCOT's reports are judged each quarter from 2020 on.

${rows(
	["aim", "figure", ""],
	[
		...aimsOf(published),
		[
			"observed never falls from one tenth of all requests to the next",
			published.overall.monotone ? "yes" : "no",
			verdict(published.overall.monotone),
		],
	],
)}

Areas are of the days since July 2024 and of operators with a record of their own by then, and so are the errors by operator: the days before an operator had one (\`pooled\` below) are not in them. Over all days the area is in the row "all". *Kept* (built or still in the queue, as versions 1 and 2 were judged) is a weaker outcome, which clusters decide that fall together: for it the aims of ${aims.all} and ${aims.within} are not reached.

${rows(
	["outcome", "ordered by", "all pairs", "pairs of one region and day"],
	published.areas.map(({ outcome, by, all_pairs, pairs_of_one_region }) => [
		outcome === "reached" ? "built or advancing" : "kept",
		by,
		figure(all_pairs),
		figure(pairs_of_one_region),
	]),
)}

### By operator

${rows(
	["operator", "requests", "stated", "came", "calibration error", "area", "monotone"],
	[...published.operators, { region: "all", ...published.overall }].map((each) => [
		each.region,
		String(each.requests),
		figure(each.predicted),
		figure(each.observed),
		figure(each.calibration_error),
		figure(each.area),
		each.monotone ? "yes" : "no",
	]),
)}

Of kinds of 100 requests and more ${figure(published.overall.interval_coverage)} came to lie within the interval that was stated.

### Where 65 stands

Requests that scored 65 or more on those days:

${rows(
	["operator", "requests", "stated", "came"],
	published.at_65.map(({ region, requests, predicted, observed }) => [
		region,
		String(requests),
		figure(predicted),
		figure(observed),
	]),
)}

### Day by day

${rows(
	["operator", "list of", "judged by list of", "basis", "requests", "stated", "came", "calibration error", "area"],
	published.origins.map((each) => [
		each.region,
		each.from,
		each.to,
		each.basis,
		String(each.requests),
		figure(each.predicted),
		figure(each.observed),
		figure(each.calibration_error),
		figure(each.area),
	]),
)}

## What limits it

- **SPP**: between its lists of January 2025 and June 2026 a quarter of the requests in their impact study came to have an agreement. The one pair of lists that was known by then, half a year apart, shows next to none.
- **CAISO**: 754 requests in ten groups; chance alone makes about 0.04 of such an error. Its chances of January 2025 rest on half a year.
- PJM, SPP and ISO-NE of January 2025 rest on a pair of lists half a year apart, in which little changes: what had an agreement was stated too high (0.83 to 0.88 where 0.70 to 0.74 came). The table that is served rests on a whole year.
- **NYISO** has no two lists a year apart at hand: its chances are those of all operators, and nothing judges them.
- MISO seldom moves a projected date that comes near: of its requests with an agreement and a date within a year one in eleven was on course a year later. What is stated of them is low for that reason.
- Tried, and left out because it showed nothing more on days that it had not seen: the milestones one by one instead of in eight stages, age in the queue, slip of the projected date, size, technology; one year or two of lists instead of three; weights of 5 to 100 requests for the pool. Boosted trees and a hazard regression on the same days ordered *kept* worse (0.57 to 0.64 over all pairs) than the stage alone (0.62).
- Within single operators the observed part falls somewhere from one group to the next (\`monotone: no\`): ten groups of one operator are few requests each.
- SPP's list is of active requests, as ERCOT's is: a request that left it is counted as lost here, also where it was built (of ERCOT's the update sheets say which).
- "Advancing" is no promise to build: most of what is counted so has an agreement and a date ahead.

## Tables

${[...published.operators, { region: "all", groups: published.overall.groups }].map(({ region, groups }) => groupsOf(region, groups)).join("\n\n")}

## As of a past day

\`GET /score/{project_id}?as_of=2026-03-15\` is the score that stood published when that day ended (UTC), under that day's version; nothing is computed anew. \`/projects?as_of=\` and its files have the same numbers (\`score_basis\`, \`score_version\`), \`/export/scores?as_of=\` is the file of the day, and \`/score/{project_id}/history\` has each published score with the inputs that moved it.

- A request without a published score on the day has none: it was closed, not scored yet, or its lists were loaded later (\`score_basis: unpublished\`).
- \`in_sample: true\`: the version was fitted on lists of that day or later, so that it has seen what became of such requests: up to ${fittedPeriods[published.score_version]?.to} for version ${published.score_version}. A figure of how well it orders them must not rest on such days; the table above, fitted for each of its days on the lists up to that day, is what to go by.

The backtest loads the operators' lists into a queue-ingest as the product does, reads the requests of each day as \`as_of\` shows them, and fits the table anew for each day with the lists up to it. So facts are those that the product scores by: of a request that ERCOT lists as inactive, whose sheet says little, its dates and studies are those of the report before.

## To compute one again

\`GET /score/{project_id}\` answers \`p_built\` with its kind, the operator's counts and the pooled rate: with the operator's \`built + advancing\` of \`requests\`,

    value = (built + advancing + ${pooledWeight} * pooled.value) / (requests + ${pooledWeight})

Where that would give a later stage of study less than an earlier one with a date as far ahead, the two are taken together.
The counts are the rows of \`services/scoring/domain/score/versions/3.outcomes.csv\` (region, stage, date). They are counted from these pairs of lists:

${rows(
	["operator", "list of", "judged by list of", "requests"],
	published.fitted.map(({ region, from, to, requests }) => [region, from, to, String(requests)]),
)}
`;

function aimsOf({ areas, operators }: Published): string[][] {
	const ofChance = areas.find(({ outcome, by }) => outcome === "reached" && by === "p_built");
	const [all, within] = [ofChance?.all_pairs ?? null, ofChance?.pairs_of_one_region ?? null];
	return [
		[`area over all pairs at least ${aims.all}`, figure(all), verdict((all ?? 0) >= aims.all)],
		[`area over pairs of one region at least ${aims.within}`, figure(within), verdict((within ?? 0) >= aims.within)],
		...operators
			.filter(({ requests }) => requests >= leastRequests.ofOperator)
			.map(({ region, calibration_error: error }) => [
				`calibration error of ${region} at most ${aims.error}`,
				figure(error),
				verdict((error ?? 1) <= aims.error),
			]),
	];
}

const groupsOf = (region: string, groups: readonly Bin[]): string => `### ${region}

![${region}: chance as stated against share as it came](scores/${region.toLowerCase()}.svg)

${rows(
	["requests", "stated", "came"],
	groups.map(({ n, predicted, observed }) => [String(n), figure(predicted), figure(observed)]),
)}`;
