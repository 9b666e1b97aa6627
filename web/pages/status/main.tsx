/** How old and how trustworthy the data is: each source's freshness, lists that were held back and why, and the newest lists. */
import "../../style/base.css";
import type { Reply } from "#libs/contract/index.ts";
import { useOperation } from "../../lib/api/use-read.tsx";
import { mount, Section } from "../../lib/elements/page.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { Sources } from "../../lib/requests/sources.tsx";
import { ago, count, labelOf, safeText } from "../../lib/text/format.ts";

const everyMs = 60_000;
const verdicts = ["NEVER", "STALE", "FRESH"];

/** Whether each source is as fresh as it should be, the worst first. */
function Freshness() {
	const state = useOperation("getFreshness", "/health/freshness", {}, everyMs);
	const found = state.data;
	const pipelines = found?.pipelines.toSorted((a, b) => verdicts.indexOf(a.status) - verdicts.indexOf(b.status));
	const days = (hours: number | null) => (hours === null ? "not known" : count(Math.floor(hours / 24)));
	return (
		<Section id="verdicts" title="Is it fresh?" reads={[state]}>
			{found && found.stale_count + found.never_count > 0 && (
				<p class="failure" role="note" data-figure="stale">
					{count(found.stale_count)} of {count(found.pipelines.length)} sources are older than they should be
					{found.never_count > 0 && <>, of {count(found.never_count)} nothing was loaded yet</>}.
				</p>
			)}
			{pipelines && (
				<Table
					scrolls="Sources by how fresh they are"
					rows={pipelines}
					attributes={({ pipeline }) => ({ "data-pipeline": pipeline })}
					columns={[
						["Source", ({ pipeline }) => pipeline],
						["Verdict", ({ status }) => status],
						["State", ({ state }) => state],
						["Newest", ({ last_success }) => last_success?.slice(0, 10) ?? "–", "day"],
						["Age, days", ({ age_hours }) => days(age_hours), "number"],
						["At most", ({ max_age_hours }) => days(max_age_hours), "number"],
					]}
				/>
			)}
		</Section>
	);
}

/** Lists that were quarantined, and filed columns and values that are unknown or uncertain. */
function HeldBack() {
	const state = useOperation("getQueueIntegrity", "/queue/integrity", { per_page: 1 }, everyMs);
	const { alerts, snapshot } = state.data ?? {};
	const held = alerts?.filter(({ level }) => level !== "warning");
	const unknown = alerts?.filter(({ level }) => level === "warning");
	return (
		<Section id="held-back" title="Held back" reads={[state]}>
			{held?.length === 0 && <p>Every list was accepted.</p>}
			{held && <Alerts alerts={held} />}
			{unknown && (
				<>
					<h2>Not known</h2>
					<p class="soft">
						Unknown columns and values of the newest lists, which are kept as filed and not standardised.
					</p>
					{unknown.length === 0 && <p>Every column and value is known.</p>}
					<Alerts alerts={unknown} />
				</>
			)}
			{snapshot && (
				<>
					<h2>Questionable filings</h2>
					<ul>
						{Object.entries(snapshot.findings).map(([finding, { total }]) => (
							<li key={finding}>
								<a href={`/queue/integrity/${finding}`}>{labelOf(finding)}</a>: {count(total)} listed requests
							</li>
						))}
					</ul>
				</>
			)}
		</Section>
	);
}

const Alerts = ({ alerts }: { alerts: Reply<"getQueueIntegrity">["alerts"] }) => (
	<ul>
		{alerts.map((alert) => (
			<li key={`${alert.feed} ${alert.raised_at}`} data-alert={alert.level}>
				<b>{alert.region}</b> <span class="tag">{safeText(alert.feed)}</span> {labelOf(alert.level)}:{" "}
				{safeText(alert.reason, 400)}{" "}
				<span class="soft">
					(list of {alert.as_of.slice(0, 10)}, {ago(alert.raised_at, Date.now())})
				</span>
			</li>
		))}
	</ul>
);

/** How the structure of each newest list differs from the list accepted before it. */
function Drift() {
	const state = useOperation("getSourceContracts", "/source-contracts", { columns: "false" }, everyMs);
	const lists = state.data?.data;
	const drifted = lists?.filter(({ drift }) => drift.length > 0);
	const inNewFormat = lists?.filter(({ not_compared }) => not_compared === "another_format");
	return (
		<Section id="drift" title="Contract drift" reads={[state]}>
			<p class="soft">
				Sheets, columns and kinds of value of the newest lists beside those of the list of the same format before. All:{" "}
				<a href="/source-contracts">/source-contracts</a>.
			</p>
			{drifted?.length === 0 && <p>Every list has the structure of the one before it.</p>}
			{drifted?.map(({ source, region, outcome, as_of, drift }) => (
				<div key={`${source} ${outcome}`} data-drift={source}>
					<p>
						<b>{region}</b> <span class="tag">{safeText(source)}</span> {outcome === "quarantined" && "held back, "}
						<span class="soft">list of {as_of.slice(0, 10)}</span>
					</p>
					<ul>
						{drift.map((one) => (
							<li key={`${one.class} ${one.sheet} ${one.column} ${one.after}`}>
								<b>{labelOf(one.severity)}</b> {labelOf(one.class)}:{" "}
								{safeText([one.sheet, one.column].filter(Boolean).join(", "))}{" "}
								{safeText(`${one.before ?? "none"} → ${one.after ?? "none"}`)}
							</li>
						))}
					</ul>
				</div>
			))}
			{inNewFormat?.map(({ source, region, format }) => (
				<p key={source}>
					<b>{region}</b> <span class="tag">{safeText(source)}</span> came as {format} for the first time: compared from
					the next list on.
				</p>
			))}
		</Section>
	);
}

/** The newest accepted lists of each operator. */
function Lists() {
	const state = useOperation("getCoverage", "/coverage", {}, everyMs);
	return (
		<Section id="lists" title="Lists of the grid operators" reads={[state]}>
			{state.data && state.data.sample_databases.length > 0 && (
				<p>The loaded data is the bundled sample: it is invented, and not published by the operators.</p>
			)}
			<Table
				rows={state.data?.queues.flatMap(({ region, lists }) => lists.map((list) => ({ region, ...list }))) ?? []}
				attributes={({ source }) => ({ "data-list": source })}
				columns={[
					["Grid operator", ({ region }) => region],
					["List", ({ source }) => source],
					["Dated by its operator", ({ published_on }) => published_on ?? "no date in the list"],
					["Loaded as of", ({ as_of }) => (as_of === null ? "–" : `${as_of.slice(0, 10)}, ${ago(as_of, Date.now())}`)],
					["Requests", ({ requests }) => count(requests), "number"],
				]}
			/>
		</Section>
	);
}

mount(
	<>
		<Freshness />
		<HeldBack />
		<Drift />
		<Lists />
		<Sources />
		<p>
			<a href="/reconciliation">What others count of the same queues, and why it differs</a>
		</p>
	</>,
);
