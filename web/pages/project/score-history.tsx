import type { Reply } from "#libs/contract/index.ts";
import { useAllRows } from "../../lib/api/use-all-rows.ts";
import { Lines } from "../../lib/charts/line.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { labelOf, safeText } from "../../lib/text/format.ts";
import { signedPoints } from "../../lib/text/quantity.ts";

type Change = Reply<"getScoreHistory">["data"][number];

export function ScoreHistory({ id }: { id: string }) {
	const state = useAllRows("getScoreHistory", `/score/${encodeURIComponent(id)}/history`, { order: "asc" }, 4, 300_000);
	const changes = state.data?.rows;
	if (changes?.length === 0) return null;
	return (
		<Section id="score-history" title="Score over time" reads={[state]}>
			{changes && (
				<>
					<Lines
						title="Score, as it was published"
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
							<a href="/scores#fitted">what it was fitted on</a>.
						</p>
					)}
				</>
			)}
		</Section>
	);
}

const pointOf = (change: Change) => ({
	day: change.day,
	value: change.investability_score,
	note: [`${change.day}: ${change.investability_score}`, ...changedInputs(change)].join("\n"),
});

const text = (value: unknown): string =>
	value === null || value === undefined ? "none" : typeof value === "string" ? value : JSON.stringify(value);

const changedInputs = ({ inputs }: Change): string[] =>
	inputs.map(({ name, old, new: now }) => `${labelOf(name)}: ${safeText(text(old), 60)} → ${safeText(text(now), 60)}`);

const Rows = ({ changes }: { changes: Change[] }) => (
	<Table
		scrolls="Changes of the score"
		rows={changes}
		attributes={({ day, investability_score }) => ({ "data-score-day": `${day} ${investability_score}` })}
		columns={[
			["From", ({ day }) => day, "day"],
			["Score", ({ investability_score }) => investability_score, "number"],
			[
				"What moved it",
				(change) => (
					<>
						{changedInputs(change).map((line) => (
							<div key={line}>{line}</div>
						))}
						{Object.entries(change.components).map(([name, by]) => (
							<div key={name} class="soft">
								{labelOf(name)} {signedPoints(by)}
							</div>
						))}
					</>
				),
			],
			["Version", ({ score_version, in_sample }) => `${score_version}${in_sample ? ", in sample" : ""}`],
		]}
	/>
);
