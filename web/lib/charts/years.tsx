import type { Reply } from "#libs/contract/index.ts";
import { Table } from "../elements/table.tsx";
import { count, power } from "../text/format.ts";
import { Columns } from "./columns.tsx";

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
