/** Changes of requests: as a list, by day and region, and between two days. */
import "../../style/base.css";
import "../../style/chips.css";
import "../../style/columns.css";
import "../../style/list.css";
import "./changes.css";
import { useAddress } from "../../lib/api/use-address.ts";
import { useOperation } from "../../lib/api/use-read.tsx";
import { mount } from "../../lib/elements/page.tsx";
import { Calendar } from "./calendar.tsx";
import { Feed } from "./feed.tsx";
import { FilterForm } from "./filter-form.tsx";
import { type Filters, hasSpan, longestDays, readFilters, singleDay, summedDays, writeFilters } from "./filters.ts";
import { Summary } from "./summary.tsx";
import { Transitions } from "./transitions.tsx";

function Changes() {
	const [filters, choose] = useAddress<Filters>({ read: readFilters, write: writeFilters });
	const { region } = filters.further;
	const coverage = useOperation("getCoverage", "/coverage");
	const chosen = region?.split(",");
	/** The operators' list days; undefined until they are read. */
	const lists = coverage.data?.queues.filter((queue) => chosen?.includes(queue.region) ?? true);
	return (
		<>
			<FilterForm filters={filters} choose={choose} />
			<NewestChangeHint filters={filters} choose={choose} />
			<div class="columns">
				<Calendar
					region={region}
					coverage={coverage}
					lists={lists}
					last={summedDays(filters).as_of}
					day={singleDay(filters)}
					choose={(day) => choose({ ...filters, since: day, until: day })}
				/>
				<Transitions filters={filters} choose={choose} />
			</div>
			<Summary filters={filters} lists={lists} />
			<Feed filters={filters} />
		</>
	);
}

interface Props {
	filters: Filters;
	choose(filters: Filters): void;
}

/** Offers the newest changes if all loaded lists are older than the days that can be chosen. */
function NewestChangeHint({ filters, choose }: Props) {
	const { as_of } = filters;
	const { region } = filters.further;
	const state = useOperation("listChanges", "/changes", { since: "2000-01-01", per_page: 1, region }, 60_000);
	const day = state.data?.data[0]?.detected_at.slice(0, 10);
	if (state.isStale && state.data === undefined) return <div aria-busy="true" />;
	if (as_of !== undefined || day === undefined || hasSpan(filters)) return null;
	if (Date.now() - Date.parse(day) < longestDays * 86_400_000) return null;
	return (
		<p>
			The newest change is from {day}.{" "}
			<button type="button" onClick={() => choose({ ...filters, as_of: day })}>
				Show what changed until then
			</button>
		</p>
	);
}

mount(<Changes />);
