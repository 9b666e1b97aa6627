/** The landing page: totals, the latest changes, and a first call of the API. */
import "../../style/base.css";
import "./home.css";
import { useKey } from "../../lib/api/key.ts";
import { useOperation } from "../../lib/api/use-read.tsx";
import { Figures, mount, Section } from "../../lib/elements/page.tsx";
import { Metered, Table } from "../../lib/elements/table.tsx";
import { ChangeList } from "../../lib/requests/change-list.tsx";
import { SearchBox } from "../../lib/requests/search-box.tsx";
import { Sources } from "../../lib/requests/sources.tsx";
import { CopyButton } from "../../lib/text/code.tsx";
import { count, labelOf, power } from "../../lib/text/format.ts";

const everyMs = 60_000;

/** Totals of the listed generation requests, by operator and by technology. */
function Numbers() {
	const state = useOperation("getStats", "/stats", {}, everyMs);
	const totals = state.data?.data;
	return (
		<Section id="numbers" title="Totals" reads={[state]}>
			<Figures
				figures={[
					["Active requests", totals ? count(totals.active_projects) : "–", "active"],
					["Active capacity", totals ? power(totals.active_capacity_gw * 1_000) : "–", "active_capacity_gw"],
					["Requests, of any status", totals ? count(totals.total_projects) : "–", "total_projects"],
					["Capacity of all", totals ? power(totals.total_capacity_gw * 1_000) : "–", "total_capacity_gw"],
					["Grid operators", totals?.by_iso.length ?? "–"],
				]}
			/>
			{totals && (
				<div class="columns">
					<Bars title="By grid operator" rows={totals.by_iso.map((row) => ({ ...row, name: row.iso }))} />
					<Bars
						title="By technology"
						rows={totals.by_fuel_type.map((row) => ({ ...row, name: labelOf(row.fuel_type) }))}
					/>
				</div>
			)}
		</Section>
	);
}

interface Row {
	name: string;
	count: number;
	total_mw: number;
}

/** The ten rows with the most capacity, each with a bar of it. */
function Bars({ title, rows }: { title: string; rows: Row[] }) {
	const shown = rows.toSorted((a, b) => b.total_mw - a.total_mw).slice(0, 10);
	const most = Math.max(1, ...shown.map((row) => row.total_mw));
	return (
		<Table
			caption={title}
			rows={shown}
			columns={[
				["Name", ({ name, total_mw }) => <Metered text={name} value={total_mw} most={most} />],
				["Requests", (row) => count(row.count), "number"],
				["Capacity", ({ total_mw }) => power(total_mw), "number"],
			]}
		/>
	);
}

function LatestChanges() {
	// Loaded lists may be old, so the read is not limited to recent days.
	const state = useOperation("listChanges", "/changes", { since: "2000-01-01", per_page: 10 }, everyMs);
	const changes = state.data?.data;
	return (
		<Section id="latest" title="Latest changes" reads={[state]}>
			{changes && <ChangeList changes={changes} />}
			{changes?.length === 0 && <p>No list has changed yet.</p>}
			<p>
				<a href="/changes">All changes, by day and region, and between two days</a>
			</p>
		</Section>
	);
}

/** A first call, with the visitor's key if this browser has one. */
function FirstCall() {
	const stored = useKey();
	const header = stored === undefined ? "" : ` -H 'X-API-Key: ${stored.key}'`;
	const call = `curl${header} '${location.origin}/projects?state=TX&fuel_type=Solar&per_page=5'`;
	return (
		<Section id="first-call" title="The first call">
			<pre>
				<code>{call}</code>
			</pre>
			<p>
				<CopyButton text={call} />{" "}
				{stored === undefined && (
					<>
						Works as it is; <a href="/account">a free key</a> allows more.
					</>
				)}{" "}
				<a href="/docs">All endpoints</a>, <a href="/docs/events">streams and webhooks</a>.
			</p>
		</Section>
	);
}

mount(
	<>
		<SearchBox />
		<Numbers />
		<LatestChanges />
		<FirstCall />
		<Sources />
	</>,
);
