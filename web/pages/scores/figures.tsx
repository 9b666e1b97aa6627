/** The backtest's figures: of all operators, by operator, and by day. */
import type { Reply } from "#libs/contract/index.ts";
import { Lines } from "../../lib/charts/line.tsx";
import { Reliability } from "../../lib/charts/reliability.tsx";
import { FactList } from "../../lib/elements/lists.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { count, labelOf } from "../../lib/text/format.ts";
import { threeDecimals } from "../../lib/text/quantity.ts";

export type Backtest = Reply<"getScoreBacktest">;

interface FiguresProps {
	backtest: Backtest;
}

export const Overall = ({ backtest: { overall, late_energized, score_version } }: FiguresProps) => (
	<Section id="held" title="How the chance held">
		<p>
			<code>p_cod_24</code> is the share of requests like one that operates commercially within 24 months of the day of
			the list; a withdrawal is a failure. For each of the days below the model was fitted on what was known by then,
			and what it stated was compared with what the lists show two years later. A circle on the dashed line came as it
			was stated; above it more came to operate, below it fewer.
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
						["Area by the projected date alone", threeDecimals(overall.area_by_date)],
						["Area by the milestone alone", threeDecimals(overall.area_by_milestone)],
						["Rises from group to group", overall.monotone ? "yes" : "no"],
						["Area of p_energized_24, ERCOT's requests with an agreement", threeDecimals(late_energized.area)],
					]}
				/>
				<p class="soft">
					The calibration error is the mean distance of predicted and observed over the groups, each a tenth of the
					requests by rising chance. The area is the part of pairs, of which one came to operate and one did not, that
					the chance puts in the right order: 0.5 says nothing, 1 is every pair.
				</p>
			</div>
		</div>
	</Section>
);

export const Operators = ({ backtest: { operators, overall } }: FiguresProps) => (
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
	</Section>
);

type Origin = Backtest["origins"][number];

/** The fewest judged days for which a line is clearer than rows. */
const leastDays = 4;

/** All judged days as rows, and a line for each operator with enough of them. */
export function Days({ backtest: { origins } }: FiguresProps) {
	const commercial = origins.filter(({ outcome }) => outcome === "commercial");
	const regions = [...Map.groupBy(commercial, ({ region }) => region)].filter(([, days]) => days.length >= leastDays);
	return (
		<Section id="days" title="How it was judged, day by day">
			{regions.map(([region, days]) => (
				<Lines
					key={region}
					title={`${region}: predicted and observed, by day of the list`}
					label={`${region}: mean chance as predicted and share as observed, over ${days.length} lists`}
					series={[
						{ name: "Predicted", points: pointsOf(days, "predicted") },
						{ name: "Observed two years later", points: pointsOf(days, "observed") },
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
			["Outcome", ({ outcome }) => labelOf(outcome)],
			["Months", ({ months }) => months, "number"],
			["Basis", ({ basis }) => labelOf(basis)],
			["Requests", ({ requests }) => count(requests), "number"],
			["Predicted", ({ predicted }) => threeDecimals(predicted), "number"],
			["Observed", ({ observed }) => threeDecimals(observed), "number"],
			["Error", ({ calibration_error }) => threeDecimals(calibration_error), "number"],
			["Area", ({ area }) => threeDecimals(area), "number"],
		]}
	/>
);
