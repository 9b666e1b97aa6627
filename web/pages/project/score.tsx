import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Waterfall } from "../../lib/charts/waterfall.tsx";
import { FactList } from "../../lib/elements/page.tsx";
import { Head, number } from "../../lib/elements/table.tsx";
import { stepsOf, sumOf } from "../../lib/requests/score-steps.ts";
import { count, filed, percent, perKw, points, words } from "../../lib/text/format.ts";
import { useSources } from "./origin.tsx";

/** A queue's list of before that has been replaced everywhere else. */
const oldDays = 180;

type Found = Reply<"getScore">;

/** The score as the sum of its parts, with its words; and what it costs to connect, which the same answer says. */
export function Score({ id, as_of }: { id: string; as_of: string | undefined }) {
	const path = `/score/${encodeURIComponent(id)}`;
	const state = useRead(path, (signal) => read("getScore", path, { as_of }, signal), 300_000);
	const score = state.data;
	return (
		<>
			<section aria-labelledby="score">
				<h2 id="score">Score</h2>
				<Failed state={state} />
				{score && !score.scored && <p>{score.explanation}</p>}
				{score?.scored && <Parts score={score} as_of={as_of} />}
			</section>
			{score?.interconnection_cost && <Cost cost={score.interconnection_cost} />}
		</>
	);
}

export const NoScore = ({ day }: { day: string | undefined }) => (
	<section aria-labelledby="score">
		<h2 id="score">Score</h2>
		<p>No score of this request stood published on {day}.</p>
	</section>
);

function Parts({ score, as_of }: { score: Found; as_of: string | undefined }) {
	const { source, shown } = useSources(score.project_id, as_of);
	const steps = stepsOf(score);
	return (
		<>
			<p>
				<b class="points" data-figure="investability_score">
					{score.investability_score}
				</b>{" "}
				of 100, grade {score.grade} {source("investability_score", "Score")}
				{score.p_built !== null && (
					<>
						; the chance of being built or advancing within {score.p_built.horizon_months} months is{" "}
						{percent(score.p_built.value)} ({percent(score.p_built.low)} to {percent(score.p_built.high)})
					</>
				)}
			</p>
			{shown}
			<Basis score={score} />
			<Waterfall
				steps={steps}
				most={100}
				total={{ name: "Sum", words: `rounded: ${score.investability_score} of 100`, points: sumOf(steps) }}
			/>
			<details class="as-table">
				<summary>As a table</summary>
				<Components components={score.components} />
			</details>
			<p>{score.explanation}</p>
			<p class="soft">
				Version {score.score_version}
				{score.as_of !== undefined && (
					<span data-figure="basis">
						{" "}
						· stood published on {score.as_of}
						{score.in_sample && ", by a version that was fitted on lists of later days, too"}
					</span>
				)}
				{score.facts_as_of !== null && <> · facts of the list of {score.facts_as_of}</>} ·{" "}
				<a href={`/scores?id=${encodeURIComponent(score.project_id)}#recompute`}>computed step by step</a> ·{" "}
				<a href="/scores">how scores held</a>
			</p>
		</>
	);
}

/** How far the facts can be relied on: of which day they are, and how sure they are. */
function Basis({ score: { facts_as_of, facts_age_days, confidence } }: { score: Found }) {
	if (facts_as_of === null) return null;
	const isOld = facts_age_days !== null && facts_age_days > oldDays;
	return (
		<p class={isOld ? "failure" : "soft"} data-figure="facts_as_of">
			Counted from {facts_as_of}, the day of its list
			{isOld && <>, which is {count(facts_age_days)} days old: what came since is not known</>}
			{confidence !== null && <>; confidence in the facts {percent(confidence)}</>}.
		</p>
	);
}

const Components = ({ components }: Pick<Found, "components">) => (
	<table>
		<Head columns={["Part", number("Of 100"), number("Weight"), number("Points")]} />
		<tbody>
			{Object.entries(components).map(([name, part]) => (
				<tr key={name} data-component={name}>
					<th scope="row">
						{words(name)}
						<span class="soft"> {part.value}</span>
					</th>
					<td class="number">{part.score}</td>
					<td class="number">{percent(part.weight)}</td>
					<td class="number">{points(part.score * part.weight)}</td>
				</tr>
			))}
		</tbody>
	</table>
);

type Known = NonNullable<Reply<"getScore">["interconnection_cost"]>;

const neighbourhoods = {
	poi: "requests at the same point of interconnection",
	transmission_owner: "requests of the same transmission owner and technology",
	region: "requests of the same operator and technology",
};

/** What it costs to connect it, by its own study or by those of its neighbours. */
export function Cost({ cost: { neighbours, ...own } }: { cost: Known }) {
	const dollars = (usd: number | null) => (usd === null ? null : perKw(usd));
	const inYear = (year: number | null) => (year === null ? null : String(year));
	return (
		<section aria-labelledby="cost">
			<h2 id="cost">Interconnection cost</h2>
			{neighbours === null ? (
				<FactList
					facts={[
						["By its own study", dollars(own.ic_cost_usd_per_kw)],
						["At the point of interconnection", dollars(own.poi_usd_per_kw)],
						["Upgrades of the network", dollars(own.network_usd_per_kw)],
						["Study", own.study === null ? null : filed(own.study)],
						["Studied", own.studied_on],
						["In dollars of", inYear(own.dollars_year)],
						["Source", own.source === null ? null : filed(own.source)],
					]}
				/>
			) : (
				<>
					<p>
						No study of its own is known. These are {count(neighbours.n)} {neighbourhoods[neighbours.chosen_by]}
						{neighbours.place !== null && ` (${filed(neighbours.place, 80)})`}, whatever became of them.
					</p>
					<FactList
						facts={[
							["Half of them cost less than", perKw(neighbours.median_usd_per_kw)],
							["A quarter less than", perKw(neighbours.p25_usd_per_kw)],
							["A quarter more than", perKw(neighbours.p75_usd_per_kw)],
							["Technology", neighbours.type_std === null ? null : words(neighbours.type_std)],
							[
								"Studied",
								neighbours.studied_from === null ? null : `${neighbours.studied_from} to ${neighbours.studied_to}`,
							],
							["In dollars of", inYear(neighbours.dollars_year)],
						]}
					/>
				</>
			)}
		</section>
	);
}
