import type { Reply } from "#libs/contract/index.ts";
import { Reliability } from "../../lib/charts/reliability.tsx";
import { FactList } from "../../lib/fact-list.tsx";
import { count, words } from "../../lib/format.ts";
import { Head, number } from "../../lib/head.tsx";
import { percent1, share3 } from "../../lib/quantity.ts";

type Backtest = Reply<"getScoreBacktest">;

/** All operators together: the picture, and what its figures say. */
export function Overall({ backtest: { overall, definition, score_version, areas } }: { backtest: Backtest }) {
	return (
		<section aria-labelledby="held">
			<h2 id="held">How the chance held</h2>
			<p>
				Each open request has a chance, <code>p_built</code>. {definition}. For each of the days below the table was
				counted anew from the lists that were there by then, and what it stated was compared with what had become of the
				requests a year later. A circle on the dashed line came as it was stated; above it more were built or advancing,
				below it fewer.
			</p>
			<div class="columns">
				<Reliability title={`All operators, version ${score_version}`} groups={overall.groups} widest={440} />
				<div>
					<FactList
						facts={[
							["Requests judged", <span data-figure="requests">{count(overall.requests)}</span>],
							["Predicted, on average", <span data-figure="predicted">{share3(overall.predicted)}</span>],
							["Observed: the base rate", <span data-figure="observed">{share3(overall.observed)}</span>],
							["Calibration error", share3(overall.calibration_error)],
							["Area under the curve", share3(overall.area)],
							["Rises from group to group", overall.monotone ? "yes" : "no"],
							[
								"Observed within the predicted interval",
								overall.interval_coverage === null ? null : percent1(overall.interval_coverage),
							],
						]}
					/>
					<p class="soft">
						The calibration error is the mean distance of predicted and observed over the groups, each a tenth of the
						requests by rising chance. The area is the part of pairs, of which one was built or advancing and one was
						not, that the chance puts in the right order: 0.5 says nothing, 1 is every pair.
					</p>
					<Areas areas={areas} />
				</div>
			</div>
		</section>
	);
}

const outcomes = { reached: "Built or advancing", kept: "Built or still in the queue" };

const Areas = ({ areas }: Pick<Backtest, "areas">) => (
	<table>
		<caption>Area, by what orders the requests</caption>
		<Head columns={["Outcome", "Ordered by", number("All pairs"), number("Of one region")]} />
		<tbody>
			{areas.map(({ outcome, by, all_pairs, pairs_of_one_region }) => (
				<tr key={`${outcome} ${by}`} data-area={`${outcome} ${by}`}>
					<th scope="row">{outcomes[outcome]}</th>
					<td>{by === "p_built" ? <code>p_built</code> : words(by)}</td>
					<td class="number">{share3(all_pairs)}</td>
					<td class="number">{share3(pairs_of_one_region)}</td>
				</tr>
			))}
		</tbody>
	</table>
);
