import { Line } from "../../lib/article.tsx";
import type { Beside } from "./document.ts";

export const Errors = ({ errors }: Pick<Beside, "errors">) => (
	<section aria-labelledby="errors">
		<h2 id="errors">Errors</h2>
		<p>
			Every error is JSON with a <code>detail</code>, a sentence; a 422 has <code>errors</code> with each parameter at
			fault. What is answered with a status of 400 or more costs nothing.
		</p>
		<table class="stacked">
			<thead>
				<tr>
					<th scope="col">Status</th>
					<th scope="col">When</th>
				</tr>
			</thead>
			<tbody>
				{errors.map(([status, description]) => (
					<tr key={status} data-status={status}>
						<th scope="row">{status}</th>
						<td>
							<Line text={description} />
						</td>
					</tr>
				))}
			</tbody>
		</table>
	</section>
);
