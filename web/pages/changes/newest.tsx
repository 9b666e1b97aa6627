import { read } from "../../lib/api.ts";
import { useRead } from "../../lib/use-read.ts";
import { type Filters, hasSpan, longestDays } from "./filters.ts";

interface Props {
	filters: Filters;
	choose(filters: Filters): void;
}

/** Lists that were loaded are not always of the last months: then what they show is offered. */
export function Newest({ filters, choose }: Props) {
	const { as_of } = filters;
	const { region } = filters.further;
	const query = { since: "2000-01-01", per_page: 1, region };
	const state = useRead(`newest ${region}`, (signal) => read("listChanges", "/changes", query, signal), 60_000);
	const day = state.data?.data[0]?.detected_at.slice(0, 10);
	if (as_of !== undefined || day === undefined || hasSpan(filters)) return null;
	if (Date.now() - Date.parse(day) < longestDays * 86_400_000) return null;
	return (
		<p>
			The newest change is of {day}.{" "}
			<button type="button" onClick={() => choose({ ...filters, as_of: day })}>
				Show what changed until then
			</button>
		</p>
	);
}
