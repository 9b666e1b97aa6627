import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { useAllRows } from "../../lib/api/use-all-rows.ts";
import { Stack } from "../../lib/charts/chart.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { Noted, Table } from "../../lib/elements/table.tsx";
import { ProjectLink } from "../../lib/requests/project-link.tsx";
import { sumByStatus } from "../../lib/requests/sums.ts";
import { count, labelOf, power, safeText } from "../../lib/text/format.ts";

type Project = Reply<"getProject">;

const shownFirst = 12;
/** The API does not filter by shorter names. */
const shortest = 2;

const normalizePoi = (poi: string): string => poi.trim().replace(/\s+/g, " ").toLowerCase();

/** The other requests at its point of interconnection, of any status. */
export function Neighbours({ project }: { project: Project }) {
	const poi = project.poi?.trim() ?? "";
	const [isWhole, setWhole] = useState(false);
	const named = project.poi_id === null ? { poi } : { poi_id: project.poi_id };
	const query = {
		...{ ...named, region: project.region, include_unlisted: "true", population: "all" },
		...{ sort: "queue_date", order: "desc", fields: "id,name,status_std,type_std,capacity_mw,queue_date,poi" },
	};
	const state = useAllRows("listProjects", poi.length < shortest ? undefined : "/projects", query, 4);
	if (poi.length < shortest) return null;
	const found = state.data;
	const others = found?.rows.filter(
		(one) => one.id !== project.id && (project.poi_id !== null || normalizePoi(one.poi ?? "") === normalizePoi(poi)),
	);
	return (
		<Section id="neighbours" title="At the same point of interconnection" reads={[state]}>
			<p>{safeText(poi)}</p>
			{others?.length === 0 && <p>No other request names this point.</p>}
			{others && others.length > 0 && (
				<>
					<Summary others={others} />
					<List others={isWhole ? others : others.slice(0, shownFirst)} />
					{others.length > shownFirst && !isWhole && (
						<p>
							<button type="button" onClick={() => setWhole(true)}>
								Show all {count(others.length)}
							</button>
						</p>
					)}
				</>
			)}
			{found && found.total > found.rows.length && (
				<p class="soft">
					Looked at: the newest {count(found.rows.length)} of {count(found.total)} requests whose point holds this name.
				</p>
			)}
		</Section>
	);
}

type Others = Pick<Project, "id" | "name" | "status_std" | "type_std" | "capacity_mw" | "queue_date">[];

function Summary({ others }: { others: Others }) {
	const sums = sumByStatus(others);
	const most = Math.max(1, ...sums.map(({ mw }) => mw));
	return (
		<Table
			caption="What became of them"
			rows={sums}
			attributes={({ status }) => ({ "data-neighbours": status })}
			columns={[
				[
					"Status",
					(sum) => (
						<>
							{sum.status}
							<Stack sums={[sum]} most={most} />
						</>
					),
				],
				["Requests", ({ projects }) => count(projects), "number"],
				["Capacity", ({ unstated, projects, mw }) => (unstated === projects ? "–" : power(mw)), "number"],
			]}
		/>
	);
}

const List = ({ others }: { others: Others }) => (
	<Table
		caption="Newest first"
		rows={others}
		attributes={({ id }) => ({ "data-neighbour": id })}
		columns={[
			["Request", (one) => <Noted text={<ProjectLink {...one} />} note={labelOf(one.type_std)} />],
			["Queued", ({ queue_date }) => queue_date ?? "–", "day"],
			["Status", ({ status_std }) => status_std],
			["Capacity", ({ capacity_mw }) => (capacity_mw === null ? "–" : power(capacity_mw)), "number"],
		]}
	/>
);
