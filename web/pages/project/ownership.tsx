import type { ComponentChildren } from "preact";
import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Head, number } from "../../lib/elements/table.tsx";
import { filed, percent, percent1, words } from "../../lib/text/format.ts";
import { useSources } from "./origin.tsx";

type Detail = Reply<"getProject">;
type Ownership = Reply<"getOwnership">;

/** From the name as filed to the developer and its parent, each step with what led there; and who owns the plant that it became. */
export function Owners({ project }: { project: Detail }) {
	const id = encodeURIComponent(project.id);
	const ownership = useRead(`ownership ${id}`, (signal) =>
		read("getOwnership", `/projects/${id}/ownership`, {}, signal),
	);
	const { developer_id } = project;
	const developer = useRead(`developer ${developer_id}`, async (signal) =>
		developer_id === null ? undefined : read("getDeveloper", `/developers/${developer_id}`, {}, signal),
	);
	const chain = chainOf(project, developer.data?.data);
	const plant = ownership.data?.plant ?? null;
	return (
		<section aria-labelledby="ownership">
			<h2 id="ownership">Ownership</h2>
			<Failed state={ownership} />
			<Failed state={developer} />
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
		</section>
	);
}

interface Link {
	role: string;
	name: ComponentChildren;
	evidence: string | null;
}

function chainOf(
	{ developer, developer_canonical, developer_id, developer_match }: Detail,
	known: Reply<"getDeveloper">["data"] | undefined,
): Link[] {
	const links: Link[] = [];
	if (developer !== null && developer !== developer_canonical)
		links.push({ role: "Filed by", name: filed(developer), evidence: null });
	if (developer_canonical !== null && developer_id !== null)
		links.push({
			role: "Developer",
			name: <a href={`/developers/${developer_id}`}>{filed(developer_canonical)}</a>,
			evidence: developer_match === null ? null : evidenceOf(developer_match),
		});
	const parent = known?.relationships.parent;
	if (parent)
		links.push({
			role: "Parent",
			name:
				parent.developer_id === null ? (
					filed(parent.name)
				) : (
					<a href={`/developers/${parent.developer_id}`}>{filed(parent.name)}</a>
				),
			evidence:
				known?.certainty === "seen"
					? "stands in a source"
					: known?.certainty === "known"
						? "general knowledge, not verified"
						: null,
		});
	return links;
}

const evidenceOf = ({ method, confidence, matched_text, evidence, plant_id }: NonNullable<Detail["developer_match"]>) =>
	[
		`${words(method)}, confidence ${percent(confidence)}`,
		`matched “${filed(matched_text, 80)}”`,
		evidence === null ? undefined : filed(evidence, 300),
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
				It is plant {plant.plant_id} of the EIA{plant.plant_name !== null && <>, {filed(plant.plant_name, 80)}</>}:{" "}
				{filed(plant.evidence, 300)}{" "}
				<span class="soft">
					({words(plant.method)}, confidence {percent(plant.confidence)})
				</span>
			</p>
			{owners.length === 0 ? (
				<p>
					No loaded schedule of form EIA-860 names its owners{years.length > 0 && ` (looked at: ${years.join(", ")})`}.
				</p>
			) : (
				<table>
					<caption>Owners of the plant, as reported to the EIA {source("owners", "Owners")}</caption>
					<Head columns={["Owner", "Reported", number("Share")]} />
					<tbody>
						{owners.map((owner) => (
							<tr key={`${owner.owner_name} ${owner.source} ${owner.report_date}`} data-owner={owner.owner_name}>
								<th scope="row">
									{filed(owner.owner_name, 80)}
									<span class="soft">
										{" "}
										{[owner.owner_city, owner.owner_state]
											.filter((part) => part !== null)
											.map((part) => filed(part, 40))
											.join(", ")}
									</span>
								</th>
								<td>
									{owner.report_date} <span class="soft">({words(owner.source)})</span>
								</td>
								<td class="number">{percent1(owner.fraction_owned)}</td>
							</tr>
						))}
					</tbody>
				</table>
			)}
			{shown}
		</>
	);
}
