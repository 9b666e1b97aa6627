import { read } from "../../lib/api.ts";
import { Failed } from "../../lib/failed.tsx";
import { count, power, words } from "../../lib/format.ts";
import { Head, number } from "../../lib/head.tsx";
import { useRead } from "../../lib/use-read.ts";

const everyMs = 60_000;

/** Totals of the listed generation requests, by operator and by technology. */
export function Numbers() {
	const state = useRead("stats", (signal) => read("getStats", "/stats", {}, signal), everyMs);
	const totals = state.data?.data;
	const active = totals?.by_status.find(({ status }) => status === "Active");
	return (
		<section aria-labelledby="numbers">
			<h2 id="numbers">What the lists have</h2>
			<Failed state={state} />
			<dl class="figures">
				<div>
					<dt>Active requests</dt>
					<dd data-figure="active">{totals ? count(active?.count ?? 0) : "–"}</dd>
				</div>
				<div>
					<dt>Active capacity</dt>
					<dd data-figure="active_capacity_gw">{totals ? power(totals.active_capacity_gw * 1_000) : "–"}</dd>
				</div>
				<div>
					<dt>Requests, of any status</dt>
					<dd data-figure="total_projects">{totals ? count(totals.total_projects) : "–"}</dd>
				</div>
				<div>
					<dt>Capacity of all</dt>
					<dd data-figure="total_capacity_gw">{totals ? power(totals.total_capacity_gw * 1_000) : "–"}</dd>
				</div>
				<div>
					<dt>Grid operators</dt>
					<dd>{totals ? totals.by_iso.length : "–"}</dd>
				</div>
			</dl>
			{totals && (
				<div class="columns">
					<Bars title="By grid operator" rows={totals.by_iso.map((row) => ({ ...row, name: row.iso }))} />
					<Bars
						title="By technology"
						rows={totals.by_fuel_type.map((row) => ({ ...row, name: words(row.fuel_type) }))}
					/>
				</div>
			)}
		</section>
	);
}

interface Row {
	name: string;
	count: number;
	total_mw: number;
}

/** A table whose rows have a bar of their capacity; the longest is the whole width. */
function Bars({ title, rows }: { title: string; rows: Row[] }) {
	const shown = rows.toSorted((a, b) => b.total_mw - a.total_mw).slice(0, 10);
	const most = Math.max(1, ...shown.map((row) => row.total_mw));
	return (
		<table>
			<caption>{title}</caption>
			<Head columns={["Name", number("Requests"), number("Capacity")]} />
			<tbody>
				{shown.map((row) => (
					<tr key={row.name}>
						<th scope="row">
							{row.name}
							<meter min={0} max={most} value={row.total_mw} aria-hidden="true" />
						</th>
						<td class="number">{count(row.count)}</td>
						<td class="number">{power(row.total_mw)}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}
