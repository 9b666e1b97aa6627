import type { Reply } from "#libs/contract/index.ts";
import { Lines } from "../../lib/charts/line.tsx";
import { count, words } from "../../lib/format.ts";
import { Head, number } from "../../lib/head.tsx";
import { share3 } from "../../lib/quantity.ts";
import { Scroll } from "../../lib/scroll.tsx";

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
