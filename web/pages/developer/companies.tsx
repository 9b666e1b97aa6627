import type { Reply } from "#libs/contract/index.ts";
import { count, filed, percent, words } from "../../lib/format.ts";

type Relationships = Reply<"getDeveloper">["data"]["relationships"];

/** Companies that belong to it, and the names under which its requests are filed, with how they were recognised. */
export function Companies({ subsidiaries, shells }: Pick<Relationships, "subsidiaries" | "shells">) {
	if (subsidiaries.length + shells.length === 0) return null;
	return (
		<section aria-labelledby="companies">
			<h2 id="companies">Its companies</h2>
			<ul>
				{subsidiaries.map((company) => (
					<li key={company.developer_id}>
						<a href={`/developers/${company.developer_id}`}>{filed(company.canonical_name)}</a> (subsidiary)
					</li>
				))}
				{shells.map(({ name, method, confidence, project_count }) => (
					<li key={`${name} ${method}`}>
						{filed(name)}{" "}
						<span class="soft">
							{count(project_count)} requests · {words(method)}, confidence {percent(confidence)}
						</span>
					</li>
				))}
			</ul>
		</section>
	);
}
