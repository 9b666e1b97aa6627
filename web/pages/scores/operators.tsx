import type { Reply } from "#libs/contract/index.ts";
import { Reliability } from "../../lib/charts/reliability.tsx";
import { count } from "../../lib/format.ts";
import { Head, number } from "../../lib/head.tsx";
import { share3 } from "../../lib/quantity.ts";
import { Scroll } from "../../lib/scroll.tsx";

type Backtest = Reply<"getScoreBacktest">;

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
