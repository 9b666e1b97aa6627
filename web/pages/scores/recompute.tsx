import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api.ts";
import { Waterfall } from "../../lib/charts/waterfall.tsx";
import { Failed } from "../../lib/failed.tsx";
import { count } from "../../lib/format.ts";
import { ProjectLink } from "../../lib/project-link.tsx";
import { points, share3 } from "../../lib/quantity.ts";
import { rounded, stepsOf, sumOf } from "../../lib/score-steps.ts";
import { useRead } from "../../lib/use-read.ts";
import { Inputs } from "./inputs.tsx";

type Score = Reply<"getScore">;

/** One score step by step, with its own figures: of the request that is asked for, else of the best that is open. */
export function Recompute() {
	const [asked, setAsked] = useState(() => new URLSearchParams(location.search).get("id") ?? "");
	const state = useRead(`recompute ${asked}`, async (signal) => {
		const id = asked === "" ? await bestOpen(signal) : asked;
		return id === undefined ? undefined : read("getScore", `/score/${encodeURIComponent(id)}`, {}, signal);
	});
	const submit = (event: SubmitEvent) => {
		event.preventDefault();
		const id = String(new FormData(event.currentTarget as HTMLFormElement).get("id") ?? "").trim();
		history.replaceState(null, "", id === "" ? location.pathname : `?id=${encodeURIComponent(id)}`);
		setAsked(id);
	};
	return (
		<section aria-labelledby="recompute">
			<h2 id="recompute">To compute one by hand</h2>
			<form class="ask" onSubmit={submit}>
				<label>
					Id of a request
					<input name="id" placeholder="the best that is open" autocomplete="off" maxLength={80} defaultValue={asked} />
				</label>
				<button type="submit">Compute</button>
			</form>
			<Failed state={state} />
			<div aria-live="polite">{state.data && <Steps score={state.data} />}</div>
		</section>
	);
}

async function bestOpen(signal: AbortSignal): Promise<string | undefined> {
	const best = { status: "Active", sort: "investability_score", order: "desc", per_page: 1, fields: "id" };
	return (await read("listProjects", "/projects", best, signal)).data[0]?.id;
}

function Steps({ score }: { score: Score }) {
	const link = (
		<span data-recomputed={score.project_id}>
			<ProjectLink id={score.project_id} name={null} />
		</span>
	);
	if (!score.scored)
		return (
			<p>
				{link}: {score.explanation}
			</p>
		);
	const steps = stepsOf(score);
	const sum = sumOf(steps);
	return (
		<>
			<p>
				{link}, version {score.score_version}
				{score.facts_as_of !== null && <>, by the list of {score.facts_as_of}</>}.
			</p>
			{score.p_built && <ChanceSum chance={score.p_built} milestone={score.components.milestone_progress.score} />}
			<h3>The sum of its parts</h3>
			<p>Each component's points of 100 times its weight; what deal cleanliness lost by a deduction is a step down.</p>
			<Waterfall
				steps={steps}
				most={100}
				total={{
					name: `Score: ${rounded(sum)}`,
					words: `the sum, rounded half up; the answer says ${score.investability_score}, grade ${score.grade}`,
					points: sum,
				}}
			/>
			<Inputs inputs={score.inputs} expected={score.inputs_hash} />
		</>
	);
}

/** The operator's counts, drawn towards the rate of all operators. */
function ChanceSum({ chance, milestone }: { chance: NonNullable<Score["p_built"]>; milestone: number }) {
	const { kind, operator, pooled, value, low, high } = chance;
	const by =
		operator &&
		(operator.built + operator.advancing + pooled.weight * pooled.value) / (operator.requests + pooled.weight);
	const isCounted = by !== null && Math.abs(by - value) < 0.0006;
	return (
		<>
			<h3>The chance</h3>
			<p>
				It is counted among {kind}. Of all operators, {count(pooled.built)} were built and {count(pooled.advancing)}{" "}
				advanced of {count(pooled.requests)}; with none counted for more than a part, their rate is{" "}
				{share3(pooled.value)}.
			</p>
			{operator === null || by === null ? (
				<p>Its operator has no record of its own: the chance is that of all operators.</p>
			) : (
				<>
					<p class="sum">
						({count(operator.built)} built + {count(operator.advancing)} advancing + {pooled.weight} ×{" "}
						{share3(pooled.value)}) / ({count(operator.requests)} requests + {pooled.weight}) ={" "}
						<b data-figure="chance">{share3(by)}</b>
					</p>
					{!isCounted && (
						<p>
							The table says {share3(value)}: where a later stage would have a lower chance than an earlier one, the two
							are taken together.
						</p>
					)}
				</>
			)}
			<p>
				The answer's <code>p_built</code> is {share3(value)} ({share3(low)} to {share3(high)}). Milestone progress is it
				in points, {points(milestone)} of 100.
			</p>
		</>
	);
}
