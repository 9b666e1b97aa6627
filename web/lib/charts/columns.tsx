import type { ComponentChildren } from "preact";
import type { Reply } from "#libs/contract/index.ts";
import { Table } from "../elements/table.tsx";
import type { StatusSum } from "../requests/sums.ts";
import { count, counted, power } from "../text/format.ts";
import { Chart, ValueAxis } from "./chart.tsx";
import { axisWidth, linear, ticksTo } from "./scale.ts";

export interface Column {
	name: string;
	sums: StatusSum[];
}

interface ColumnsProps {
	title: string;
	label: string;
	columns: Column[];
	text(value: number): string;
	table: ComponentChildren;
}

const margins = { right: 4, top: 10, bottom: 24 };
const columnNameWidth = 40;

export function Columns({ columns, text, ...rest }: ColumnsProps) {
	const ticks = ticksTo(
		Math.max(0, ...columns.map(({ sums }) => sums.reduce((sum, { mw }) => sum + Math.max(0, mw), 0))),
	);
	const edge = { ...margins, left: axisWidth(ticks.map(text)) };
	return (
		<Chart
			{...rest}
			height={() => 220}
			maxWidth={140 + columns.length * 72}
			draw={(width, height) => {
				const y = linear([0, ticks.at(-1) ?? 0], [height - edge.bottom, edge.top]);
				const step = (width - edge.left - edge.right) / Math.max(1, columns.length);
				const every = Math.ceil(columnNameWidth / step);
				return (
					<>
						<ValueAxis ticks={ticks} text={text} y={y} from={edge.left} to={width - edge.right} />
						{columns.map(({ name, sums }, at) => {
							const x = edge.left + at * step;
							let below = 0;
							return (
								<g key={name}>
									{sums.map(({ status, mw, projects }) => {
										const from = below;
										below += Math.max(0, mw);
										return (
											<rect
												key={status}
												class={status.toLowerCase()}
												x={x + step * 0.12}
												width={step * 0.76}
												y={y(below)}
												height={y(from) - y(below)}
											>
												<title>{`${name}: ${status}, ${counted(projects, "request")}, ${text(mw)}`}</title>
											</rect>
										);
									})}
									{at % every === 0 && (
										<text x={x + step / 2} y={height - 7} text-anchor="middle">
											{name}
										</text>
									)}
								</g>
							);
						})}
						<line class="axis" x1={edge.left} x2={width - edge.right} y1={y(0)} y2={y(0)} />
					</>
				);
			}}
		/>
	);
}

/**
 * Least capacity, as a share of the greatest, of the first and last year shown: otherwise a few implausible dates would take half the chart.
 */
const leastShare = 0.005;

/** A chart of capacity by year. The table below it has every year, and the requests without a date. */
export function Years({ title, groups }: { title: string; groups: Reply<"groupProjects"> }) {
	const byYear = new Map(groups.data.flatMap((row) => (row.value === null ? [] : [[Number(row.value), row]])));
	const least = leastShare * Math.max(0, ...[...byYear.values()].map(({ capacity_mw }) => capacity_mw));
	const shown = [...byYear].filter(([, { capacity_mw }]) => capacity_mw >= least).map(([year]) => year);
	const [first, last] = [Math.min(...shown), Math.max(...shown)];
	const years = shown.length === 0 ? [] : Array.from({ length: last - first + 1 }, (_, at) => first + at);
	const columns = years.map((year) => {
		const { requests = 0, capacity_mw = 0 } = byYear.get(year) ?? {};
		return { name: String(year), sums: [{ status: "All", projects: requests, mw: capacity_mw, unstated: 0 }] };
	});
	return (
		<Columns
			title={title}
			label={title}
			columns={columns}
			text={power}
			table={
				<Table
					rows={groups.data.toSorted((a, b) => Number(b.value) - Number(a.value))}
					columns={[
						["Year", ({ value }) => value ?? "unknown"],
						["Requests", ({ requests }) => count(requests), "number"],
						["Capacity", ({ capacity_mw }) => power(capacity_mw), "number"],
					]}
				/>
			}
		/>
	);
}
