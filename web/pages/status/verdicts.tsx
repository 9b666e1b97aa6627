import { read } from "../../lib/api.ts";
import { Failed } from "../../lib/failed.tsx";
import { count } from "../../lib/format.ts";
import { Head, number } from "../../lib/head.tsx";
import { Scroll } from "../../lib/scroll.tsx";
import { useRead } from "../../lib/use-read.ts";

const everyMs = 60_000;
const hoursOfDay = 24;
const order = ["NEVER", "STALE", "FRESH"];

/** Whether each source is as fresh as it should be, the worst first. */
export function Verdicts() {
	const state = useRead("verdicts", (signal) => read("getFreshness", "/health/freshness", {}, signal), everyMs);
	const found = state.data;
	const pipelines = found?.pipelines.toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status));
	const days = (hours: number | null) => (hours === null ? "not known" : count(Math.floor(hours / hoursOfDay)));
	return (
		<section aria-labelledby="verdicts">
			<h2 id="verdicts">Is it fresh?</h2>
			<Failed state={state} />
			{found && found.stale_count + found.never_count > 0 && (
				<p class="failure" role="note" data-figure="stale">
					{count(found.stale_count)} of {count(found.pipelines.length)} sources are older than they should be
					{found.never_count > 0 && <>, of {count(found.never_count)} nothing was taken in yet</>}.
				</p>
			)}
			{pipelines && (
				<Scroll label="Sources by how fresh they are">
					<table>
						<Head columns={["Source", "Verdict", "State", "Newest", number("Age, days"), number("At most")]} />
						<tbody>
							{pipelines.map((one) => (
								<tr key={one.pipeline} data-pipeline={one.pipeline}>
									<th scope="row">{one.pipeline}</th>
									<td>{one.status}</td>
									<td>{one.state}</td>
									<td class="day">{one.last_success?.slice(0, 10) ?? "–"}</td>
									<td class="number">{days(one.age_hours)}</td>
									<td class="number">{days(one.max_age_hours)}</td>
								</tr>
							))}
						</tbody>
					</table>
				</Scroll>
			)}
		</section>
	);
}
