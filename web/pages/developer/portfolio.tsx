import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { useAllRows, useOperation } from "../../lib/api/use-read.tsx";
import { Legend, Stack } from "../../lib/charts/chart.tsx";
import { Columns } from "../../lib/charts/columns.tsx";
import { Lines } from "../../lib/charts/line.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { Pager } from "../../lib/elements/pager.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { stageLabel } from "../../lib/requests/labels.ts";
import { ProjectLink } from "../../lib/requests/project-link.tsx";
import { statusOrder, sumByStatus, sumMw } from "../../lib/requests/sums.ts";
import { count, power } from "../../lib/text/format.ts";

type Row = Pick<
	Reply<"listProjects">["data"][number],
	"id" | "region" | "status_std" | "construction_stage" | "queue_date" | "capacity_mw"
>;

const unstated = "Not stated";

/** The developer's listed requests by stage, by grid operator and by queue year. */
export function Breakdown({ id }: { id: number }) {
	const fields = "id,region,status_std,construction_stage,queue_date,capacity_mw";
	const state = useAllRows("listProjects", "/projects", { developer_id: id, fields });
	const { total = 0 } = state.data ?? {};
	const rows: Row[] | undefined = state.data?.rows;
	return (
		<Section id="portfolio" title="Portfolio" reads={[state]}>
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
						<Bars title="By stage" rows={rows} nameOf={(row) => stageLabel(row.construction_stage)} />
						<Bars title="By grid operator" rows={rows} nameOf={(row) => row.region} />
					</div>
					<Years rows={rows} />
				</>
			)}
			{rows?.length === 0 && <p>None of its requests is listed.</p>}
		</Section>
	);
}

interface BarsProps {
	title: string;
	rows: Row[];
	nameOf(row: Row): string;
	isByName?: boolean;
}

/** A table with a row for each name, in which a bar shows the MW by status. */
function Bars({ title, rows, nameOf, isByName = false }: BarsProps) {
	const groups = [...Map.groupBy(rows, nameOf)].map(([name, own]) => ({ name, own, mw: sumMw(own) }));
	const sorted = groups.toSorted((a, b) => (isByName ? a.name.localeCompare(b.name, "en") : b.mw - a.mw));
	const max = Math.max(1, ...groups.map(({ mw }) => mw));
	return (
		<Table
			caption={title}
			rows={sorted}
			attributes={({ name }) => ({ "data-group": `${title}: ${name}` })}
			columns={[
				[
					"Name",
					({ name, own }) => (
						<>
							{name}
							<Stack sums={sumByStatus(own)} max={max} />
						</>
					),
				],
				["Requests", ({ own }) => count(own.length), "number"],
				[
					"Capacity",
					({ own, mw }) => (own.every(({ capacity_mw }) => capacity_mw === null) ? "–" : power(mw)),
					"number",
				],
			]}
		/>
	);
}

const yearOf = ({ queue_date }: Row): string => queue_date?.slice(0, 4) ?? unstated;

function Years({ rows }: { rows: Row[] }) {
	const groups = Map.groupBy(rows, yearOf);
	const known = [...groups.keys()].filter((year) => year !== unstated).map(Number);
	if (known.length === 0) return null;
	const [first, last] = [Math.min(...known), Math.max(...known)];
	// Years without a request remain as gaps.
	const years = Array.from({ length: last - first + 1 }, (_, at) => String(first + at));
	return (
		<Columns
			title="By the year in which they entered the queue"
			label={`Capacity by year of the queue, ${first} to ${last}`}
			columns={years.map((name) => ({ name, sums: sumByStatus(groups.get(name) ?? []) }))}
			text={power}
			table={<Bars title="By year of the queue" rows={rows} nameOf={yearOf} isByName />}
		/>
	);
}

const perPage = 50;

/** The developer's listed requests, largest first, and their number at each stage. */
export function Portfolio({ id }: { id: string }) {
	const [page, setPage] = useState(1);
	const state = useOperation("listDeveloperProjects", `/developers/${id}/projects`, { page, per_page: perPage });
	const { projects = [], by_stage, meta } = state.data ?? {};
	return (
		<Section id="requests" title="Listed requests" reads={[state]}>
			{by_stage && (
				<p>
					{Object.entries(by_stage)
						.map(([stage, requests]) => `${stageLabel(stage)}: ${count(requests)}`)
						.join(" · ")}
				</p>
			)}
			<Table
				rows={projects}
				attributes={({ id }) => ({ "data-id": id })}
				columns={[
					["Request", (project) => <ProjectLink {...project} />],
					["State", ({ state }) => state ?? "–"],
					["Stage", ({ stage }) => stageLabel(stage)],
					["Capacity", ({ capacity_mw }) => (capacity_mw === null ? "–" : power(capacity_mw)), "number"],
				]}
			/>
			<Pager page={page} total={meta?.total ?? 0} perPage={perPage} go={setPage} />
		</Section>
	);
}

/** The size of the portfolio on each day on which a list changed it. If there are too many days to draw, only the newest are shown. */
export function Size({ id }: { id: number }) {
	const state = useAllRows("getDeveloperHistory", `/developers/${id}/history`, { order: "desc" }, 4);
	const days = state.data?.rows;
	// A line needs two days.
	if (days !== undefined && days.length < 2) return null;
	const oldestFirst = days?.toReversed() ?? [];
	const pointsOf = (field: "active_capacity_mw" | "operating_capacity_mw", text: string) =>
		oldestFirst.map(({ day, [field]: value }) => ({ day, value, note: `${day}: ${power(value)} ${text}` }));
	return (
		<Section id="size" title="Portfolio over time" reads={[state]}>
			{days && (
				<Lines
					title="Listed capacity"
					label={`Capacity still in a queue and operating, from ${oldestFirst[0]?.day} to ${days[0]?.day}`}
					series={[
						{ name: "Still in a queue", points: pointsOf("active_capacity_mw", "still in a queue") },
						{ name: "Operating", points: pointsOf("operating_capacity_mw", "operating") },
					]}
					steps
					until={new Date().toISOString().slice(0, 10)}
					max={1}
					text={power}
					table={
						<Table
							scrolls="Portfolio by day"
							rows={days}
							attributes={({ day, active_capacity_mw }) => ({ "data-size": `${day} ${active_capacity_mw}` })}
							columns={[
								["Day", ({ day }) => day, "day"],
								["Requests", ({ total_projects }) => count(total_projects), "number"],
								["In a queue", (one) => `${count(one.active_projects)} (${power(one.active_capacity_mw)})`, "number"],
								[
									"Operating",
									(one) => `${count(one.operational_projects)} (${power(one.operating_capacity_mw)})`,
									"number",
								],
								["Withdrawn", ({ withdrawn_projects }) => count(withdrawn_projects), "number"],
							]}
						/>
					}
				/>
			)}
		</Section>
	);
}
