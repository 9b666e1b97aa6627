/** The backtest's figures: of all operators, by operator, and by day. */
import type { Reply } from "#libs/contract/index.ts";
import { Lines } from "../../lib/charts/line.tsx";
import { Reliability } from "../../lib/charts/reliability.tsx";
import { FactList } from "../../lib/elements/lists.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { count, labelOf } from "../../lib/text/format.ts";
import { tenthsOfPercent, threeDecimals } from "../../lib/text/quantity.ts";

export type Backtest = Reply<"getScoreBacktest">;

interface FiguresProps {
	backtest: Backtest;
}

export const Overall = ({ backtest: { overall, definition, score_version, areas } }: FiguresProps) => (
	<Section id="held" title="How the chance held">
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
						["Predicted, on average", <span data-figure="predicted">{threeDecimals(overall.predicted)}</span>],
						["Observed: the base rate", <span data-figure="observed">{threeDecimals(overall.observed)}</span>],
						["Calibration error", threeDecimals(overall.calibration_error)],
						["Area under the curve", threeDecimals(overall.area)],
						["Rises from group to group", overall.monotone ? "yes" : "no"],
						[
							"Observed within the predicted interval",
							overall.interval_coverage === null ? null : tenthsOfPercent(overall.interval_coverage),
						],
					]}
				/>
				<p class="soft">
					The calibration error is the mean distance of predicted and observed over the groups, each a tenth of the
					requests by rising chance. The area is the part of pairs, of which one was built or advancing and one was not,
					that the chance puts in the right order: 0.5 says nothing, 1 is every pair.
				</p>
				<Table
					caption="Area, by what orders the requests"
					rows={areas}
					attributes={({ outcome, by }) => ({ "data-area": `${outcome} ${by}` })}
					columns={[
						["Outcome", ({ outcome }) => outcomes[outcome]],
						["Ordered by", ({ by }) => (by === "p_built" ? <code>p_built</code> : labelOf(by))],
						["All pairs", ({ all_pairs }) => threeDecimals(all_pairs), "number"],
						["Of one region", ({ pairs_of_one_region }) => threeDecimals(pairs_of_one_region), "number"],
					]}
				/>
			</div>
		</div>
	</Section>
);

const outcomes = { reached: "Built or advancing", kept: "Built or still in the queue" };

export const Operators = ({ backtest: { operators, overall, at_65 } }: FiguresProps) => (
	<Section id="operators" title="By grid operator">
		<div class="operators">
			{operators.map(({ region, groups }) => (
				<Reliability key={region} title={region} groups={groups} widest={300} />
			))}
		</div>
		<Table
			scrolls="Figures by grid operator"
			rows={[...operators, { region: "All", ...overall }]}
			attributes={({ region }) => ({ "data-operator": region })}
			columns={[
				["Grid operator", ({ region }) => region],
				["Requests", ({ requests }) => count(requests), "number"],
				["Predicted", ({ predicted }) => threeDecimals(predicted), "number"],
				["Observed", ({ observed }) => threeDecimals(observed), "number"],
				["Calibration error", ({ calibration_error }) => threeDecimals(calibration_error), "number"],
				["Area", ({ area }) => threeDecimals(area), "number"],
				["Rises", ({ monotone }) => (monotone ? "yes" : "no")],
			]}
		/>
		<h3>Where a score of 65 stands</h3>
		<p>Of the requests that scored 65 or more on the judged days:</p>
		<Table
			rows={at_65}
			attributes={({ region }) => ({ "data-at-65": region })}
			columns={[
				["Grid operator", ({ region }) => region],
				["Requests", ({ requests }) => count(requests), "number"],
				["Predicted", ({ predicted }) => threeDecimals(predicted), "number"],
				["Observed", ({ observed }) => threeDecimals(observed), "number"],
			]}
		/>
	</Section>
);

type Origin = Backtest["origins"][number];

/** The fewest judged days for which a line is clearer than rows. */
const leastDays = 4;

/** All judged days as rows, and a line for each operator with enough of them. */
export function Days({ backtest: { origins } }: FiguresProps) {
	const regions = [...Map.groupBy(origins, ({ region }) => region)].filter(([, days]) => days.length >= leastDays);
	return (
		<Section id="days" title="How it was judged, day by day">
			{regions.map(([region, days]) => (
				<Lines
					key={region}
					title={`${region}: predicted and observed, by day of the list`}
					label={`${region}: mean chance as predicted and share as observed, over ${days.length} lists`}
					series={[
						{ name: "Predicted", points: pointsOf(days, "predicted") },
						{ name: "Observed a year later", points: pointsOf(days, "observed") },
					]}
					most={0.5}
					text={(value) => value.toFixed(1)}
					table={<Rows origins={days} label={`Judged days of ${region}`} />}
				/>
			))}
			<details>
				<summary>All {count(origins.length)} days</summary>
				<Rows origins={origins} label="Judged days of all" />
			</details>
		</Section>
	);
}

const pointsOf = (days: Origin[], field: "predicted" | "observed") =>
	days.flatMap(({ from, [field]: value }) =>
		value === null ? [] : [{ day: from, value, note: `${from}: ${threeDecimals(value)}` }],
	);

const Rows = ({ origins, label }: { origins: Origin[]; label: string }) => (
	<Table
		scrolls={label}
		rows={origins}
		columns={[
			["Grid operator", ({ region }) => region],
			["List of", ({ from }) => from, "day"],
			["Judged by", ({ to }) => to, "day"],
			["Basis", ({ basis }) => labelOf(basis)],
			["Requests", ({ requests }) => count(requests), "number"],
			["Predicted", ({ predicted }) => threeDecimals(predicted), "number"],
			["Observed", ({ observed }) => threeDecimals(observed), "number"],
			["Error", ({ calibration_error }) => threeDecimals(calibration_error), "number"],
			["Area", ({ area }) => threeDecimals(area), "number"],
		]}
	/>
);
