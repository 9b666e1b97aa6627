/** The backtest's figures: for all operators, by operator, and by day. */
import type { Reply } from "#libs/contract/index.ts";
import { Chart, Legend, ValueAxis } from "../../lib/charts/chart.tsx";
import { Lines } from "../../lib/charts/line.tsx";
import { Reliability } from "../../lib/charts/reliability.tsx";
import { linear } from "../../lib/charts/scale.ts";
import { FactList, Section } from "../../lib/elements/page.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { count, labelOf, threeDecimals } from "../../lib/text/format.ts";

export type Backtest = Reply<"getScoreBacktest">;

interface FiguresProps {
	backtest: Backtest;
}

export const Overall = ({ backtest: { overall, by_chance, late_energized, score_version } }: FiguresProps) => (
	<Section id="held" title="How often the chances were right">
		<ByChance groups={by_chance} />
		<h3>By tenth of the requests</h3>
		<p>
			<code>p_cod_24</code> is the predicted share of similar requests that operate commercially within 24 months of the
			list's day; a withdrawal counts as a failure. For each day below, the model was fitted on the lists known by then,
			and its predictions were compared with the lists of two years later. A circle on the dashed line means that the
			prediction was right: above the line more requests came to operate than predicted, below it fewer.
		</p>
		<div class="columns">
			<Reliability title={`All operators, version ${score_version}`} groups={overall.groups} maxWidth={440} />
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
					The calibration error is the mean difference between predicted and observed shares over ten groups of
					requests, ordered by chance. The area under the curve is the share of pairs (one request that came to operate,
					one that did not) that the chance orders correctly: 0.5 is no better than guessing, 1 is perfect.
				</p>
			</div>
		</div>
	</Section>
);

type ChanceGroup = Backtest["by_chance"][number];

const edge = { left: 46, right: 8, top: 22, bottom: 42 };
const nameWidth = 52;
/** Minimum number of requests for a reliable chance. */
const minReliableRequests = 30;

const spanOf = ({ from, to }: ChanceGroup): string => `${Math.round(100 * from)}–${Math.round(100 * to)}`;
const operatingOf100 = ({ requests, came }: ChanceGroup): number => Math.round((100 * came) / Math.max(1, requests));

/** A chart with the shares of requests that came to operate as bars, and the stated chances as frames. */
function ByChance({ groups }: { groups: ChanceGroup[] }) {
	const shown = groups.filter(({ requests }) => requests > 0);
	const tooHigh = shown.filter(({ from, requests, came }) => came / requests < from);
	const example = shown.find(({ from, requests }) => from >= 0.4 && requests >= minReliableRequests);
	return (
		<>
			{example && (
				<p class="example" data-figure="example">
					Of 100 requests to which it gave a chance of {spanOf(example)} %, {operatingOf100(example)} were operating two
					years later.
				</p>
			)}
			<p>
				Each request got its chance from a model that knew only the lists up to that day. Two years later, we counted
				which of them operate. The frame is the stated chance. A bar that ends inside its frame shows that the chance
				was right; a bar that ends lower shows that it was too high, as in {count(tooHigh.length)} of these{" "}
				{count(shown.length)} groups.
			</p>
			<Chart
				title="Of 100 requests with this chance, how many were operating two years later"
				label={`Stated chance and requests that were operating two years later: ${shown.map((group) => `${spanOf(group)} %: ${operatingOf100(group)} of 100`).join("; ")}`}
				height={() => 300}
				maxWidth={760}
				legend={
					<Legend
						entries={[
							{ kind: "mark", text: "operating two years later" },
							{ kind: "stated", text: "the chance as it was stated" },
						]}
					/>
				}
				draw={(width, height) => {
					const y = linear([0, 1], [height - edge.bottom, edge.top]);
					const step = (width - edge.left - edge.right) / Math.max(1, shown.length);
					const every = Math.ceil(nameWidth / step);
					return (
						<>
							<ValueAxis
								ticks={[0, 0.25, 0.5, 0.75, 1]}
								text={(value) => String(100 * value)}
								{...{ y, from: edge.left, to: width - edge.right }}
							/>
							{shown.map((group, at) => {
								const x = edge.left + at * step;
								const share = group.came / group.requests;
								return (
									<g key={group.from}>
										<rect class="mark" x={x + step * 0.25} width={step * 0.5} y={y(share)} height={y(0) - y(share)}>
											<title>{`${group.came} of ${count(group.requests)} requests with a chance of ${spanOf(group)} %`}</title>
										</rect>
										<rect
											class="stated"
											x={x + step * 0.1}
											width={step * 0.8}
											y={y(group.to)}
											height={y(group.from) - y(group.to)}
										/>
										<text x={x + step / 2} y={Math.min(y(share), y(group.to)) - 5} text-anchor="middle">
											{operatingOf100(group)}
										</text>
										{at % every === 0 && (
											<text x={x + step / 2} y={height - edge.bottom + 16} text-anchor="middle">
												{spanOf(group)} %
											</text>
										)}
									</g>
								);
							})}
							<line class="axis" x1={edge.left} x2={width - edge.right} y1={y(0)} y2={y(0)} />
							<text x={(edge.left + width) / 2} y={height - 6} text-anchor="middle">
								the chance that was stated
							</text>
						</>
					);
				}}
				table={
					<Table
						rows={groups}
						attributes={({ from, requests, came }) => ({ "data-chance": `${from} ${requests} ${came}` })}
						columns={[
							["Stated chance (%)", spanOf],
							["Requests", ({ requests }) => count(requests), "number"],
							["Operating", ({ came }) => count(came), "number"],
							[
								"Of 100",
								(group) => (group.requests < minReliableRequests ? "too few" : operatingOf100(group)),
								"number",
							],
						]}
					/>
				}
			/>
		</>
	);
}

export const Operators = ({ backtest: { operators, overall } }: FiguresProps) => (
	<Section id="operators" title="By grid operator">
		<div class="operators">
			{operators.map(({ region, groups }) => (
				<Reliability key={region} title={region} groups={groups} maxWidth={300} />
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

/** Minimum number of days for which a line chart is clearer than a table. */
const minDays = 4;

/** A table of all days that were evaluated, and a line chart for each operator with enough such days. */
export function Days({ backtest: { origins } }: FiguresProps) {
	const commercial = origins.filter(({ outcome }) => outcome === "commercial");
	const regions = [...Map.groupBy(commercial, ({ region }) => region)].filter(([, days]) => days.length >= minDays);
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
					max={0.5}
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
