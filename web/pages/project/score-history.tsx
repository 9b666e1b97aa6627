import type { Reply } from "#libs/contract/index.ts";
import { pageRows } from "#libs/contract/vocabulary.ts";
import { walk } from "../../lib/api/all-pages.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Lines } from "../../lib/charts/line.tsx";
import { Head, number, Scroll } from "../../lib/elements/table.tsx";
import { filed, signed, words } from "../../lib/text/format.ts";

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
	if (changes?.length === 0) return null;
	return (
		<section aria-labelledby="score-history">
			<h2 id="score-history">Score over time</h2>
			<Failed state={state} />
			{changes && (
				<>
					<Lines
						title="Score, as it stood published"
						label={`The score from ${changes[0]?.day} on: ${changes.map(({ day, investability_score }) => `${investability_score} from ${day}`).join(", ")}`}
						series={[{ name: "Score", points: changes.map(pointOf) }]}
						steps
						until={changes.at(-1)?.until ?? new Date().toISOString().slice(0, 10)}
						most={100}
						height={150}
						text={String}
						table={<Rows changes={changes.toReversed()} />}
					/>
					{changes.some((change) => change.in_sample) && (
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

const movedBy = ({ inputs }: Change): string[] =>
	inputs.map(({ name, old, new: now }) => `${words(name)}: ${filed(text(old), 60)} → ${filed(text(now), 60)}`);

const Rows = ({ changes }: { changes: Change[] }) => (
	<Scroll label="Changes of the score">
		<table>
			<Head columns={["From", number("Score"), "What moved it", "Version"]} />
			<tbody>
				{changes.map((change) => (
					<tr key={change.day} data-score-day={`${change.day} ${change.investability_score}`}>
						<th scope="row" class="day">
							{change.day}
						</th>
						<td class="number">{change.investability_score}</td>
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
							{change.score_version}
							{change.in_sample && ", in sample"}
						</td>
					</tr>
				))}
			</tbody>
		</table>
	</Scroll>
);
