import { read } from "../../lib/api.ts";
import { Failed } from "../../lib/failed.tsx";
import { ago, count } from "../../lib/format.ts";
import { Head, number } from "../../lib/head.tsx";
import { useRead } from "../../lib/use-read.ts";

const everyMs = 60_000;

/** The newest list of each operator that was taken in. */
export function Lists() {
	const state = useRead("coverage", (signal) => read("getCoverage", "/coverage", {}, signal), everyMs);
	return (
		<section aria-labelledby="lists">
			<h2 id="lists">Lists of the grid operators</h2>
			<Failed state={state} />
			{state.data && state.data.sample_databases.length > 0 && (
				<p>What is loaded is the bundled sample: invented, and not what the operators published.</p>
			)}
			<table>
				<Head columns={["Grid operator", "List", "Dated by its operator", "Loaded as of", number("Requests")]} />
				<tbody>
					{state.data?.queues.flatMap(({ region, lists }) =>
						lists.map((list) => (
							<tr key={`${region} ${list.source}`} data-list={list.source}>
								<th scope="row">{region}</th>
								<td>{list.source}</td>
								<td>{list.published_on ?? "no date in the list"}</td>
								<td>{list.as_of === null ? "–" : `${list.as_of.slice(0, 10)}, ${ago(list.as_of, Date.now())}`}</td>
								<td class="number">{count(list.requests)}</td>
							</tr>
						)),
					)}
				</tbody>
			</table>
		</section>
	);
}
