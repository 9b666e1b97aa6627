/** The page docs/scores.md, from what the backtest found. Pure. */
import type { Reply } from "../../libs/contract/index.ts";
import { builtShare, type ChanceStage } from "../../services/scoring/domain/score/chance.ts";
import { executedAgreements } from "../../services/scoring/domain/score/investable.ts";
import { decimals, percent, table } from "./report.ts";

type Published = Reply<"getScoreBacktest">;
type Group = Published["overall"];

const stageWords: Readonly<Record<ChanceStage, string>> = {
	early: "before its impact study",
	study: "in its impact study",
	last_study: "full study done, no agreement",
	negotiated: "negotiating its agreement",
	agreement_unsecured: "agreement, no security",
	agreement: "agreement",
	agreement_secured: "agreement and security",
	construction: "under construction",
	energized: "energized",
};

export function scoresPage(found: Published): string {
	const { operators, overall, late_energized: late, origins, left_out, reported } = found;
	return `# Chances of operation, and the score

This page, its picture, \`/scores/backtest\` and the coefficients that the score reads are written by \`npm run backtest -- --write\`; \`npm run backtest\` says whether they still are what it finds.

## What a chance says

\`p_cod_24\` and \`p_cod_36\`: of requests like this one that were active on the day of their list, the share whose first part operates commercially within 24 and 36 months, by the operator or else by the EIA. A withdrawal is a failure, and so is a request that its operator's later lists no longer show. \`p_energized_24\` and \`p_energized_36\` say the same of energization; only ERCOT files it.

Each has a 95 % interval and \`n\`: how many past requests of the operator at the same stage were followed for a year or longer, each counted once. Requests of one stage and year fall together, so that the interval takes them for about twenty independent ones at most. A suspended request has no chance (\`p_reason: suspended\`), nor has one of an operator with fewer than 200 past requests, or 10 that had come as far (\`too_few_outcomes\`).

If a request has an agreement and the EIA's newest monthly list has its plant under construction (\`plant_report\`), two chances are combined as if independent:

- the model's chance;
- the share of such units that came to operate: of 584 units of 5 MW and more that were under construction in the EIA's list of November 2024, ${builtShare(15)} had left the list of planned units 15 months later and ${builtShare(21)} 21 months later, without being cancelled.

The table shows the outcomes of requests whose plant, linked by name, was under construction on their operator's next list, and their chances by a model fitted on earlier lists. Hardly any without an agreement came to operate, so the report does not count for them. The other tables evaluate the model without the report.

${table(
	["operator", "agreement", "list of", "months", "requests", "stated without the report", "with it", "came"],
	reported.map(({ region, agreed, from, months, requests, came, predicted, predicted_reported }) => [
		...[region, yes(agreed), from, String(months), String(requests)],
		...[predicted, agreed ? predicted_reported : null, came / requests].map(decimals),
	]),
)}

Plants in ERCOT can be followed only until ERCOT's newest loaded report.

![By tenth of the requests: the chance that was stated, and the share that came to operate](scores/all.svg)

How to read it: the requests of the last tenth had a stated chance of ${percent(overall.groups.at(-1)?.predicted ?? 0)} on average, and ${percent(overall.groups.at(-1)?.observed ?? 0)} of them operated two years later.

${table(
	["stated chance", "requests", "came", "of 100"],
	found.by_chance.map(({ from, to, requests, came }) => [
		...[`${percent(from)} to ${percent(to)}`, String(requests), String(came)],
		String(Math.round((100 * came) / requests)),
	]),
)}

## What became of past requests

ERCOT's, counted in its reports of each April and October since 2019: share energized and share in commercial operation.

${referenceTable(found)}

## How it was judged

On each day below the model was fitted on what was known by then, and its chances were compared with what the lists show two years later. Beside it stand two simpler orders: by the projected date alone, and by the milestone alone. An area of 1 is a perfect order, 0.5 is none.

| aim | figure | |
| --- | --- | --- |
${aims(found)
	.map(([aim, figure, isMet]) => `| ${aim} | ${figure} | ${isMet ? "met" : "not met"} |`)
	.join("\n")}

### By operator, 24 months

${table(
	["operator", ...groupHead, "monotone", ...topHead],
	[
		...operators.map((each) => [each.region as string, ...cells(each), yes(each.monotone), ...topTenth(each)]),
		["all", ...cells(overall), yes(overall.monotone), ...topTenth(overall)],
	],
)}

### Energized within 24 months: ERCOT's requests with an agreement (those of \`construction_stage\` late)

${table(["requests of", ...groupHead, "monotone"], [["ERCOT", ...cells(late), yes(late.monotone)]])}

${tenths(late)}

### Day by day

${table(
	["operator", "outcome", "list of", "months", "basis", ...groupHead, ...topHead],
	origins.map((each) => [
		...[each.region, each.outcome, each.from, String(each.months), each.basis, ...cells(each)],
		...[each.top_predicted, each.top_observed].map(decimals),
	]),
)}

### Operators by a model that was fitted without them

${table(
	["operator", "list of", "months", ...groupHead],
	left_out.map((each) => [each.region, each.from, String(each.months), ...cells(each)]),
)}

### Tenths of all requests

${tenths(overall)}

## What it cannot know

${found.cannot_know.map((sentence) => `- ${sentence}`).join("\n")}

## What limits it

${found.limits.map((sentence) => `- ${sentence}`).join("\n")}

## The score

\`investability_score\` is the weighted sum of five components: 0.70 milestone_progress (\`p_cod_36\` in points), 0.05 iso_posture (50, more or less by how the operator's requests do beside similar requests elsewhere), 0.10 tax_credit_value, 0.10 deal_cleanliness, 0.05 developer_tier. Grades begin at 50 (A), 40 (B), 30 (C) and 25 (D); less is an F. Of the requests that were open in November 2026, 480 had an A, 281 a B, 529 a C, 550 a D and 3,445 an F, with a median \`p_cod_36\` of 0.66, 0.37, 0.20, 0.09 and 0.01.

\`/investable\` lists the requests that are active, with an executed agreement, neither energized nor operating, with a filed projected date that lies within \`max_months\` (36) of the day of the list and has not passed (or a later list of the EIA has the plant under construction), with \`incremental_mw\` of at least \`min_mw\` (5) and \`p_cod_36\` of at least \`min_p\` (0.5). Months count from the first of the month nearest to the day of the list. The field \`investable\` and its filter follow the same rule with these numbers. What counts as an executed agreement:

${table(["operator", "executed agreement"], Object.entries(executedAgreements))}

## As of a past day

\`GET /score/{project_id}?as_of=2026-03-15\` is the score that stood published when that day ended (UTC), under that day's version; nothing is computed anew. \`/projects?as_of=\` and its files have the same numbers (\`score_basis\`, \`score_version\`), \`/export/scores?as_of=\` is the file of the day, and \`/score/{project_id}/history\` has each published score with the inputs that moved it.

- A request without a published score on the day has none: it was closed, not scored yet, or its lists were loaded later (\`score_basis: unpublished\`).
- Of versions 1 to 5, which are no longer computed, score, grade and \`investable\` are as they were published; components and chances are null.
- \`in_sample: true\`: the version was fitted on lists of that day or later, so that it has seen what became of such requests. The tables above, fitted for each of their days on the lists up to it, are what to go by.

## To compute one again

The model's chance is 1 less the product, over the periods of three months up to the horizon, of 1 less the hazard; the hazard is 1 / (1 + exp(-x)), x the sum of the terms of \`services/scoring/domain/score/model.json\` (\`terms\` in \`services/scoring/domain/score/chance.ts\` says how each is computed from the inputs). It was fitted on:

${table(
	["operator", "first list", "followed until", "requests"],
	found.fitted.map(({ region, from, to, requests }) => [region, from, to, String(requests)]),
)}
`;
}

