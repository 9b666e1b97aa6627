import type { Reply } from "#libs/contract/index.ts";
import { read } from "../../lib/api.ts";
import { Failed } from "../../lib/failed.tsx";
import { ago, count, filed, words } from "../../lib/format.ts";
import { useRead } from "../../lib/use-read.ts";

const everyMs = 60_000;

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
