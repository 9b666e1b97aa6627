import { read } from "../../lib/api.ts";
import { Failed } from "../../lib/failed.tsx";
import { count } from "../../lib/format.ts";
import { Head, number } from "../../lib/head.tsx";
import { useRead } from "../../lib/use-read.ts";

/** What each plan allows. */
export function Plans() {
	const state = useRead("plans", (signal) => read("listPlans", "/plans", {}, signal));
	return (
		<section aria-labelledby="plans">
			<h2 id="plans">Plans</h2>
			<Failed state={state} />
			<table>
				<Head columns={["Plan", number("Queries a month"), number("Requests a minute")]} />
				<tbody>
					{state.data?.plans.map(({ name, description, monthly_queries, per_minute }) => (
						<tr key={name}>
							<th scope="row">
								{name} <span class="soft">{description}</span>
							</th>
							<td class="number">{monthly_queries === null ? "Unlimited" : count(monthly_queries)}</td>
							<td class="number">{per_minute === null ? "As agreed" : count(per_minute)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}
