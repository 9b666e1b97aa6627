import { Line } from "../../lib/article.tsx";
import { Head, number } from "../../lib/head.tsx";
import type { Beside } from "./document.ts";

export const Errors = ({ errors }: Pick<Beside, "errors">) => (
	<section aria-labelledby="errors">
		<h2 id="errors">Errors</h2>
		<p>
			Every error is a problem (RFC 9457, <code>application/problem+json</code>) with a <code>detail</code>, a sentence
			for people, and a <code>code</code> for programs, which stays what it is; <code>type</code> leads to the row
			below, <code>request_id</code> is what to name when you report a fault, and a 422 has <code>errors</code> with
			each parameter at fault. What is answered with a status of 400 or more is not charged.
		</p>
		<table class="stacked">
			<Head columns={["Code", number("Status"), "When", "What to do"]} />
			<tbody>
				{errors.map(({ code, status, when, remedy }) => (
					<tr key={code} id={`error-${code}`} data-code={code}>
						<th scope="row">
							<code>{code}</code>
						</th>
						<td class="number">{status}</td>
						<td>
							<Line text={when} />
						</td>
						<td>
							<Line text={remedy} />
						</td>
					</tr>
				))}
			</tbody>
		</table>
	</section>
);
