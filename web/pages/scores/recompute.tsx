import { useEffect, useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Waterfall } from "../../lib/charts/waterfall.tsx";
import { Head } from "../../lib/elements/table.tsx";
import { ProjectLink } from "../../lib/requests/project-link.tsx";
import { rounded, stepsOf, sumOf } from "../../lib/requests/score-steps.ts";
import { count, points, share3, words } from "../../lib/text/format.ts";

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

/** What a score is computed from, and whether the hash of it is the one of the answer. */
export function Inputs({ inputs, expected }: { inputs: Record<string, unknown>; expected: string }) {
	const names = Object.keys(inputs).sort();
	const text = JSON.stringify(inputs, names);
	const found = useHash(text);
	return (
		<>
			<h3>Its inputs</h3>
			<p>
				The score is a function of these alone. <code>inputs_hash</code> is the SHA-256 of them as JSON with sorted
				names and no white space.
			</p>
			<p class="hash">
				<code>{expected}</code>{" "}
				{found !== undefined && (
					<b data-figure="hash">{found === expected ? "is what this browser computes" : `is not ${found}`}</b>
				)}
			</p>
			<details>
				<summary>{names.length} inputs</summary>
				<table>
					<Head columns={["Input", "Value"]} />
					<tbody>
						{names.map((name) => (
							<tr key={name}>
								<th scope="row">{words(name)}</th>
								<td>
									<code>{JSON.stringify(inputs[name])}</code>
								</td>
							</tr>
						))}
					</tbody>
				</table>
			</details>
		</>
	);
}

/** SHA-256 in hex; undefined until it is there, and where the page's origin is no secure one. */
function useHash(text: string): string | undefined {
	const [hash, setHash] = useState<string>();
	useEffect(() => {
		let isStale = false;
		setHash(undefined);
		void crypto.subtle?.digest("SHA-256", new TextEncoder().encode(text)).then((bytes) => {
			if (isStale) return;
			setHash([...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
		});
		return () => {
			isStale = true;
		};
	}, [text]);
	return hash;
}
