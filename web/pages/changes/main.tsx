/** Changes of requests: as a list, by day and region, and between two days. */
import "../../style/base.css";
import "../../style/chips.css";
import "../../style/columns.css";
import "../../style/list.css";
import "./changes.css";
import { isScoreFilter } from "#libs/contract/vocabulary.ts";
import { useAddress } from "../../lib/api/use-address.ts";
import { useOperation } from "../../lib/api/use-read.tsx";
import { mount } from "../../lib/elements/page.tsx";
import { activeFilters } from "../../lib/requests/filters.ts";
import { Calendar } from "./calendar.tsx";
import { Feed } from "./feed.tsx";
import { FilterForm } from "./filter-form.tsx";
import { type Filters, hasSpan, keepDays, readFilters, singleDay, summedDays, writeFilters } from "./filters.ts";
import { Summary } from "./summary.tsx";
import { Transitions } from "./transitions.tsx";

function Changes() {
	const [inAddress, setFilters] = useAddress<Filters>({ read: readFilters, write: writeFilters });
	const { region } = inAddress.further;
	const newest = useNewest(inAddress);
	// The API does not filter past days by scores, so a page with such a filter cannot move to a past day.
	const canMove = !Object.keys(inAddress.further).some(isScoreFilter);
	/** Whether the page shows the days up to the newest change, because there are no changes in the last days and none were chosen. */
	const showsNewest = canMove && !inAddress.hasDays && newest !== undefined && isOlder(newest, inAddress);
	const filters = showsNewest ? { ...inAddress, as_of: newest } : inAddress;
	const choose = (chosen: Filters) => setFilters(keepDays(inAddress, filters, chosen));
	const coverage = useOperation("getCoverage", "/coverage");
	const selectedRegions = region?.split(",");
	/** The days of the selected operators' lists; undefined until they are read. */
	const lists = coverage.data?.queues.filter((queue) => selectedRegions?.includes(queue.region) ?? true);
	return (
		<>
			<FilterForm filters={filters} choose={choose} />
			{showsNewest ? (
				<p role="status" data-newest>
					The newest change is from {newest}: this is what changed in the {filters.since_days} days until then.
				</p>
			) : (
				newest !== undefined &&
				filters.as_of === undefined &&
				!hasSpan(filters) &&
				isOlder(newest, filters) && (
					<p data-newest>
						The newest change is from {newest}.{" "}
						{canMove && (
							<button type="button" onClick={() => choose({ ...filters, as_of: newest })}>
								Show what changed until then
							</button>
						)}
					</p>
				)
			)}
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

/** The day of the newest change that the filters select; undefined until it is read, or if there is none. */
function useNewest({ change_type, further }: Filters): string | undefined {
	const query = { since: "2000-01-01", per_page: 1, ...activeFilters(further), change_type };
	const state = useOperation("listChanges", "/changes", query, 60_000);
	return state.isStale ? undefined : state.data?.data[0]?.detected_at.slice(0, 10);
}

const isOlder = (day: string, { since_days }: Filters): boolean =>
	Date.now() - Date.parse(day) > since_days * 86_400_000;

mount(<Changes />);
