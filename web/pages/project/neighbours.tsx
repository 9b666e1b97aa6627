import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { useAllRows, useOperation } from "../../lib/api/use-read.tsx";
import { Stack } from "../../lib/charts/chart.tsx";
import { Section, TitledList } from "../../lib/elements/page.tsx";
import { Noted, Table } from "../../lib/elements/table.tsx";
import { ProjectLink } from "../../lib/requests/project-link.tsx";
import { sumByStatus } from "../../lib/requests/sums.ts";
import { count, counted, labelOf, percent, power, safeText } from "../../lib/text/format.ts";

type Project = Reply<"getProject">;

const shownFirst = 12;
/** Minimum length of a name by which the API filters (characters). */
const minNameLength = 2;

const normalizePoi = (poi: string): string => poi.trim().replace(/\s+/g, " ").toLowerCase();

/** The other requests at the same point of interconnection, of any status. */
export function Neighbors({ project }: { project: Project }) {
	const poi = project.poi?.trim() ?? "";
	const [isWhole, setWhole] = useState(false);
	const named = project.poi_id === null ? { poi } : { poi_id: project.poi_id };
	const query = {
		...{ ...named, region: project.region, include_unlisted: "true", population: "all" },
		...{ sort: "queue_date", order: "desc", fields: "id,name,status_std,type_std,capacity_mw,queue_date,poi" },
	};
	const state = useAllRows("listProjects", poi.length < minNameLength ? undefined : "/projects", query, 4);
	const point = useOperation(
		"getPoi",
		project.poi_id === null ? undefined : `/pois/${encodeURIComponent(project.poi_id)}`,
	);
	const relations = project.relations ?? [];
	if (poi.length < minNameLength) return relations.length === 0 ? null : <Related relations={relations} />;
	const found = state.data;
	const others = found?.rows.filter(
		(one) => one.id !== project.id && (project.poi_id !== null || normalizePoi(one.poi ?? "") === normalizePoi(poi)),
	);
	return (
		<Section id="neighbours" title="At the same point of interconnection" reads={[state, point]}>
			<p>{safeText(poi)}</p>
			{point.data && <Ahead id={project.id} waiting={point.data.waiting} />}
			<Related relations={relations} />
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

/** Shows what is ahead of the request at its point; renders nothing if the request is not active. */
function Ahead({ id, waiting }: { id: string } & Pick<Reply<"getPoi">, "waiting">) {
	const own = waiting.find((one) => one.id === id);
	if (own === undefined) return null;
	const { ahead, same_cluster, cluster } = own;
	return (
		<p data-ahead={ahead?.requests}>
			{ahead === null ? (
				"What is ahead of it here is not known: no queue date is filed for it."
			) : ahead.requests === 0 ? (
				<>
					<b>Nothing is ahead of it here:</b> no other active request at this point has an earlier queue date.
				</>
			) : (
				<>
					<b>Ahead of it here: {amountOf(ahead)},</b> active, with an earlier queue date. A cluster counts by its median
					queue date.
				</>
			)}
			{same_cluster !== null && same_cluster.requests > 0 && cluster !== null && (
				<>
					{" "}
					In its own cluster, {safeText(cluster, 60)}: {amountOf(same_cluster)} more here.
				</>
			)}
		</p>
	);
}

const amountOf = ({ requests, capacity_mw }: { requests: number; capacity_mw: number }): string =>
	`${counted(requests, "request")} with ${power(capacity_mw)}`;

/** Texts that introduce a related request for the same plant, by relation. */
const relationTexts: Record<Relation["relation"], string> = {
	successor_of: "It replaces",
	predecessor_of: "It was replaced by",
	sibling: "Another part of its plant:",
	alternative_of: "The same plant, studied at another point:",
};

type Relation = NonNullable<Project["relations"]>[number];

const Related = ({ relations }: { relations: Relation[] }) => (
	<TitledList
		title="Requests for the same plant, by name"
		rows={relations}
		item={({ id, relation, method, confidence }) => (
			<li key={id} data-related={id}>
				{relationTexts[relation]} <ProjectLink id={id} name={null} />{" "}
				<span class="soft">
					({labelOf(method)}, confidence {percent(confidence)})
				</span>
			</li>
		)}
	/>
);

type Others = Pick<Project, "id" | "name" | "status_std" | "type_std" | "capacity_mw" | "queue_date">[];

function Summary({ others }: { others: Others }) {
	const sums = sumByStatus(others);
	const max = Math.max(1, ...sums.map(({ mw }) => mw));
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
							<Stack sums={[sum]} max={max} />
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
