/** The landing page: uses of the service, totals, the latest changes, and a first API call. */
import "../../style/base.css";
import "./home.css";
import type { Reply } from "#libs/contract/index.ts";
import { useKey } from "../../lib/api/key.ts";
import { useOperation } from "../../lib/api/use-read.tsx";
import { Years } from "../../lib/charts/columns.tsx";
import { Figures, mount, Section } from "../../lib/elements/page.tsx";
import { type Column, Metered, Table } from "../../lib/elements/table.tsx";
import { ChangeList } from "../../lib/requests/change-list.tsx";
import { SearchBox } from "../../lib/requests/search-box.tsx";
import { CopyButton } from "../../lib/text/code.tsx";
import { count, labelOf, power } from "../../lib/text/format.ts";

const everyMs = 60_000;

const Uses = () => (
	<div class="columns uses">
		<ul>
			<li>
				Analysts: <a href="/explore">a map and tables</a>, <a href="/sql">SQL</a>, and files for Excel and DuckDB
			</li>
			<li>
				Developers: <a href="/docs">a REST API</a>, <a href="/docs/events">webhooks and streams</a>, clients for
				TypeScript and Python
			</li>
			<li>
				AI agents: <a href="/docs/guides/agents">an MCP server</a>, and payment per call without an account
			</li>
		</ul>
		<ul>
			<li>Every value names the file, sheet, row and cell that it comes from</li>
			<li>A broken or shortened download withdraws no request: it is held back and reported</li>
			<li>
				A chance is the measured share of similar past requests, <a href="/scores">tested on past lists</a>
			</li>
		</ul>
	</div>
);

/** Totals of the active requests, by operator, by technology, and by the year of projected operation. */
function Numbers() {
	const state = useOperation("getStats", "/stats", {}, everyMs);
	const regions = useOperation("groupProjects", "/projects/groups", { by: "region", active: "true" }, everyMs);
	const technologies = useOperation("groupProjects", "/projects/groups", { by: "technology", active: "true" }, everyMs);
	const years = useOperation("groupProjects", "/projects/groups", { by: "cod_year", active: "true" }, everyMs);
	const coverage = useOperation("getCoverage", "/coverage");
	const listDays = new Map(coverage.data?.queues.map(({ region, list_days }) => [region as string, list_days.at(-1)]));
	const totals = state.data?.data;
	return (
		<Section id="numbers" title="Active requests" reads={[state, regions, technologies, years, coverage]}>
			<Figures
				figures={[
					["Active requests", totals ? count(totals.active_projects) : "–", "active"],
					[
						"Active capacity, not yet in operation",
						totals ? power(totals.active_capacity_gw * 1_000) : "–",
						"active_capacity_gw",
					],
					["Requests of any status", totals ? count(totals.total_projects) : "–", "total_projects"],
					["Grid operators", totals?.by_iso.length ?? "–"],
				]}
			/>
			<div class="columns">
				<Bars
					title="By grid operator"
					groups={regions.data}
					more={[["List of", ({ value }) => listDays.get(value ?? "") ?? "–", "day"]]}
				/>
				<Bars title="By technology" groups={technologies.data} />
			</div>
			{years.data && (
				<Years
					title="Filed capacity of active requests by the year in which operation is projected"
					groups={years.data}
				/>
			)}
		</Section>
	);
}

interface BarsProps {
	title: string;
	groups: Reply<"groupProjects"> | undefined;
	more?: Column<Reply<"groupProjects">["data"][number]>[];
}

/** The ten groups with the largest capacity, each with a bar. */
function Bars({ title, groups, more = [] }: BarsProps) {
	const shown = groups?.data.toSorted((a, b) => b.capacity_mw - a.capacity_mw).slice(0, 10) ?? [];
	const max = Math.max(1, ...shown.map((row) => row.capacity_mw));
	return (
		<Table
			caption={title}
			rows={shown}
			columns={[
				[
					"Name",
					({ value, capacity_mw }) => <Metered text={labelOf(value ?? "unknown")} value={capacity_mw} max={max} />,
				],
				["Requests", ({ requests }) => count(requests), "number"],
				["Filed capacity", ({ capacity_mw }) => power(capacity_mw), "number"],
				...more,
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

/** A first API call, with the visitor's key if this browser has one. */
function FirstCall() {
	const stored = useKey();
	const header = stored === undefined ? "" : ` -H 'X-API-Key: ${stored.key}'`;
	const call = `curl${header} '${location.origin}/projects?state=TX&fuel_type=Solar&per_page=5'`;
	return (
		<Section id="first-call" title="Your first call">
			<pre>
				<code>{call}</code>
			</pre>
			<p>
				<CopyButton text={call} />{" "}
				{stored === undefined && (
					<>
						It works without a key; <a href="/account">a free key</a> allows more calls.
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
		<Uses />
		<Numbers />
		<LatestChanges />
		<FirstCall />
	</>,
);
