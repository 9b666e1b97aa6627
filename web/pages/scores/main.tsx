/** The backtest of the score on days to which it was not fitted, the data to which it was fitted, its limits, and how to recompute a score. */
import "../../style/base.css";
import "./scores.css";
import { Failed, useOperation } from "../../lib/api/use-read.tsx";
import { mount, Section } from "../../lib/elements/page.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { TextList } from "../../lib/text/article.tsx";
import { count } from "../../lib/text/format.ts";
import { type Backtest, Days, Operators, Overall } from "./figures.tsx";
import { Recompute } from "./recompute.tsx";

function Scores() {
	const state = useOperation("getScoreBacktest", "/scores/backtest");
	const backtest = state.data;
	if (backtest === undefined && state.failure === undefined) return null;
	return (
		<>
			<Failed state={state} />
			{backtest && (
				<>
					<Overall backtest={backtest} />
					<Limits backtest={backtest} />
					<Operators backtest={backtest} />
					<Fitted backtest={backtest} />
					<Days backtest={backtest} />
				</>
			)}
			{/* The rest is shown only after the figures above it, so that nothing in view moves. */}
			{(backtest ?? state.failure) !== undefined && (
				<>
					<Recompute />
					<p class="soft">
						As JSON: <code>curl '{location.origin}/scores/backtest'</code>
					</p>
				</>
			)}
		</>
	);
}

const Fitted = ({ backtest: { fitted, score_version } }: { backtest: Backtest }) => (
	<Section id="fitted" title="What it was fitted on">
		<p>
			Version {score_version} is fitted on the outcomes of the requests that were open on these days, as later lists and
			the EIA report them. A score of a day up to <span data-figure="fitted-to">{lastOf(fitted)}</span> (
			<code>as_of</code>, <code>in_sample: true</code>) comes from a model fitted on those outcomes, so it does not show
			how well scores predict. The figures above come from models fitted for each day on earlier lists only.
		</p>
		<Table
			rows={fitted}
			attributes={({ region, from, to }) => ({ "data-fitted": `${region} ${from} ${to}` })}
			columns={[
				["Grid operator", ({ region }) => region],
				["First list", ({ from }) => from],
				["Followed until", ({ to }) => to],
				["Requests", ({ requests }) => count(requests), "number"],
			]}
		/>
	</Section>
);

const lastOf = (fitted: Backtest["fitted"]): string | undefined =>
	fitted
		.map(({ to }) => to)
		.toSorted()
		.at(-1);

/** The limits of the score, in the same words as in docs/scores.md. */
const Limits = ({ backtest: { cannot_know, limits } }: { backtest: Backtest }) => (
	<Section id="limits" title="What it cannot know">
		<TextList texts={cannot_know} />
		<details>
			<summary>{limits.length} limits of the model and of its test</summary>
			<TextList texts={limits} />
		</details>
	</Section>
);

mount(<Scores />);
