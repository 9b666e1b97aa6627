import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Head, number, Scroll } from "../../lib/elements/table.tsx";
import { count, power, words } from "../../lib/text/format.ts";
import { dayOf, type Filters, hasSpan, longestDays, summedDays } from "./filters.ts";

type Found = Reply<"summariseChanges">;

/** Counts by region and by day, each by kind. */
export function Summary({ filters }: { filters: Filters }) {
	const { since_days: days, as_of, isPart } = summedDays(filters);
	const { region, ...others } = filters.further;
	const query = { since_days: days, as_of, region };
	const state = useRead(
		`summary ${days} ${as_of} ${region}`,
		(signal) => read("summariseChanges", "/changes/summary", query, signal),
		60_000,
	);
	const found = state.data;
	return (
		<section aria-labelledby="summary">
			<h2 id="summary">{titleOf(filters, days, as_of)}</h2>
			{isPart && <p class="soft">At most {longestDays} days are summed: these are the last of the span.</p>}
			{Object.keys(others).length > 0 && (
				<p class="soft">These sums are of all requests; the list of changes below is of those that are chosen.</p>
			)}
			<Failed state={state} />
			{found?.by_day.length === 0 && <p>No list of these days shows a change.</p>}
			{found !== undefined && found.by_day.length > 0 && (
				<>
					<ByRegion found={found} />
					<ByDay rows={found.by_day} />
				</>
			)}
		</section>
	);
}

function titleOf(filters: Filters, days: number, last: string | undefined): string {
	const day = dayOf(filters);
	if (day !== undefined) return `On ${day}`;
	if (hasSpan(filters) && filters.since !== undefined) return `From ${filters.since} to ${last ?? "today"}`;
	const span = days === 1 ? "The last day" : `The last ${days} days`;
	return last === undefined ? span : `${span} up to ${last}`;
}

/** What came, what left and what moved. */
const columns: [kind: Found["by_day"][number]["change_type"], heading: string][] = [
	["status_change", "Status"],
	["capacity_change", "MW"],
	["cod_change", "COD"],
	["disappeared", "Not listed"],
];

function ByRegion({ found }: { found: Found }) {
	const came = new Map(found.new_entries_by_region.map((row) => [row.region, row]));
	const left = new Map(found.withdrawals_by_region.map((row) => [row.region, row]));
	const moved = new Map(found.by_region.map((row) => [`${row.region} ${row.change_type}`, row.count]));
	const regions = [...new Set([...found.by_region.map(({ region }) => region), ...left.keys()])].sort();
	return (
		<Scroll label="Changes by grid operator">
			<table>
				<caption>What came, what was withdrawn and what moved</caption>
				<thead>
					<tr>
						<th scope="col">Grid operator</th>
						{["New", "Withdrawn", ...columns.map(([, heading]) => heading)].map((heading) => (
							<th key={heading} scope="col" class="number">
								{heading}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{regions.map((region) => (
						<tr key={region} data-region={region}>
							<th scope="row">{region}</th>
							<Sum requests={came.get(region)?.new_projects} mw={came.get(region)?.new_mw} />
							<Sum requests={left.get(region)?.withdrawn} mw={left.get(region)?.withdrawn_mw} />
							{columns.map(([kind]) => (
								<td key={kind} class="number" data-kind={kind}>
									{count(moved.get(`${region} ${kind}`) ?? 0)}
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</Scroll>
	);
}

const Sum = ({ requests = 0, mw = 0 }: { requests: number | undefined; mw: number | undefined }) => (
	<td class="number">
		{count(requests)} {requests > 0 && <span class="soft">({power(mw)})</span>}
	</td>
);

function ByDay({ rows }: { rows: Found["by_day"] }) {
	const days = Map.groupBy(rows, ({ day }) => day);
	const most = Math.max(1, ...[...days.values()].map(sum));
	return (
		<table>
			<caption>Changes by day</caption>
			<Head columns={["Day", "Kinds", number("Changes")]} />
			<tbody>
				{[...days].map(([day, kinds]) => (
					<tr key={day}>
						<th scope="row" class="day">
							{day}
						</th>
						<td>
							<span class="soft">
								{kinds.map((kind) => `${words(kind.change_type).toLowerCase()} ${count(kind.count)}`).join(", ")}
							</span>
							<meter min={0} max={most} value={sum(kinds)} aria-hidden="true" />
						</td>
						<td class="number">{count(sum(kinds))}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

const sum = (kinds: { count: number }[]): number => kinds.reduce((total, kind) => total + kind.count, 0);
