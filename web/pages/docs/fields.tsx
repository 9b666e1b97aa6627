import { fieldsOf } from "#libs/schemas/fields.ts";
import { Line } from "../../lib/article.tsx";
import { Head } from "../../lib/head.tsx";
import type { Endpoint } from "./document.ts";

/** So many are shown without being asked for. */
const few = 15;

/** What the answer has, with units. */
export function Fields({ endpoint: { answers } }: { endpoint: Endpoint }) {
	const [, answer] = answers.find(([type]) => type.startsWith("application/json")) ?? [];
	if (answer === undefined) return <p>Answers {answers.map(([type]) => type).join(" or ")}.</p>;
	const fields = fieldsOf(answer.schema).slice(1);
	if (fields.length === 0) return null;
	return (
		<details class="fields" open={fields.length <= few}>
			<summary>Fields of the answer ({fields.length})</summary>
			<table class="stacked">
				<Head columns={["Field", "Type", "What it says"]} />
				<tbody>
					{fields.map(({ path, type, nullable, unit, description }) => (
						<tr key={path} data-field={path}>
							<th scope="row">
								<code>{path}</code>
							</th>
							<td>
								{type}
								{nullable && " or null"}
								{unit !== undefined && ` [${unit}]`}
							</td>
							<td>{description !== undefined && description !== unit && <Line text={description} />}</td>
						</tr>
					))}
				</tbody>
			</table>
		</details>
	);
}
