import type { Reply } from "#libs/contract/index.ts";
import { pageRows } from "#libs/contract/vocabulary.ts";
import { read } from "../../lib/api.ts";
import { Lines } from "../../lib/charts/line.tsx";
import { Failed } from "../../lib/failed.tsx";
import { filed, words } from "../../lib/format.ts";
import { Head, number } from "../../lib/head.tsx";
import { signed } from "../../lib/quantity.ts";
import { Scroll } from "../../lib/scroll.tsx";
import { useRead } from "../../lib/use-read.ts";
import { walk } from "../../lib/walk.ts";

type Change = Reply<"getScoreHistory">["data"][number];

const mostPages = 4;

/** The score day by day, with what moved it. */
export function ScoreHistory({ id }: { id: string }) {
	const path = `/score/${encodeURIComponent(id)}/history`;
	const query = { order: "asc", per_page: pageRows };
	const readPage = async (page: number, signal: AbortSignal) => {
		const { data, meta } = await read("getScoreHistory", path, { ...query, page }, signal);
		return { rows: data, total: meta.total };
	};
	const state = useRead(path, (signal) => walk((page) => readPage(page, signal), mostPages), 300_000);
	const changes = state.data?.rows;
	const scored = changes?.filter((change) => change.scored) ?? [];
	if (changes !== undefined && scored.length === 0) return null;
	return (
		<section aria-labelledby="score-history">
			<h2 id="score-history">Score over time</h2>
			<Failed state={state} />
			{scored.length > 0 && changes && (
				<>
					<Lines
						title="Score, by the lists of each day"
						label={`The score from ${scored[0]?.day} on: ${scored.map(({ day, investability_score }) => `${investability_score} from ${day}`).join(", ")}`}
						series={[{ name: "Score", points: scored.map(pointOf) }]}
						steps
						{...(changes.at(-1)?.scored && { until: new Date().toISOString().slice(0, 10) })}
						most={100}
						height={150}
						text={String}
						table={<Rows changes={changes.toReversed()} />}
					/>
					{scored.some((change) => change.in_sample) && (
						<p class="soft">
							A score of a day that its version was fitted on has seen what became of such requests:{" "}
							<a href="/scores#limits">what limits it</a>.
						</p>
					)}
				</>
			)}
		</section>
	);
}

const pointOf = (change: Change) => ({
	day: change.day,
	value: change.investability_score,
	note: [`${change.day}: ${change.investability_score}`, ...movedBy(change)].join("\n"),
});

const text = (value: unknown): string =>
	value === null || value === undefined ? "none" : typeof value === "string" ? value : JSON.stringify(value);

/** A field of the request moved it, else an input: a date that passed, a record, a credit. */
function movedBy({ facts, inputs }: Change): string[] {
	const moved = facts.length > 0 ? facts : inputs;
	return moved.map(({ name, old, new: now }) => `${words(name)}: ${filed(text(old), 60)} → ${filed(text(now), 60)}`);
}

const Rows = ({ changes }: { changes: Change[] }) => (
	<Scroll label="Changes of the score">
		<table>
			<Head columns={["From", number("Score"), "What moved it", "Basis"]} />
			<tbody>
				{changes.map((change) => (
					<tr key={change.day} data-score-day={`${change.day} ${change.investability_score}`}>
						<th scope="row" class="day">
							{change.day}
						</th>
						<td class="number">{change.scored ? change.investability_score : "not scored"}</td>
						<td>
							{movedBy(change).map((line) => (
								<div key={line}>{line}</div>
							))}
							{Object.entries(change.components).map(([name, by]) => (
								<div key={name} class="soft">
									{words(name)} {signed(by)}
								</div>
							))}
						</td>
						<td>
							{words(change.basis)}
							{change.in_sample && ", in sample"}
						</td>
					</tr>
				))}
			</tbody>
		</table>
	</Scroll>
);
