/** How old and how trustworthy the data is: each source's freshness, lists that were held back and why, and the newest lists. */
import "../../style/base.css";
import type { Reply } from "#libs/contract/index.ts";
import { useOperation } from "../../lib/api/use-read.tsx";
import { mount, Section } from "../../lib/elements/page.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { Sources } from "../../lib/requests/sources.tsx";
import { ago, count, counted, labelOf, safeText } from "../../lib/text/format.ts";

const everyMs = 60_000;
const hourMs = 3_600_000;

type Pipeline = Reply<"getFreshness">["pipelines"][number];

const verdicts = { NEVER: "Nothing loaded", STALE: "Late", FRESH: "Up to date" };

const verdictOf = ({ status, state }: Pipeline): string =>
	verdicts[status] + (state === "failing" || state === "paused" ? `, downloads ${state}` : "");

/** The day by which a list newer than the newest one should be there. */
const dueOf = ({ last_success, max_age_hours }: Pipeline): string =>
	last_success === null ? "–" : dayOf(new Date(Date.parse(last_success) + max_age_hours * hourMs).toISOString());

const dayOf = (time: string): string => time.slice(0, 10);

/** The newest list of each operator: its day, whether a newer one is due, and what is held back. */
function Operators() {
	const state = useOperation("getCoverage", "/coverage", {}, everyMs);
	const freshness = useOperation("getFreshness", "/health/freshness", {}, everyMs);
	const integrity = useOperation("getQueueIntegrity", "/queue/integrity", { per_page: 1 }, everyMs);
	const pipelines = new Map(freshness.data?.pipelines.map((one) => [one.pipeline, one]));
	const heldBack = integrity.data?.alerts.filter(({ level }) => level !== "warning") ?? [];
	const lists = state.data?.queues.flatMap(({ region, lists }) => lists.map((list) => ({ region, ...list })));
	return (
		<Section id="operators" title="Grid operators" reads={[state, freshness, integrity]}>
			{state.data && state.data.sample_databases.length > 0 && (
				<p>The loaded data is the bundled sample: it is invented, and not published by the operators.</p>
			)}
			<Table
				scrolls="The newest list of each grid operator"
				rows={lists ?? []}
				attributes={({ source }) => ({ "data-list": source })}
				columns={[
					["Grid operator", ({ region }) => region],
					["List", ({ source }) => source],
					[
						"Newest list",
						({ published_on, as_of }) => published_on ?? (as_of === null ? "–" : `${dayOf(as_of)} (loaded)`),
						"day",
					],
					["Next expected by", ({ source }) => optional(pipelines.get(source), dueOf), "day"],
					["State", ({ source }) => optional(pipelines.get(source), verdictOf)],
					["Held back", ({ source }) => count(heldBack.filter(({ feed }) => feed === source).length), "number"],
					["Requests", ({ requests }) => count(requests), "number"],
				]}
			/>
		</Section>
	);
}

const optional = (pipeline: Pipeline | undefined, show: (pipeline: Pipeline) => string): string =>
	pipeline === undefined ? "–" : show(pipeline);

/** Whether each source is as fresh as it should be, the worst first. */
function Freshness() {
	const state = useOperation("getFreshness", "/health/freshness", {}, everyMs);
	const found = state.data;
	const order = Object.keys(verdicts);
	const pipelines = found?.pipelines.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
	const days = (hours: number | null) => (hours === null ? "unknown" : count(Math.floor(hours / 24)));
	return (
		<Section id="verdicts" title="Every source" reads={[state]}>
			{found && found.stale_count + found.never_count > 0 && (
				<p class="failure" role="note" data-figure="stale">
					{count(found.stale_count)} of {counted(found.pipelines.length, "source")} have no list as new as expected
					{found.never_count > 0 && <>; {count(found.never_count)} have none at all</>}.
				</p>
			)}
			{pipelines && (
				<Table
					scrolls="Sources by how fresh they are"
					rows={pipelines}
					attributes={({ pipeline, status }) => ({ "data-pipeline": pipeline, "data-status": status })}
					columns={[
						["Source", ({ pipeline }) => pipeline],
						["State", verdictOf],
						["Newest", ({ last_success }) => (last_success === null ? "–" : dayOf(last_success)), "day"],
						["Age, days", ({ age_hours, status }) => (status === "NEVER" ? "–" : days(age_hours)), "number"],
						["Expected every, days", ({ max_age_hours }) => days(max_age_hours), "number"],
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
					<h2>Unknown columns and values</h2>
					<p class="soft">
						Columns and values of the newest lists that no rule knows. They are kept as filed and not standardised.
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
		<Section id="drift" title="Changed layouts" reads={[state]}>
			<p class="soft">
				How the sheets, columns and values of each newest list differ from the previous list of the same format. The
				whole structure is at <a href="/source-contracts">/source-contracts</a>.
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
					<b>{region}</b> <span class="tag">{safeText(source)}</span> arrived as {format} for the first time; the next
					list is compared with it.
				</p>
			))}
		</Section>
	);
}

mount(
	<>
		<Operators />
		<HeldBack />
		<Freshness />
		<Drift />
		<Sources />
		<p>
			<a href="/reconciliation">What others count of the same queues, and why it differs</a>
		</p>
	</>,
);
