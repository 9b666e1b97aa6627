/** How old and how trustworthy the data is: the lists of each operator, what was held back and why, and every source. */
import "../../style/base.css";
import { render } from "preact";
import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Head, number, Scroll } from "../../lib/elements/table.tsx";
import { Sources } from "../../lib/requests/sources.tsx";
import { ago, count, filed, words } from "../../lib/text/format.ts";

const Status = () => (
	<>
		<Verdicts />
		<HeldBack />
		<Drift />
		<Lists />
		<Sources />
		<p>
			<a href="/reconciliation">What others count of the same queues, and why it differs</a>
		</p>
	</>
);

const everyMs = 60_000;
const hoursOfDay = 24;
const order = ["NEVER", "STALE", "FRESH"];

/** Whether each source is as fresh as it should be, the worst first. */
export function Verdicts() {
	const state = useRead("verdicts", (signal) => read("getFreshness", "/health/freshness", {}, signal), everyMs);
	const found = state.data;
	const pipelines = found?.pipelines.toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status));
	const days = (hours: number | null) => (hours === null ? "not known" : count(Math.floor(hours / hoursOfDay)));
	return (
		<section aria-labelledby="verdicts">
			<h2 id="verdicts">Is it fresh?</h2>
			<Failed state={state} />
			{found && found.stale_count + found.never_count > 0 && (
				<p class="failure" role="note" data-figure="stale">
					{count(found.stale_count)} of {count(found.pipelines.length)} sources are older than they should be
					{found.never_count > 0 && <>, of {count(found.never_count)} nothing was taken in yet</>}.
				</p>
			)}
			{pipelines && (
				<Scroll label="Sources by how fresh they are">
					<table>
						<Head columns={["Source", "Verdict", "State", "Newest", number("Age, days"), number("At most")]} />
						<tbody>
							{pipelines.map((one) => (
								<tr key={one.pipeline} data-pipeline={one.pipeline}>
									<th scope="row">{one.pipeline}</th>
									<td>{one.status}</td>
									<td>{one.state}</td>
									<td class="day">{one.last_success?.slice(0, 10) ?? "–"}</td>
									<td class="number">{days(one.age_hours)}</td>
									<td class="number">{days(one.max_age_hours)}</td>
								</tr>
							))}
						</tbody>
					</table>
				</Scroll>
			)}
		</section>
	);
}

/** Lists that were not taken in as they came, and what is filed that cannot be. */
export function HeldBack() {
	const state = useRead(
		"integrity",
		(signal) => read("getQueueIntegrity", "/queue/integrity", { per_page: 1 }, signal),
		everyMs,
	);
	const { alerts, snapshot } = state.data ?? {};
	const held = alerts?.filter(({ level }) => level !== "warning");
	const unknown = alerts?.filter(({ level }) => level === "warning");
	return (
		<section aria-labelledby="held-back">
			<h2 id="held-back">Held back</h2>
			<Failed state={state} />
			{held?.length === 0 && <p>Every list that came was taken in.</p>}
			{held && <Alerts alerts={held} />}
			{unknown && (
				<>
					<h2>Not known</h2>
					<p class="soft">
						What the newest lists have that is not known: it is kept as filed, and standardised to nothing.
					</p>
					{unknown.length === 0 && <p>Every column and value is known.</p>}
					<Alerts alerts={unknown} />
				</>
			)}
			{snapshot && (
				<>
					<h2>Filed, and in doubt</h2>
					<ul>
						{Object.entries(snapshot.findings).map(([finding, { total }]) => (
							<li key={finding}>
								<a href={`/queue/integrity/${finding}`}>{words(finding)}</a>: {count(total)} listed requests
							</li>
						))}
					</ul>
				</>
			)}
		</section>
	);
}

const Alerts = ({ alerts }: { alerts: Reply<"getQueueIntegrity">["alerts"] }) => (
	<ul>
		{alerts.map((alert) => (
			<li key={`${alert.feed} ${alert.raised_at}`} data-alert={alert.level}>
				<b>{alert.region}</b> <span class="tag">{filed(alert.feed)}</span> {words(alert.level)}:{" "}
				{filed(alert.reason, 400)}{" "}
				<span class="soft">
					(list of {alert.as_of.slice(0, 10)}, {ago(alert.raised_at, Date.now())})
				</span>
			</li>
		))}
	</ul>
);

/** How the structure of each newest list differs from that of the list accepted before it. */
export function Drift() {
	const state = useRead(
		"source contracts",
		(signal) => read("getSourceContracts", "/source-contracts", { columns: "false" }, signal),
		everyMs,
	);
	const lists = state.data?.data;
	const drifted = lists?.filter(({ drift }) => drift.length > 0);
	const anew = lists?.filter(({ not_compared }) => not_compared === "another_format");
	return (
		<section aria-labelledby="drift">
			<h2 id="drift">Contract drift</h2>
			<p class="soft">
				Sheets, columns and kinds of value of the newest lists beside those of the list of the same format before. All:{" "}
				<a href="/source-contracts">/source-contracts</a>.
			</p>
			<Failed state={state} />
			{drifted?.length === 0 && <p>Every list has the structure of the one before it.</p>}
			{drifted?.map(({ source, region, outcome, as_of, drift }) => (
				<div key={`${source} ${outcome}`} data-drift={source}>
					<p>
						<b>{region}</b> <span class="tag">{filed(source)}</span> {outcome === "quarantined" && "held back, "}
						<span class="soft">list of {as_of.slice(0, 10)}</span>
					</p>
					<ul>
						{drift.map((one) => (
							<li key={`${one.class} ${one.sheet} ${one.column} ${one.after}`}>
								<b>{words(one.severity)}</b> {words(one.class)}:{" "}
								{filed([one.sheet, one.column].filter(Boolean).join(", "))}{" "}
								{filed(`${one.before ?? "none"} → ${one.after ?? "none"}`, 200)}
							</li>
						))}
					</ul>
				</div>
			))}
			{anew?.map(({ source, region, format }) => (
				<p key={source}>
					<b>{region}</b> <span class="tag">{filed(source)}</span> came as {format} for the first time: compared from
					the next list on.
				</p>
			))}
		</section>
	);
}

/** The newest list of each operator that was taken in. */
export function Lists() {
	const state = useRead("coverage", (signal) => read("getCoverage", "/coverage", {}, signal), everyMs);
	return (
		<section aria-labelledby="lists">
			<h2 id="lists">Lists of the grid operators</h2>
			<Failed state={state} />
			{state.data && state.data.sample_databases.length > 0 && (
				<p>What is loaded is the bundled sample: invented, and not what the operators published.</p>
			)}
			<table>
				<Head columns={["Grid operator", "List", "Dated by its operator", "Loaded as of", number("Requests")]} />
				<tbody>
					{state.data?.queues.flatMap(({ region, lists }) =>
						lists.map((list) => (
							<tr key={`${region} ${list.source}`} data-list={list.source}>
								<th scope="row">{region}</th>
								<td>{list.source}</td>
								<td>{list.published_on ?? "no date in the list"}</td>
								<td>{list.as_of === null ? "–" : `${list.as_of.slice(0, 10)}, ${ago(list.as_of, Date.now())}`}</td>
								<td class="number">{count(list.requests)}</td>
							</tr>
						)),
					)}
				</tbody>
			</table>
		</section>
	);
}

const root = document.getElementById("page");
if (root) render(<Status />, root);
