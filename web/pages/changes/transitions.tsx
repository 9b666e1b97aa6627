import type { Reply } from "#libs/contract/index.ts";
import { readAt } from "../../lib/api/request.ts";
import { useRead } from "../../lib/api/use-read.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { type Column, Table } from "../../lib/elements/table.tsx";
import { count, counted, labelOf, power } from "../../lib/text/format.ts";
import type { Filters } from "./filters.ts";

type Compared = Reply<"compareDays">;

const dayMs = 86_400_000;
const dayBefore = (days: number): string => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

export function Transitions({ filters, choose }: { filters: Filters; choose(filters: Filters): void }) {
	const { region } = filters.further;
	const { from = dayBefore(365), to = dayBefore(0) } = filters;
	const set = (part: Pick<Filters, "from"> | Pick<Filters, "to">) => {
		if (!Object.values(part).includes("")) choose({ ...filters, ...part });
	};
	const params = { from, to, per_page: 1, ...(region !== undefined && { region }) };
	const body = JSON.stringify(params);
	const state = useRead(body, (signal) => readAt<Compared>("/compare", body, signal));
	return (
		<Section id="transitions" title="Between two days" reads={[state]}>
			<form class="filters" onSubmit={(event) => event.preventDefault()}>
				<label>
					From
					<input type="date" max={to} value={from} onChange={(event) => set({ from: event.currentTarget.value })} />
				</label>
				<label>
					To
					<input
						type="date"
						min={from}
						max={dayBefore(0)}
						value={to}
						onChange={(event) => set({ to: event.currentTarget.value })}
					/>
				</label>
			</form>
			{state.data && <Matrix compared={state.data} />}
		</Section>
	);
}

const none = "not listed";

function Matrix({ compared: { matrix, from, to } }: { compared: Compared }) {
	const cells = new Map(matrix.map((cell) => [`${cell.before ?? none}>${cell.after ?? none}`, cell]));
	const before = [...new Set(matrix.map((cell) => cell.before ?? none))].sort();
	const after = [...new Set(matrix.map((cell) => cell.after ?? none))].sort();
	if (matrix.length === 0) return <p>No list of either day was loaded.</p>;
	return (
		<>
			<p class="soft">
				{counted(from.projects, "request")} ({power(from.capacity_mw)}) on {from.day}, {count(to.projects)} (
				{power(to.capacity_mw)}) on {to.day}. Without an earlier list, all of an operator's requests count as new.
			</p>
			<Table
				scrolls={`Status on ${from.day} and on ${to.day}`}
				caption={`Status on ${from.day} (rows) and on ${to.day} (columns)`}
				rows={before}
				columns={[
					["From", (row) => labelOf(row)],
					...after.map(
						(column): Column<string> => [
							labelOf(column),
							(row) => {
								const cell = cells.get(`${row}>${column}`);
								return <span data-cell={`${row}>${column}`}>{cell === undefined ? "–" : count(cell.projects)}</span>;
							},
							"number",
						],
					),
				]}
			/>
		</>
	);
}
