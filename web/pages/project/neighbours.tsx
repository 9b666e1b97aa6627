import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { pageRows } from "#libs/contract/vocabulary.ts";
import { walk } from "../../lib/api/all-pages.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Stack } from "../../lib/charts/chart.tsx";
import { Head, number } from "../../lib/elements/table.tsx";
import { ProjectLink } from "../../lib/requests/project-link.tsx";
import { byStatus } from "../../lib/requests/sums.ts";
import { count, filed, power, words } from "../../lib/text/format.ts";

type Detail = Reply<"getProject">;

const mostPages = 4;
const shownFirst = 12;
/** The filter needs as much of a name. */
const shortest = 2;

const same = (poi: string): string => poi.trim().replace(/\s+/g, " ").toLowerCase();

/** The other requests at its point of interconnection, whatever became of them. */
export function Neighbours({ project }: { project: Detail }) {
	const poi = project.poi?.trim() ?? "";
	const [isWhole, setWhole] = useState(false);
	const state = useRead(`poi ${project.region} ${poi}`, async (signal) => {
		if (poi.length < shortest) return undefined;
		const fields = "id,name,status_std,type_std,capacity_mw,queue_date,poi";
		const query = {
			...{ poi, region: project.region, include_unlisted: "true", population: "all" },
			...{ sort: "queue_date", order: "desc", per_page: pageRows, fields },
		};
		return walk(async (page) => {
			const { data, meta } = await read("listProjects", "/projects", { ...query, page }, signal);
			return { rows: data, total: meta.total };
		}, mostPages);
	});
	if (poi.length < shortest) return null;
	const found = state.data;
	const others = found?.rows.filter((one) => one.id !== project.id && one.poi !== null && same(one.poi) === same(poi));
	return (
		<section aria-labelledby="neighbours">
			<h2 id="neighbours">At the same point of interconnection</h2>
			<p>{filed(poi)}</p>
			<Failed state={state} />
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
		</section>
	);
}

type Others = Pick<Detail, "id" | "name" | "status_std" | "type_std" | "capacity_mw" | "queue_date">[];

function Summary({ others }: { others: Others }) {
	const sums = byStatus(others);
	const most = Math.max(1, ...sums.map(({ mw }) => mw));
	return (
		<table>
			<caption>What became of them</caption>
			<Head columns={["Status", number("Requests"), number("Capacity")]} />
			<tbody>
				{sums.map((sum) => (
					<tr key={sum.status} data-neighbours={sum.status}>
						<th scope="row">
							{sum.status}
							<Stack sums={[sum]} most={most} />
						</th>
						<td class="number">{count(sum.projects)}</td>
						<td class="number">{sum.unstated === sum.projects ? "–" : power(sum.mw)}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

const List = ({ others }: { others: Others }) => (
	<table>
		<caption>Newest first</caption>
		<Head columns={["Request", "Queued", "Status", number("Capacity")]} />
		<tbody>
			{others.map((one) => (
				<tr key={one.id} data-neighbour={one.id}>
					<th scope="row">
						<ProjectLink {...one} /> <span class="soft">{words(one.type_std)}</span>
					</th>
					<td class="day">{one.queue_date ?? "–"}</td>
					<td>{one.status_std}</td>
					<td class="number">{one.capacity_mw === null ? "–" : power(one.capacity_mw)}</td>
				</tr>
			))}
		</tbody>
	</table>
);
