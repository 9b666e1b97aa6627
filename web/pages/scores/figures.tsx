import type { Reply } from "#libs/contract/index.ts";
import { Lines } from "../../lib/charts/line.tsx";
import { Reliability } from "../../lib/charts/reliability.tsx";
import { FactList } from "../../lib/elements/page.tsx";
import { Head, number, Scroll } from "../../lib/elements/table.tsx";
import { count, percent1, share3, words } from "../../lib/text/format.ts";

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

/** The same by operator, and what came of the requests that scored 65 or more. */
export function Operators({ backtest: { operators, overall, at_65 } }: { backtest: Backtest }) {
	return (
		<section aria-labelledby="operators">
			<h2 id="operators">By grid operator</h2>
			<div class="operators">
				{operators.map(({ region, groups }) => (
					<Reliability key={region} title={region} groups={groups} widest={300} />
				))}
			</div>
			<Scroll label="Figures by grid operator">
				<table>
					<Head
						columns={[
							"Grid operator",
							number("Requests"),
							number("Predicted"),
							number("Observed"),
							number("Calibration error"),
							number("Area"),
							"Rises",
						]}
					/>
					<tbody>
						{[...operators, { region: "All", ...overall }].map((one) => (
							<tr key={one.region} data-operator={one.region}>
								<th scope="row">{one.region}</th>
								<td class="number">{count(one.requests)}</td>
								<td class="number">{share3(one.predicted)}</td>
								<td class="number">{share3(one.observed)}</td>
								<td class="number">{share3(one.calibration_error)}</td>
								<td class="number">{share3(one.area)}</td>
								<td>{one.monotone ? "yes" : "no"}</td>
							</tr>
						))}
					</tbody>
				</table>
			</Scroll>
			<h3>Where a score of 65 stands</h3>
			<p>Of the requests that scored 65 or more on the judged days:</p>
			<table>
				<Head columns={["Grid operator", number("Requests"), number("Predicted"), number("Observed")]} />
				<tbody>
					{at_65.map(({ region, requests, predicted, observed }) => (
						<tr key={region} data-at-65={region}>
							<th scope="row">{region}</th>
							<td class="number">{count(requests)}</td>
							<td class="number">{share3(predicted)}</td>
							<td class="number">{share3(observed)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}

type Origin = Reply<"getScoreBacktest">["origins"][number];

/** From so many judged days on a line says more than a row. */
const leastDays = 4;

/** Every day that was judged: over time where an operator has many, and all as rows. */
export function Days({ backtest: { origins } }: { backtest: Pick<Reply<"getScoreBacktest">, "origins"> }) {
	const regions = [...Map.groupBy(origins, ({ region }) => region)].filter(([, days]) => days.length >= leastDays);
	return (
		<section aria-labelledby="days">
			<h2 id="days">How it was judged, day by day</h2>
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
		</section>
	);
}

const pointsOf = (days: Origin[], field: "predicted" | "observed") =>
	days.flatMap(({ from, [field]: value }) =>
		value === null ? [] : [{ day: from, value, note: `${from}: ${share3(value)}` }],
	);

const Rows = ({ origins, label }: { origins: Origin[]; label: string }) => (
	<Scroll label={label}>
		<table>
			<Head
				columns={[
					"Grid operator",
					"List of",
					"Judged by",
					"Basis",
					number("Requests"),
					number("Predicted"),
					number("Observed"),
					number("Error"),
					number("Area"),
				]}
			/>
			<tbody>
				{origins.map((one) => (
					<tr key={`${one.region} ${one.from} ${one.to}`}>
						<th scope="row">{one.region}</th>
						<td class="day">{one.from}</td>
						<td class="day">{one.to}</td>
						<td>{words(one.basis)}</td>
						<td class="number">{count(one.requests)}</td>
						<td class="number">{share3(one.predicted)}</td>
						<td class="number">{share3(one.observed)}</td>
						<td class="number">{share3(one.calibration_error)}</td>
						<td class="number">{share3(one.area)}</td>
					</tr>
				))}
			</tbody>
		</table>
	</Scroll>
);
