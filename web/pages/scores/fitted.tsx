import type { Reply } from "#libs/contract/index.ts";
import { count } from "../../lib/format.ts";
import { Head, number } from "../../lib/head.tsx";

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
