import type { Reply } from "#libs/contract/index.ts";
import { Table } from "../elements/table.tsx";
import { count, power } from "../text/format.ts";
import { Columns } from "./columns.tsx";

/** Capacity by year, of the years with most requests. The table under the chart counts requests without a date. */
export function Years({ title, groups }: { title: string; groups: Reply<"groupProjects"> }) {
	const years = groups.data.flatMap(({ value, requests, capacity_mw }) =>
		value === null
			? []
			: [{ name: value, sums: [{ status: "All", projects: requests, mw: capacity_mw, unstated: 0 }] }],
	);
	return (
		<Columns
			title={title}
			label={title}
			columns={years.toSorted((a, b) => Number(a.name) - Number(b.name))}
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
