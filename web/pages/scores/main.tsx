/** How the score held on days that it had not seen, what it rests on, and how one is computed again. */
import "../../style/base.css";
import "./scores.css";
import { render } from "preact";
import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Head, number } from "../../lib/elements/table.tsx";
import { count, share3 } from "../../lib/text/format.ts";
import { Days, Operators, Overall } from "./figures.tsx";
import { Recompute } from "./recompute.tsx";

function Scores() {
	const state = useRead("backtest", (signal) => read("getScoreBacktest", "/scores/backtest", {}, signal));
	const backtest = state.data;
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

type Backtest = Reply<"getScoreBacktest">;

/** The pairs of lists that the table is counted on. */
export const Fitted = ({ backtest: { fitted, score_version } }: { backtest: Backtest }) => (
	<section aria-labelledby="fitted">
		<h2 id="fitted">What it was fitted on</h2>
		<p>
			Version {score_version} counts what became of each request of an operator's list by a later list: built,
			advancing, waiting or lost, by how far it had come and how far ahead its projected date lay.
		</p>
		<table>
			<Head columns={["Grid operator", "List of", "Judged by the list of", number("Requests")]} />
			<tbody>
				{fitted.map(({ region, from, to, requests }) => (
					<tr key={`${region} ${from}`} data-fitted={`${region} ${from} ${to}`}>
						<th scope="row">{region}</th>
						<td>{from}</td>
						<td>{to}</td>
						<td class="number">{count(requests)}</td>
					</tr>
				))}
			</tbody>
		</table>
	</section>
);

/** What these figures do not say. */
export function Limits({ backtest: { operators, overall, fitted, score_version } }: { backtest: Backtest }) {
	const known = new Set<string>(fitted.map(({ region }) => region));
	const stats = useRead("stats", (signal) => read("getStats", "/stats", {}, signal));
	const without = stats.data?.data.by_iso.map(({ iso }) => iso).filter((region) => !known.has(region)) ?? [];
	const uneven = operators.filter(({ monotone }) => !monotone).map(({ region }) => region);
	const smallest = operators.toSorted((a, b) => a.requests - b.requests)[0];
	const rates = operators
		.filter(({ observed }) => observed !== null)
		.toSorted((a, b) => (a.observed ?? 0) - (b.observed ?? 0));
	const [lowest, highest] = [rates[0], rates.at(-1)];
	const from = fitted.map((pair) => pair.from).sort()[0];
	const to = fitted
		.map((pair) => pair.to)
		.sort()
		.at(-1);
	return (
		<section aria-labelledby="limits">
			<h2 id="limits">What limits it</h2>
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
						<b>Base rates differ.</b> Of {lowest.region}'s requests {share3(lowest.observed)} came, of {highest.region}
						's {share3(highest.observed)}: a chance is to be read beside its operator's base rate.
					</li>
				)}
				{from !== undefined && to !== undefined && (
					<li>
						<b>In sample.</b> Version {score_version} is fitted on lists of {from} to{" "}
						<span data-figure="fitted-to">{to}</span>. A score of a day until then (<code>as_of</code>,{" "}
						<code>in_sample: true</code>) comes from a table that has seen what became of such requests: it says nothing
						of how well scores order them. The figures above are of tables that were counted for each day from the lists
						before it.
					</li>
				)}
				{without.length > 0 && (
					<li>
						<b>No record of its own.</b> Of {without.join(", ")} there are no two lists far enough apart: its chances
						are those of all operators (<code>basis: pooled</code>), and nothing judges them.
					</li>
				)}
				<li>
					<b>Advancing is no promise.</b> Most of what counts as come has an agreement and a date ahead, and is not
					built yet.
				</li>
			</ul>
		</section>
	);
}

const root = document.getElementById("page");
if (root) render(<Scores />, root);
