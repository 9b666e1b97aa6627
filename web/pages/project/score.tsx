import type { Reply } from "#libs/contract/index.ts";
import { useOperation } from "../../lib/api/use-read.tsx";
import { Waterfall } from "../../lib/charts/waterfall.tsx";
import { FactList, Section } from "../../lib/elements/page.tsx";
import { Noted, Table } from "../../lib/elements/table.tsx";
import { stepsOf, sumOf } from "../../lib/requests/score-steps.ts";
import { count, counted, labelOf, percent, perKw, points, safeText } from "../../lib/text/format.ts";
import { useSources } from "./origin.tsx";

/** Facts older than this get a warning (days). */
const oldDays = 180;

type ScoreDetail = Reply<"getScore">;

/** Shows the score as the sum of its parts, and the interconnection cost, which the same operation returns. */
export function Score({ id, as_of }: { id: string; as_of: string | undefined }) {
	const state = useOperation("getScore", `/score/${encodeURIComponent(id)}`, { as_of }, 300_000);
	const score = state.data;
	return (
		<>
			<Section id="score" title="Score" reads={[state]}>
				{score && (score.components === null || !score.scored) && <p>{score.explanation}</p>}
				{score?.scored && score.components && <Parts score={score} components={score.components} as_of={as_of} />}
			</Section>
			{score?.interconnection_cost && <Cost cost={score.interconnection_cost} />}
		</>
	);
}

export const NoScore = ({ day }: { day: string | undefined }) => (
	<Section id="score" title="Score">
		<p>No score of this request was published on {day}.</p>
	</Section>
);

type Components = NonNullable<ScoreDetail["components"]>;

function Parts({
	score,
	components,
	as_of,
}: {
	score: ScoreDetail;
	components: Components;
	as_of: string | undefined;
}) {
	const { source, shown } = useSources(score.project_id, as_of);
	const steps = stepsOf({ ...score, components });
	return (
		<>
			<p>
				<b class="points" data-figure="investability_score">
					{score.investability_score}
				</b>{" "}
				of 100, grade {score.grade} {source("investability_score", "Score")}
				{score.p_cod_24 !== null && score.p_cod_36 !== null && (
					<>
						; the chance of operating within 24 months is {percent(score.p_cod_24.value)}, within 36 months{" "}
						{percent(score.p_cod_36.value)} ({percent(score.p_cod_36.low)} to {percent(score.p_cod_36.high)})
					</>
				)}
			</p>
			{shown}
			<Basis score={score} />
			<Waterfall
				steps={steps}
				max={100}
				total={{ name: "Sum", reason: `rounded: ${score.investability_score} of 100`, points: sumOf(steps) }}
			/>
			<details class="as-table">
				<summary>As a table</summary>
				<ComponentTable components={components} />
			</details>
			<p>{score.explanation}</p>
			<p class="soft">
				Version {score.score_version}
				{score.as_of !== undefined && (
					<span data-figure="basis">
						{" "}
						· was published on {score.as_of}
						{score.in_sample && ", by a version that was fitted on lists of later days, too"}
					</span>
				)}
				{score.facts_as_of !== null && <> · facts of the list of {score.facts_as_of}</>} ·{" "}
				<a href={`/scores?id=${encodeURIComponent(score.project_id)}#recompute`}>computed step by step</a> ·{" "}
				<a href="/scores">track record of scores</a>
			</p>
		</>
	);
}

function Basis({ score: { facts_as_of, facts_age_days, confidence } }: { score: ScoreDetail }) {
	if (facts_as_of === null) return null;
	const isOld = facts_age_days !== null && facts_age_days > oldDays;
	return (
		<p class={isOld ? "failure" : "soft"} data-figure="facts_as_of">
			Counted from {facts_as_of}, the day of its list
			{isOld && <>, which is {counted(facts_age_days, "day")} old: changes since then are unknown</>}
			{confidence !== null && (
				<>
					; confidence in the score {percent(confidence)}, lower the older the list and the wider the chance's interval
				</>
			)}
			.
		</p>
	);
}

const ComponentTable = ({ components }: { components: Components }) => (
	<Table
		rows={Object.entries(components)}
		attributes={([name]) => ({ "data-component": name })}
		columns={[
			["Part", ([name, { value }]) => <Noted text={labelOf(name)} note={value} />],
			["Of 100", ([, { score }]) => score, "number"],
			["Weight", ([, { weight }]) => percent(weight), "number"],
			["Points", ([, { score, weight }]) => points(score * weight), "number"],
		]}
	/>
);

type Known = NonNullable<Reply<"getScore">["interconnection_cost"]>;

const neighborhoods = {
	poi: "requests at the same point of interconnection",
	transmission_owner: "requests of the same transmission owner and technology",
	region: "requests of the same operator and technology",
};

/** Shows the cost from the request's own study, or from the studies of its neighbors. */
function Cost({ cost: { neighbours, ...own } }: { cost: Known }) {
	const dollars = (usd: number | null) => (usd === null ? null : perKw(usd));
	const inYear = (year: number | null) => (year === null ? null : String(year));
	return (
		<Section id="cost" title="Interconnection cost">
			{neighbours === null ? (
				<FactList
					facts={[
						["By its own study", dollars(own.ic_cost_usd_per_kw)],
						["At the point of interconnection", dollars(own.poi_usd_per_kw)],
						["Network upgrades", dollars(own.network_usd_per_kw)],
						["Study", own.study === null ? null : safeText(own.study)],
						["Studied", own.studied_on],
						["In dollars of", inYear(own.dollars_year)],
						["Source", own.source === null ? null : safeText(own.source)],
					]}
				/>
			) : (
				<>
					<p>
						No study of its own is known. These are {count(neighbours.n)} {neighborhoods[neighbours.chosen_by]}
						{neighbours.place !== null && ` (${safeText(neighbours.place, 80)})`}, of any outcome.
					</p>
					<FactList
						facts={[
							["Median cost", perKw(neighbours.median_usd_per_kw)],
							["25th percentile", perKw(neighbours.p25_usd_per_kw)],
							["75th percentile", perKw(neighbours.p75_usd_per_kw)],
							["Technology", neighbours.type_std === null ? null : labelOf(neighbours.type_std)],
							[
								"Studied",
								neighbours.studied_from === null ? null : `${neighbours.studied_from} to ${neighbours.studied_to}`,
							],
							["In dollars of", inYear(neighbours.dollars_year)],
						]}
					/>
				</>
			)}
		</Section>
	);
}
