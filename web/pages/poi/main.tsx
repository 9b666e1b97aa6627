/** The page of a point of interconnection: its requests in queue order, the spellings of its name, and the upgrade costs from studies. */
import "../../style/base.css";
import "../../style/code.css";
import "../../style/facts.css";
import { programOf } from "#libs/contract/documents/programs.ts";
import type { Reply } from "#libs/contract/index.ts";
import { Failed, useOperation } from "../../lib/api/use-read.tsx";
import { FactList, mount, Section } from "../../lib/elements/page.tsx";
import { type Column, Table } from "../../lib/elements/table.tsx";
import { stageLabel } from "../../lib/requests/labels.ts";
import { Code } from "../../lib/text/code.tsx";
import { count, counted, labelOf, perKw, safeText } from "../../lib/text/format.ts";

type Point = Reply<"getPoi">;
type Sum = Point["waiting"][number]["ahead"];

const unknown = "unknown";
const path = location.pathname;

function Poi() {
	const state = useOperation("getPoi", path);
	return (
		<>
			<Failed state={state} />
			{state.data && <PointDetails point={state.data} />}
		</>
	);
}

const PointDetails = ({ point }: { point: Point }) => (
	<>
		<FactList
			facts={[
				["Grid operator", point.region],
				["Transmission owner", point.utility === null ? unknown : safeText(point.utility)],
				["Place", [point.county, point.state].filter(Boolean).join(", ") || unknown],
				["Coordinates", point.location_precision === "poi" ? `${point.lat}, ${point.lon}` : unknown],
				["Active", sumText(point.active_requests, point.active_mw)],
				["Withdrawn", sumText(point.withdrawn_requests, point.withdrawn_mw)],
				["In operation", counted(point.operational_requests, "request")],
				["Studied upgrade cost, median", costOf(point)],
			]}
		/>
		<p>
			<a href={`/explore?${new URLSearchParams({ poi_id: point.poi_id })}`}>Its requests on the map and in a table</a>
		</p>
		<Section id="waiting" title="Active requests in queue order">
			{point.waiting.length === 0 && <p>No active request is filed here.</p>}
			<p class="soft">
				Ahead of a request are the active requests of this point with an earlier queue date; a cluster counts by its
				median queue date. Suspended requests, and other voltages of the same substation, do not count.
			</p>
			{point.waiting.length > 0 && (
				<Table
					scrolls="Active requests and what is ahead of them"
					rows={point.waiting}
					attributes={({ id }) => ({ "data-id": id })}
					columns={[
						["Request", ({ id }) => <a href={`/projects/${encodeURIComponent(id)}`}>{safeText(id)}</a>],
						["Queued", ({ queue_date }) => queue_date ?? unknown, "day"],
						["Cluster", ({ cluster }) => (cluster === null ? "None" : safeText(cluster))],
						["Capacity (MW)", ({ capacity_mw }) => (capacity_mw === null ? unknown : count(capacity_mw)), "number"],
						["Requests ahead", ({ ahead }) => requestsOf(ahead), "number"],
						["Ahead (MW)", ({ ahead }) => megawattsOf(ahead), "number"],
						["Same cluster (MW)", ({ same_cluster }) => megawattsOf(same_cluster), "number"],
					]}
				/>
			)}
		</Section>
		<Section id="outcomes" title="All requests">
			<Table caption="By status" rows={point.by_status} columns={[["Status", ({ status }) => status], ...sums]} />
			<Table
				caption="By stage"
				rows={point.by_stage}
				columns={[["Stage", ({ construction_stage }) => stageLabel(construction_stage)], ...sums]}
			/>
		</Section>
		<Section id="spellings" title="Spellings">
			<p class="soft">Names under which requests are filed, and why each is the same point.</p>
			<Table
				scrolls="Names as filed"
				rows={point.aliases}
				columns={[
					["Name as filed", ({ name }) => safeText(name), "wrapped"],
					["Requests", ({ requests }) => count(requests), "number"],
					["Why it is the same", ({ evidence }) => safeText(evidence), "wrapped"],
				]}
			/>
		</Section>
		{point.related.length > 0 && (
			<Section id="related" title="Requests of one plant">
				<ul>
					{point.related.map(({ id, relation, other_id }) => (
						<li key={`${id} ${other_id}`}>
							<a href={`/projects/${encodeURIComponent(id)}`}>{safeText(id)}</a> {labelOf(relation).toLowerCase()}{" "}
							<a href={`/projects/${encodeURIComponent(other_id)}`}>{safeText(other_id)}</a>
						</li>
					))}
				</ul>
			</Section>
		)}
		<Section id="take" title="Download, or call the API">
			<Code name="the command" text={programOf.curl(call, location.origin)} />
		</Section>
	</>
);

const call = { method: "GET", address: path, body: undefined, secret: undefined, answer: "text" } as const;

const sums: Column<{ requests: number; capacity_mw: number }>[] = [
	["Requests", ({ requests }) => count(requests), "number"],
	["Capacity (MW)", ({ capacity_mw }) => count(capacity_mw), "number"],
];

const sumText = (requests: number, mw: number): string => `${counted(requests, "request")}, ${count(mw)} MW`;
const requestsOf = (sum: Sum): string => (sum === null ? unknown : count(sum.requests));
const megawattsOf = (sum: Sum): string => (sum === null ? unknown : count(sum.capacity_mw));

function costOf({ upgrade_costs: costs }: Point): string {
	if (costs === null) return "no study is known";
	return `${perKw(costs.median_usd_per_kw)} by ${costs.n === 1 ? "1 study" : `${count(costs.n)} studies`}`;
}

mount(<Poi />);
