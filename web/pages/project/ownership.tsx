import type { ComponentChildren } from "preact";
import type { Reply } from "#libs/contract/index.ts";
import { useOperation } from "../../lib/api/use-read.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { Noted, Table } from "../../lib/elements/table.tsx";
import { DeveloperLink } from "../../lib/requests/project-link.tsx";
import { labelOf, percent, safeText, tenthsOfPercent } from "../../lib/text/format.ts";
import { useSources } from "./origin.tsx";

type Project = Reply<"getProject">;
type Ownership = Reply<"getOwnership">;

/** Shows the chain from the filed name to the developer and its parent, with evidence, and the owners of the request's plant. */
export function Owners({ project }: { project: Project }) {
	const id = encodeURIComponent(project.id);
	const ownership = useOperation("getOwnership", `/projects/${id}/ownership`);
	const { developer_id } = project;
	const developer = useOperation("getDeveloper", developer_id === null ? undefined : `/developers/${developer_id}`);
	const chain = chainOf(project, developer.data?.data);
	const plant = ownership.data?.plant ?? null;
	return (
		<Section id="ownership" title="Ownership" reads={[ownership, developer]}>
			{chain.length > 0 && (
				<ol class="chain">
					{chain.map(({ role, name, evidence }) => (
						<li key={role} data-company={role}>
							<span class="soft">{role}</span> <b>{name}</b>
							{evidence !== null && <div class="soft">{evidence}</div>}
						</li>
					))}
				</ol>
			)}
			{ownership.data && chain.length === 0 && plant === null && (
				<p>Its operator names no developer, and no plant is known to be this request's.</p>
			)}
			{ownership.data && plant !== null && <Plant id={project.id} ownership={ownership.data} plant={plant} />}
		</Section>
	);
}

interface Link {
	role: string;
	name: ComponentChildren;
	evidence: string | null;
}

function chainOf(
	{ developer, developer_canonical, developer_id, developer_match }: Project,
	knownDeveloper: Reply<"getDeveloper">["data"] | undefined,
): Link[] {
	const links: Link[] = [];
	if (developer !== null && developer !== developer_canonical)
		links.push({ role: "Filed by", name: safeText(developer), evidence: null });
	if (developer_canonical !== null && developer_id !== null)
		links.push({
			role: "Developer",
			name: <DeveloperLink id={developer_id} name={developer_canonical} />,
			evidence: developer_match === null ? null : matchText(developer_match),
		});
	const parent = knownDeveloper?.relationships.parent;
	if (parent)
		links.push({
			role: "Parent",
			name: <DeveloperLink id={parent.developer_id} name={parent.name} />,
			evidence:
				knownDeveloper?.certainty === "seen"
					? "stated by a source"
					: knownDeveloper?.certainty === "known"
						? "general knowledge, not verified"
						: null,
		});
	return links;
}

const matchText = ({ method, confidence, matched_text, evidence, plant_id }: NonNullable<Project["developer_match"]>) =>
	[
		`${labelOf(method)}, confidence ${percent(confidence)}`,
		`matched “${safeText(matched_text, 80)}”`,
		evidence === null ? undefined : safeText(evidence, 300),
		plant_id === null ? undefined : `EIA plant ${plant_id}`,
	]
		.filter((part) => part !== undefined)
		.join("; ");

function Plant({
	id,
	ownership: { owners, years },
	plant,
}: {
	id: string;
	ownership: Ownership;
	plant: NonNullable<Ownership["plant"]>;
}) {
	const { source, shown } = useSources(id, undefined);
	return (
		<>
			<p>
				It is plant {plant.plant_id} of the EIA{plant.plant_name !== null && <>, {safeText(plant.plant_name, 80)}</>}:{" "}
				{safeText(plant.evidence, 300)}{" "}
				<span class="soft">
					({labelOf(plant.method)}, confidence {percent(plant.confidence)})
				</span>
			</p>
			{owners.length === 0 ? (
				<p>
					No loaded schedule of form EIA-860 names its owners{years.length > 0 && ` (looked at: ${years.join(", ")})`}.
				</p>
			) : (
				<Table
					caption={<>Owners of the plant, as reported to the EIA {source("owners", "Owners")}</>}
					rows={owners}
					attributes={({ owner_name }) => ({ "data-owner": owner_name })}
					columns={[
						[
							"Owner",
							({ owner_name, owner_city, owner_state }) => (
								<Noted
									text={safeText(owner_name, 80)}
									note={[owner_city, owner_state]
										.flatMap((part) => (part === null ? [] : [safeText(part, 40)]))
										.join(", ")}
								/>
							),
						],
						["Reported", ({ report_date, source }) => <Noted text={report_date} note={`(${labelOf(source)})`} />],
						["Share", ({ fraction_owned }) => tenthsOfPercent(fraction_owned), "number"],
					]}
				/>
			)}
			{shown}
		</>
	);
}
