/** The landing page: what there is, what moved last, and how to call it. */
import "../../style/base.css";
import "./home.css";
import { render } from "preact";
import { useKey } from "../../lib/api/key.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Head, number } from "../../lib/elements/table.tsx";
import { ChangeList } from "../../lib/requests/change-list.tsx";
import { SearchBox } from "../../lib/requests/search-box.tsx";
import { Sources } from "../../lib/requests/sources.tsx";
import { CopyButton } from "../../lib/text/code.tsx";
import { count, power, words } from "../../lib/text/format.ts";

function Home() {
	return (
		<>
			<SearchBox />
			<Numbers />
			<LatestChanges />
			<FirstCall />
			<Sources />
		</>
	);
}

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

const shown = 10;

/** The newest changes of all lists. */
export function LatestChanges() {
	// Lists that were loaded are not always of the last days.
	const query = { since: "2000-01-01", per_page: shown };
	const state = useRead("changes", (signal) => read("listChanges", "/changes", query, signal), everyMs);
	const changes = state.data?.data;
	return (
		<section aria-labelledby="latest">
			<h2 id="latest">Latest changes</h2>
			<Failed state={state} />
			{changes && <ChangeList changes={changes} />}
			{changes?.length === 0 && <p>No list has changed yet.</p>}
			<p>
				<a href="/changes">All changes, by day and region, and between two days</a>
			</p>
		</section>
	);
}

/** A first call, with the visitor's key where this browser has one. */
export function FirstCall() {
	const kept = useKey();
	const header = kept === undefined ? "" : ` -H 'X-API-Key: ${kept.key}'`;
	const call = `curl${header} '${location.origin}/projects?state=TX&fuel_type=Solar&per_page=5'`;
	return (
		<section aria-labelledby="first-call">
			<h2 id="first-call">The first call</h2>
			<pre>
				<code>{call}</code>
			</pre>
			<p>
				<CopyButton text={call} />{" "}
				{kept === undefined && (
					<>
						Works as it is; <a href="/account">a free key</a> allows more.
					</>
				)}{" "}
				<a href="/docs">All endpoints</a>, <a href="/docs/events">streams and webhooks</a>.
			</p>
		</section>
	);
}

const root = document.getElementById("page");
if (root) render(<Home />, root);
