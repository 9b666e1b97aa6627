import { useAllRows } from "../../lib/api/use-all-rows.ts";
import { Lines } from "../../lib/charts/line.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { count, power } from "../../lib/text/format.ts";

/** Portfolio on each day that a list changed it; the newest days if there are too many to draw. */
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
					most={1}
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
