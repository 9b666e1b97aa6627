import type { Reply } from "#libs/contract/index.ts";
import { count, filed, percent, words } from "../../lib/text/format.ts";

type Detail = Reply<"getDeveloper">["data"];

const certainties = { seen: "stands in a source", known: "general knowledge, not verified" };
const atOnce = 20;

/** Its parent, the companies that belong to it, its other names, and the names under which its requests are filed. */
export function Companies({ developer: { relationships, aliases, certainty, canonical_name } }: { developer: Detail }) {
	const { parent, subsidiaries, shells } = relationships;
	if (parent === null && subsidiaries.length + shells.length + aliases.length === 0) return null;
	return (
		<section aria-labelledby="companies">
			<h2 id="companies">Its companies</h2>
			<ul class="tree">
				<li>
					{parent === null ? (
						<b>{filed(canonical_name)}</b>
					) : (
						<>
							{parent.developer_id === null ? (
								<b>{filed(parent.name)}</b>
							) : (
								<a href={`/developers/${parent.developer_id}`}>{filed(parent.name)}</a>
							)}{" "}
							<span class="soft">parent{certainty !== null && `, ${certainties[certainty]}`}</span>
						</>
					)}
					<ul>
						{parent !== null && (
							<li>
								<b>{filed(canonical_name)}</b>
							</li>
						)}
						{subsidiaries.map((company) => (
							<li key={company.developer_id} data-company={company.developer_id}>
								<a href={`/developers/${company.developer_id}`}>{filed(company.canonical_name)}</a>{" "}
								<span class="soft">subsidiary</span>
							</li>
						))}
						{shells.slice(0, atOnce).map((shell) => (
							<Shell key={`${shell.name} ${shell.method}`} shell={shell} />
						))}
					</ul>
				</li>
			</ul>
			{shells.length > atOnce && (
				<details>
					<summary>{count(shells.length - atOnce)} further project companies</summary>
					<ul>
						{shells.slice(atOnce).map((shell) => (
							<Shell key={`${shell.name} ${shell.method}`} shell={shell} />
						))}
					</ul>
				</details>
			)}
			{aliases.length > 0 && (
				<p>
					<span class="soft">Also called</span> {aliases.map((alias) => filed(alias, 80)).join(", ")}
				</p>
			)}
		</section>
	);
}

const Shell = ({
	shell: { name, method, confidence, project_count },
}: {
	shell: Detail["relationships"]["shells"][number];
}) => (
	<li data-shell={name}>
		{filed(name)}{" "}
		<span class="soft">
			project company, {count(project_count)} {project_count === 1 ? "request" : "requests"} · {words(method)},
			confidence {percent(confidence)}
		</span>
	</li>
);
