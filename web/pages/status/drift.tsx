import { read } from "../../lib/api.ts";
import { Failed } from "../../lib/failed.tsx";
import { filed, words } from "../../lib/format.ts";
import { useRead } from "../../lib/use-read.ts";

const everyMs = 60_000;

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
