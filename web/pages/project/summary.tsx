import type { ComponentChildren } from "preact";
import type { Reply } from "#libs/contract/index.ts";
import { useOperation } from "../../lib/api/use-read.tsx";
import { safeText } from "../../lib/text/format.ts";
import { Facts } from "./facts.tsx";
import { PlaceMap } from "./place-map.tsx";
import { Watch } from "./watch.tsx";

type Project = Reply<"getProject">;

/** The facts that a lender reads first, on one screen: status, chance, dates, companies and place. */
export const Summary = ({ project, as_of }: { project: Project; as_of: string | undefined }) => (
	<div class="summary">
		<div>
			<Facts project={project} as_of={as_of} />
			<Source project={project} as_of={as_of} />
			{as_of === undefined && (
				<div class="toolbar">
					<Watch id={project.id} />
					<a href={`/projects/compare?ids=${encodeURIComponent(project.id)}`}>Compare with another</a>
					<a href="#history">History</a>
				</div>
			)}
		</div>
		<PlaceMap project={project} as_of={as_of} />
	</div>
);

/** The operator's list that states the request, and the file that was read. */
function Source({ project, as_of }: { project: Project; as_of: string | undefined }) {
	const path = `/projects/${encodeURIComponent(project.id)}/provenance`;
	const origin = useOperation("getProjectProvenance", path, { field: "queue_id", as_of });
	const catalog = useOperation("getDataCatalog", "/catalog/data");
	const list = catalog.data?.datasets.flatMap(({ sources }) => sources).find(({ source }) => source === project.feed);
	const file = origin.data?.files[0];
	return (
		<p class="soft listed-in">
			{file && (
				<>
					Listed in <Linked text={safeText(file.name, 80)} address={file.url} /> of {file.as_of.slice(0, 10)}
				</>
			)}
			{file && list && (
				<>
					, from <Linked text={list.title} address={list.url} /> ({list.publisher})
				</>
			)}
		</p>
	);
}

/** A link to another site, or plain text without an address. */
const Linked = ({ text, address }: { text: string; address: string | null }): ComponentChildren =>
	address !== null && /^https?:/.test(address) ? <a href={address}>{text}</a> : text;
