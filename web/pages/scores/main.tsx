/** The score's backtest on days that it was not fitted on, its fit, its limits, and how to recompute a score. */
import "../../style/base.css";
import "./scores.css";
import { Failed, useOperation } from "../../lib/api/use-read.tsx";
import { mount, Section } from "../../lib/elements/page.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { count } from "../../lib/text/format.ts";
import { threeDecimals } from "../../lib/text/quantity.ts";
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
					<Operators backtest={backtest} />
					<Limits backtest={backtest} />
					<Fitted backtest={backtest} />
					<Days backtest={backtest} />
				</>
			)}
			<Recompute />
			<p class="soft">
				As JSON: <code>curl '{location.origin}/scores/backtest'</code>
			</p>
		</>
	);
}

const Fitted = ({ backtest: { fitted, score_version } }: { backtest: Backtest }) => (
	<Section id="fitted" title="What it was fitted on">
		<p>Version {score_version} is fitted on what later lists show of the requests that were open on these days.</p>
		<Table
			rows={fitted}
			attributes={({ region, from, to }) => ({ "data-fitted": `${region} ${from} ${to}` })}
			columns={[
				["Grid operator", ({ region }) => region],
				["First list", ({ from }) => from],
				["Newest list", ({ to }) => to],
				["Requests", ({ requests }) => count(requests), "number"],
			]}
		/>
	</Section>
);

function Limits({ backtest: { operators, overall, fitted, score_version } }: { backtest: Backtest }) {
	const known = new Set<string>(fitted.map(({ region }) => region));
	const stats = useOperation("getStats", "/stats");
	const without = stats.data?.data.by_iso.map(({ iso }) => iso).filter((region) => !known.has(region)) ?? [];
	const uneven = operators.filter(({ monotone }) => !monotone).map(({ region }) => region);
	const smallest = operators.toSorted((a, b) => a.requests - b.requests)[0];
	const rates = operators
		.filter(({ observed }) => observed !== null)
		.toSorted((a, b) => (a.observed ?? 0) - (b.observed ?? 0));
	const [lowest, highest] = [rates[0], rates.at(-1)];
	const from = fitted.map((pair) => pair.from).toSorted()[0];
	const to = fitted
		.map((pair) => pair.to)
		.toSorted()
		.at(-1);
	return (
		<Section id="limits" title="What limits it">
			<ul>
				{smallest && (
					<li>
						<b>Few requests a group.</b> A tenth of {smallest.region}'s {count(smallest.requests)} requests is about{" "}
						{count(smallest.requests / Math.max(1, smallest.groups.length))}, where of all operators it is about{" "}
						{count(overall.requests / Math.max(1, overall.groups.length))}: chance alone moves such a circle. The tables
						beneath the pictures say how many each is.
						{uneven.length > 0 && ` What came falls somewhere from one group to the next in ${uneven.join(", ")}.`}
					</li>
				)}
				{lowest && highest && lowest !== highest && (
					<li>
						<b>Base rates differ.</b> Of {lowest.region}'s requests {threeDecimals(lowest.observed)} came, of{" "}
						{highest.region}'s {threeDecimals(highest.observed)}: a chance is to be read beside its operator's base
						rate.
					</li>
				)}
				{from !== undefined && to !== undefined && (
					<li>
						<b>In sample.</b> Version {score_version} is fitted on lists of {from} to{" "}
						<span data-figure="fitted-to">{to}</span>. A score of a day until then (<code>as_of</code>,{" "}
						<code>in_sample: true</code>) comes from a model that has seen what became of such requests: it says nothing
						of how well scores order them. The figures above are of models that were fitted for each day on the lists
						before it.
					</li>
				)}
				{without.length > 0 && (
					<li>
						<b>No chance.</b> Of {without.join(", ")} too few past requests were followed (
						<code>p_reason: too_few_outcomes</code>).
					</li>
				)}
			</ul>
		</Section>
	);
}

mount(<Scores />);