const groupHead = ["requests", "stated", "came", "calibration error", "area", "by date alone", "by milestone alone"];
type Held = Pick<
	Group,
	"requests" | "predicted" | "observed" | "calibration_error" | "area" | "area_by_date" | "area_by_milestone"
>;
const cells = (each: Held): string[] => [
	String(each.requests),
	...[each.predicted, each.observed, each.calibration_error, each.area, each.area_by_date, each.area_by_milestone].map(
		decimals,
	),
];
const yes = (is: boolean): string => (is ? "yes" : "no");

const tenths = ({ groups }: Group): string =>
	table(
		["requests", "stated", "came"],
		groups.map(({ n, predicted, observed }) => [String(n), decimals(predicted), decimals(observed)]),
	);

function referenceTable({ reference }: Published): string {
	const rows = [...Map.groupBy(reference, ({ stage }) => stage)].map(([stage, own]) => [
		stageWords[stage as ChanceStage],
		...[12, 24, 36].map((months) => {
			const cell = own.find((each) => each.months === months);
			return cell === undefined ? "-" : `${percent(cell.energized)} / ${percent(cell.commercial)} of ${cell.requests}`;
		}),
	]);
	return table(["ERCOT's request is", "12 months", "24", "36"], rows);
}

/** The requests that a lender looks at. */
const topHead = ["top tenth: stated", "came"];
const topTenth = ({ groups }: Group): string[] => [groups.at(-1)?.predicted, groups.at(-1)?.observed].map(decimals);

/** Operators with fewer outcomes are not held to the calibration. */
const leastJudged = 200;

function aims({ overall, operators, late_energized: late, origins, left_out }: Published): [string, string, boolean][] {
	const atLeast = (value: number | null, aim: number) => value !== null && value >= aim;
	const judged = operators.filter(({ requests }) => requests >= leastJudged);
	const without = left_out.map((each) => ({ ...each, outcome: "fitted without it" }));
	const beaten = [...origins, ...without].filter(
		({ area, area_by_date, area_by_milestone }) => (area ?? 0) < Math.max(area_by_date ?? 0, area_by_milestone ?? 0),
	);
	return [
		[
			"area of `p_energized_24` among ERCOT's requests with an agreement at least 0.90",
			decimals(late.area),
			atLeast(late.area, 0.9),
		],
		["area of `p_cod_24` over all at least 0.85", decimals(overall.area), atLeast(overall.area, 0.85)],
		...judged.map(({ region, calibration_error: error }): [string, string, boolean] => [
			`calibration error of ${region} at most 0.05`,
			decimals(error),
			(error ?? 1) <= 0.05,
		]),
		[
			"what came does not fall from one tenth of all requests to the next, but by what chance explains (two standard errors)",
			yes(overall.monotone),
			overall.monotone,
		],
		[
			"area on each day at least that of the date alone and of the milestone alone",
			beaten.length === 0
				? "yes"
				: `not for ${beaten.map(({ region, outcome, from }) => `${region} ${from} (${outcome})`).join(", ")}`,
			beaten.length === 0,
		],
	];
}
