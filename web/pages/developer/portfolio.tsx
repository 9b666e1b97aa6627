import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { pageRows } from "#libs/contract/vocabulary.ts";
import { walk } from "../../lib/api/all-pages.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Legend, Stack } from "../../lib/charts/chart.tsx";
import { Columns } from "../../lib/charts/columns.tsx";
import { Head, number, Pager } from "../../lib/elements/table.tsx";
import { ProjectLink } from "../../lib/requests/project-link.tsx";
import { byStatus, statusOrder, sumMw } from "../../lib/requests/sums.ts";
import { count, power, words } from "../../lib/text/format.ts";

type Row = Pick<
	Reply<"listProjects">["data"][number],
	"id" | "region" | "status_std" | "construction_stage" | "queue_date" | "capacity_mw"
>;

const unstated = "Not stated";

/** Its listed requests by stage, by grid operator and by the year in which they were queued. */
export function Breakdown({ id }: { id: number }) {
	const state = useRead(`rows ${id}`, (signal) =>
		walk<Row>(async (page) => {
			const fields = "id,region,status_std,construction_stage,queue_date,capacity_mw";
			const query = { developer_id: id, per_page: pageRows, page, fields };
			const { data, meta } = await read("listProjects", "/projects", query, signal);
			return { rows: data, total: meta.total };
		}),
	);
	const { rows, total = 0 } = state.data ?? {};
	return (
		<section aria-labelledby="portfolio">
			<h2 id="portfolio">Portfolio</h2>
			<Failed state={state} />
			{rows && rows.length > 0 && (
				<>
					{rows.length < total && (
						<p>
							Of its {count(total)} listed requests the first {count(rows.length)} are counted here.
						</p>
					)}
					<Legend
						entries={statusOrder
							.filter((status) => rows.some(({ status_std }) => status_std === status))
							.map((status) => ({ kind: status.toLowerCase(), text: status }))}
					/>
					<div class="columns">
						<Bars title="By stage of construction" rows={rows} nameOf={(row) => words(row.construction_stage)} />
						<Bars title="By grid operator" rows={rows} nameOf={(row) => row.region} />
					</div>
					<Years rows={rows} />
				</>
			)}
			{rows?.length === 0 && <p>None of its requests is listed.</p>}
		</section>
	);
}

interface BarsProps {
	title: string;
	rows: Row[];
	nameOf(row: Row): string;
	/** By name, else the largest first. */
	isByName?: boolean;
}

/** A row for each name, the largest first, with its MW by status as a bar. */
function Bars({ title, rows, nameOf, isByName = false }: BarsProps) {
	const groups = [...Map.groupBy(rows, nameOf)].map(([name, own]) => ({ name, own, mw: sumMw(own) }));
	const sorted = isByName
		? groups.toSorted((a, b) => (a.name < b.name ? -1 : 1))
		: groups.toSorted((a, b) => b.mw - a.mw);
	const most = Math.max(1, ...groups.map(({ mw }) => mw));
	return (
		<table>
			<caption>{title}</caption>
			<Head columns={["Name", number("Requests"), number("Capacity")]} />
			<tbody>
				{sorted.map(({ name, own, mw }) => (
					<tr key={name} data-group={`${title}: ${name}`}>
						<th scope="row">
							{name}
							<Stack sums={byStatus(own)} most={most} />
						</th>
						<td class="number">{count(own.length)}</td>
						<td class="number">{own.every(({ capacity_mw }) => capacity_mw === null) ? "–" : power(mw)}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

const yearOf = ({ queue_date }: Row): string => queue_date?.slice(0, 4) ?? unstated;

function Years({ rows }: { rows: Row[] }) {
	const groups = Map.groupBy(rows, yearOf);
	const known = [...groups.keys()].filter((year) => year !== unstated).map(Number);
	if (known.length === 0) return null;
	const [first, last] = [Math.min(...known), Math.max(...known)];
	// A year without a request is a gap, not a neighbour.
	const years = Array.from({ length: last - first + 1 }, (_, at) => String(first + at));
	return (
		<Columns
			title="By year in which they were queued"
			label={`Capacity by year of the queue, ${first} to ${last}`}
			columns={years.map((name) => ({ name, sums: byStatus(groups.get(name) ?? []) }))}
			text={power}
			legend={null}
			table={<Bars title="By year of the queue" rows={rows} nameOf={yearOf} isByName />}
		/>
	);
}

const atOnce = 50;

/** Its listed requests, the largest first, and how many have come how far. */
export function Portfolio({ id }: { id: string }) {
	const [page, setPage] = useState(1);
	const path = `/developers/${id}/projects`;
	const state = useRead(`${path} ${page}`, (signal) =>
		read("listDeveloperProjects", path, { page, per_page: atOnce }, signal),
	);
	const { projects, by_stage, meta } = state.data ?? {};
	return (
		<section aria-labelledby="requests">
			<h2 id="requests">Listed requests</h2>
			<Failed state={state} />
			{by_stage && (
				<p>
					{Object.entries(by_stage)
						.map(([stage, requests]) => `${words(stage)}: ${count(requests)}`)
						.join(" · ")}
				</p>
			)}
			<table>
				<Head columns={["Request", "State", "Construction", number("Capacity")]} />
				<tbody>
					{projects?.map((project) => (
						<tr key={project.id} data-id={project.id}>
							<th scope="row">
								<ProjectLink {...project} />
							</th>
							<td>{project.state ?? "–"}</td>
							<td>{words(project.stage)}</td>
							<td class="number">{project.capacity_mw === null ? "–" : power(project.capacity_mw)}</td>
						</tr>
					))}
				</tbody>
			</table>
			<Pager
				page={page}
				total={meta?.total ?? 0}
				atOnce={atOnce}
				words={{ before: "Before", next: "Next" }}
				go={setPage}
			/>
		</section>
	);
}
