import type { Reply } from "#libs/contract/index.ts";
import { count, filed } from "../../lib/format.ts";
import { Head, number } from "../../lib/head.tsx";
import { Scroll } from "../../lib/scroll.tsx";
import { placeOf, unexplained } from "./shown.ts";

/** One line for each comparison; its reasons are further down. */
export const Overview = ({ found: { data, computed_at } }: { found: Reply<"getReconciliation"> }) => (
	<section aria-labelledby="overview">
		<h2 id="overview">At a glance</h2>
		{computed_at !== null && <p class="soft">Compared on {computed_at.slice(0, 10)}, after the newest load.</p>}
		<Scroll label="Totals of both sides">
			<table>
				<Head
					columns={[
						"Grid operator",
						"Beside",
						"Edition",
						"Our state of",
						number("Ours"),
						number("Our MW"),
						number("Theirs"),
						number("Their MW"),
						number("Unexplained"),
					]}
				/>
				<tbody>
					{data.map((body) => (
						<tr key={placeOf(body)} data-compared={placeOf(body)}>
							<th scope="row">
								<a href={`#${placeOf(body)}`}>{body.region}</a>
							</th>
							<td class="wrapped">{filed(body.title)}</td>
							<td class="day">{body.edition}</td>
							<td class="day">{body.compared_on}</td>
							<td class="number">{count(body.ours.records)}</td>
							<td class="number">{count(body.ours.capacity_mw)}</td>
							<td class="number">{count(body.theirs.records)}</td>
							<td class="number">{count(body.theirs.capacity_mw)}</td>
							<td class="number">{unexplained(body.unexplained_share)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</Scroll>
	</section>
);
