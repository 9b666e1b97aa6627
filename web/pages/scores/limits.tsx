import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api.ts";
import { count } from "../../lib/format.ts";
import { share3 } from "../../lib/quantity.ts";
import { useRead } from "../../lib/use-read.ts";

type Backtest = Reply<"getScoreBacktest">;

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
