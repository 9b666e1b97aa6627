import { useEffect, useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Waterfall } from "../../lib/charts/waterfall.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { ProjectLink } from "../../lib/requests/project-link.tsx";
import { roundHalfUp, stepsOf, sumOf } from "../../lib/requests/score-steps.ts";
import { counted, labelOf, points, threeDecimals } from "../../lib/text/format.ts";

type Score = Reply<"getScore">;

/** Shows step by step how a request's score is computed; by default that of the active request with the best score. */
export function Recompute() {
	const [chosen, setChosen] = useState(() => new URLSearchParams(location.search).get("id") ?? "");
	const state = useRead(`recompute ${chosen}`, async (signal) => {
		const id = chosen === "" ? await bestOpen(signal) : chosen;
		return id === undefined ? undefined : read("getScore", `/score/${encodeURIComponent(id)}`, {}, signal);
	});
	const submit = (event: SubmitEvent) => {
		event.preventDefault();
		const id = String(new FormData(event.currentTarget as HTMLFormElement).get("id") ?? "").trim();
		history.replaceState(null, "", id === "" ? location.pathname : `?id=${encodeURIComponent(id)}`);
		setChosen(id);
	};
	return (
		<Section id="recompute" title="One score, step by step">
			<form class="ask" onSubmit={submit}>
				<label>
					Id of a request
					<input name="id" placeholder="the best open one" autocomplete="off" maxLength={80} defaultValue={chosen} />
				</label>
				<button type="submit">Compute</button>
			</form>
			<Failed state={state} />
			<div aria-live="polite">{state.data && <Steps score={state.data} />}</div>
		</Section>
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
	const { components } = score;
	if (!score.scored || components === null)
		return (
			<p>
				{link}: {score.explanation}
			</p>
		);
	const steps = stepsOf({ ...score, components });
	const sum = sumOf(steps);
	return (
		<>
			<p>
				{link}, version {score.score_version}
				{score.facts_as_of !== null && <>, by the list of {score.facts_as_of}</>}.
			</p>
			{score.p_cod_36 && <Chance chance={score.p_cod_36} milestone={components.milestone_progress.score} />}
			<h3>The sum of its parts</h3>
			<p>Each step is a component's points (of 100) times its weight. A deduction is shown as a step down.</p>
			<Waterfall
				steps={steps}
				max={100}
				total={{
					name: `Score: ${roundHalfUp(sum)}`,
					reason: `the sum, rounded half up; the service states ${score.investability_score}, grade ${score.grade}`,
					points: sum,
				}}
			/>
			<Inputs inputs={score.inputs} expected={score.inputs_hash} />
		</>
	);
}

function Chance({ chance, milestone }: { chance: NonNullable<Score["p_cod_36"]>; milestone: number }) {
	const { value, low, high, n } = chance;
	return (
		<>
			<h3>The chance</h3>
			<p>
				<code>p_cod_36</code> is <b data-figure="chance">{threeDecimals(value)}</b> ({threeDecimals(low)} to{" "}
				{threeDecimals(high)}), based on {counted(n, "past request")} of its operator at the same stage. Milestone
				progress is that chance in points, {points(milestone)} of 100.
			</p>
		</>
	);
}

/** The inputs of a score, and whether their hash equals the published one. */
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
				<Table
					rows={names}
					columns={[
						["Input", (name) => labelOf(name)],
						["Value", (name) => <code>{JSON.stringify(inputs[name])}</code>],
					]}
				/>
			</details>
		</>
	);
}

/** Returns the SHA-256 in hexadecimal; undefined until it is computed, and on insecure origins. */
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
