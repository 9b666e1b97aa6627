/** How old and how reliable the data is: the freshness of each source, quarantined lists and the reasons, and the newest lists. */
import "../../style/base.css";
import type { Reply } from "#libs/contract/index.ts";
import { useOperation } from "../../lib/api/use-read.tsx";
import { mount, Section } from "../../lib/elements/page.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { ago, count, labelOf, safeText } from "../../lib/text/format.ts";

const everyMs = 60_000;
const hourMs = 3_600_000;

type Pipeline = Reply<"getFreshness">["pipelines"][number];

const verdicts = { NEVER: "Nothing loaded", STALE: "Late", FRESH: "Up to date" };

/** Whether the day of the newest list is unknown, which can happen if it was loaded by hand. */
const isUndated = ({ status, age_hours }: Pipeline): boolean => status === "STALE" && age_hours === null;

const verdictOf = (pipeline: Pipeline): string => (isUndated(pipeline) ? "Day unknown" : statusOf(pipeline));

const statusOf = ({ status, state }: Pipeline): string =>
	verdicts[status] + (state === "failing" || state === "paused" ? `, downloads ${state}` : "");

/** The day by which a newer list is due. */
const dueOf = ({ last_success, max_age_hours }: Pipeline): string =>
	last_success === null ? "–" : dayOf(new Date(Date.parse(last_success) + max_age_hours * hourMs).toISOString());

const dayOf = (time: string): string => time.slice(0, 10);

/** The newest list of each operator: its day, whether a newer one is due, and what is quarantined. */
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

/** All sources, late ones first, with their age, number of records and last check. */
function Freshness() {
	const state = useOperation("getFreshness", "/health/freshness", {}, everyMs);
	const stored = useOperation("getSourceFreshness", "/source-freshness", {}, everyMs);
	const pipelines = state.data?.pipelines;
	const sources = new Map(stored.data?.sources.map((one) => [one.source, one]));
	const known = new Set(pipelines?.map(({ pipeline }) => pipeline));
	const rows = [
		...(pipelines?.map((pipeline) => ({ name: pipeline.pipeline, pipeline })) ?? []),
		...[...sources.keys()].filter((name) => !known.has(name)).map((name) => ({ name, pipeline: undefined })),
	];
	const order = [...Object.keys(verdicts), undefined];
	const undated = pipelines?.filter(isUndated).length ?? 0;
	const late = (pipelines?.filter(({ status }) => status === "STALE").length ?? 0) - undated;
	const missing = pipelines?.filter(({ status }) => status === "NEVER").length ?? 0;
	const days = (hours: number | null) => (hours === null ? "unknown" : count(Math.floor(hours / 24)));
	return (
		<Section id="verdicts" title="Every source" reads={[state, stored]}>
			{late + undated + missing > 0 && (
				<p class="failure" role="note" data-figure="stale">
					Sources: {count(known.size)}. Late: {count(late)}
					{undated > 0 && `; day unknown: ${count(undated)}`}
					{missing > 0 && `; no data: ${count(missing)}`}.
				</p>
			)}
			<Table
				scrolls="Sources and their freshness"
				rows={rows.toSorted((a, b) => order.indexOf(a.pipeline?.status) - order.indexOf(b.pipeline?.status))}
				attributes={({ name, pipeline }) => ({ "data-pipeline": pipeline && name })}
				columns={[
					["Source", ({ name }) => name],
					["State", ({ pipeline }) => optional(pipeline, verdictOf)],
					[
						"Last accepted",
						({ pipeline }) => optional(pipeline, ({ last_success }) => last_success?.slice(0, 10) ?? "–"),
						"day",
					],
					["Age, days", ({ pipeline }) => optional(pipeline, ({ age_hours }) => days(age_hours)), "number"],
					["Expected every (days)", ({ pipeline }) => optional(pipeline, (one) => days(one.max_age_hours)), "number"],
					["Records", ({ name }) => count(sources.get(name)?.records ?? 0), "number"],
					["Checked", ({ name }) => <Age time={sources.get(name)?.last_checked ?? null} />],
				]}
			/>
		</Section>
	);
}

const Age = ({ time }: { time: string | null }) =>
	time === null ? (
		"–"
	) : (
		<time dateTime={time} title={time}>
			{ago(time, Date.now())}
		</time>
	);

/** Quarantined lists, and filed columns and values that are unknown or uncertain. */
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
						Columns and values of the newest lists that no rule knows. They are kept as filed and not standardized.
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

/** How the structure of each newest list differs from that of the previously accepted list. */
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
								{one.before !== null && one.after !== null && safeText(`${one.before} → ${one.after}`)}
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
		<p>
			<a href="/reconciliation">How our totals compare with other publishers', and why they differ</a>
		</p>
	</>,
);
