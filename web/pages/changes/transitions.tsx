import type { Reply } from "#libs/contract/index.ts";
import { readByPost } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Scroll } from "../../lib/elements/table.tsx";
import { count, power, words } from "../../lib/text/format.ts";
import type { Filters } from "./filters.ts";

type Compared = Reply<"compareDays">;

const dayMs = 86_400_000;
const dayBefore = (days: number): string => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

/** The status of each request on an earlier day by its status on a later one. */
export function Transitions({ filters, choose }: { filters: Filters; choose(filters: Filters): void }) {
	const { region } = filters.further;
	const { from = dayBefore(365), to = dayBefore(0) } = filters;
	/** A field that is being emptied is no day. */
	const set = (part: Pick<Filters, "from"> | Pick<Filters, "to">) => {
		if (!Object.values(part).includes("")) choose({ ...filters, ...part });
	};
	const params = { from, to, per_page: 1, ...(region !== undefined && { region }) };
	const state = useRead(JSON.stringify(params), (signal) => readByPost("compareDays", "/compare", params, signal));
	return (
		<section aria-labelledby="transitions">
			<h2 id="transitions">Between two days</h2>
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
			<Failed state={state} />
			{state.data && <Matrix compared={state.data} />}
		</section>
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
				{count(from.projects)} requests ({power(from.capacity_mw)}) on {from.day}, {count(to.projects)} (
				{power(to.capacity_mw)}) on {to.day}; of an operator without a list of the earlier day all are new.
			</p>
			<Scroll label={`Status on ${from.day} and on ${to.day}`}>
				<table>
					<caption>
						Status on {from.day} (rows) and on {to.day} (columns)
					</caption>
					<thead>
						<tr>
							<th scope="col">From</th>
							{after.map((status) => (
								<th key={status} scope="col" class="number">
									{words(status)}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{before.map((row) => (
							<tr key={row}>
								<th scope="row">{words(row)}</th>
								{after.map((column) => {
									const cell = cells.get(`${row}>${column}`);
									return (
										<td key={column} class="number" data-cell={`${row}>${column}`}>
											{cell === undefined ? "–" : count(cell.projects)}
										</td>
									);
								})}
							</tr>
						))}
					</tbody>
				</table>
			</Scroll>
		</>
	);
}
