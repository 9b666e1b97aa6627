import type { Reply } from "#libs/contract/index.ts";
import { Table } from "../elements/table.tsx";
import { count, power } from "../text/format.ts";
import { Columns } from "./columns.tsx";

/** The chart begins and ends with a year of at least this share of the greatest capacity: a few odd dates would take half of it. */
const leastShare = 0.005;

/** Capacity by year. The table under the chart has every year, and the requests without a date. */
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
