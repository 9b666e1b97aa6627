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
	return (
		<section aria-labelledby="held-back">
			<h2 id="held-back">Held back</h2>
			<Failed state={state} />
			{alerts?.length === 0 && <p>Every list that came was taken in.</p>}
			{alerts !== undefined && alerts.length > 0 && (
				<ul>
					{alerts.map((alert) => (
						<li key={`${alert.feed} ${alert.raised_at}`}>
							<b>{alert.region}</b> <span class="tag">{words(alert.level)}</span> {filed(alert.reason, 400)}{" "}
							<span class="soft">
								(list of {alert.as_of.slice(0, 10)}, {ago(alert.raised_at, Date.now())})
							</span>
						</li>
					))}
				</ul>
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
