import type { Reply } from "#libs/contract/index.ts";
import { Section } from "../../lib/elements/page.tsx";
import { DeveloperLink } from "../../lib/requests/project-link.tsx";
import { count, counted, labelOf, percent, safeText } from "../../lib/text/format.ts";

type Detail = Reply<"getDeveloper">["data"];

const certainties = { seen: "stated by a source", known: "general knowledge, not verified" };
const shownAtOnce = 20;

export function Companies({ developer: { relationships, aliases, certainty, canonical_name } }: { developer: Detail }) {
	const { parent, subsidiaries, shells } = relationships;
	if (parent === null && subsidiaries.length + shells.length + aliases.length === 0) return null;
	return (
		<Section id="companies" title="Its companies">
			<ul class="tree">
				<li>
					{parent === null ? (
						<b>{safeText(canonical_name)}</b>
					) : (
						<>
							<DeveloperLink id={parent.developer_id} name={parent.name} />{" "}
							<span class="soft">parent{certainty !== null && `, ${certainties[certainty]}`}</span>
						</>
					)}
					<ul>
						{parent !== null && (
							<li>
								<b>{safeText(canonical_name)}</b>
							</li>
						)}
						{subsidiaries.map((company) => (
							<li key={company.developer_id} data-company={company.developer_id}>
								<DeveloperLink id={company.developer_id} name={company.canonical_name} />{" "}
								<span class="soft">subsidiary</span>
							</li>
						))}
						{shells.slice(0, shownAtOnce).map((shell) => (
							<Shell key={`${shell.name} ${shell.method}`} shell={shell} />
						))}
					</ul>
				</li>
			</ul>
			{shells.length > shownAtOnce && (
				<details>
					<summary>{count(shells.length - shownAtOnce)} further project companies</summary>
					<ul>
						{shells.slice(shownAtOnce).map((shell) => (
							<Shell key={`${shell.name} ${shell.method}`} shell={shell} />
						))}
					</ul>
				</details>
			)}
			{aliases.length > 0 && (
				<p>
					<span class="soft">Also called</span> {aliases.map((alias) => safeText(alias, 80)).join(", ")}
				</p>
			)}
		</Section>
	);
}

const Shell = ({
	shell: { name, method, confidence, project_count },
}: {
	shell: Detail["relationships"]["shells"][number];
}) => (
	<li data-shell={name}>
		{safeText(name)}{" "}
		<span class="soft">
			project company, {counted(project_count, "request")} · {labelOf(method)}, confidence {percent(confidence)}
		</span>
	</li>
);
