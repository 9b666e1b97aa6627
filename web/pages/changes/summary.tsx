import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api.ts";
import { Failed } from "../../lib/failed.tsx";
import { count, power, words } from "../../lib/format.ts";
import { useRead } from "../../lib/use-read.ts";

type Found = Reply<"summariseChanges">;

/** Counts by day and kind, and what came and left by region. */
export function Summary({ days }: { days: number }) {
	const state = useRead(
		`summary ${days}`,
		(signal) => read("summariseChanges", "/changes/summary", { since_days: days }, signal),
		60_000,
	);
	const found = state.data;
	return (
		<section aria-labelledby="summary">
			<h2 id="summary">By day and region</h2>
			<Failed state={state} />
			{found && (
				<div class="columns">
					<ByRegion found={found} />
					<ByDay rows={found.by_day} />
				</div>
			)}
		</section>
	);
}

function ByRegion({ found }: { found: Found }) {
	const came = new Map(found.new_entries_by_region.map((row) => [row.region, row]));
	const left = new Map(found.withdrawals_by_region.map((row) => [row.region, row]));
	const regions = [...new Set([...came.keys(), ...left.keys()])].sort();
	return (
		<table>
			<caption>What came and what was withdrawn</caption>
			<thead>
				<tr>
					<th scope="col">Grid operator</th>
					<th scope="col" class="number">
						New
					</th>
					<th scope="col" class="number">
						Withdrawn
					</th>
				</tr>
			</thead>
			<tbody>
				{regions.map((region) => (
					<tr key={region} data-region={region}>
						<th scope="row">{region}</th>
						<td class="number">
							{count(came.get(region)?.new_projects ?? 0)} ({power(came.get(region)?.new_mw ?? 0)})
						</td>
						<td class="number">
							{count(left.get(region)?.withdrawn ?? 0)} ({power(left.get(region)?.withdrawn_mw ?? 0)})
						</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

function ByDay({ rows }: { rows: Found["by_day"] }) {
	const days = Map.groupBy(rows, ({ day }) => day);
	const most = Math.max(1, ...[...days.values()].map(sum));
	return (
		<table>
			<caption>Changes by day</caption>
			<thead>
				<tr>
					<th scope="col">Day</th>
					<th scope="col">Kinds</th>
					<th scope="col" class="number">
						Changes
					</th>
				</tr>
			</thead>
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
