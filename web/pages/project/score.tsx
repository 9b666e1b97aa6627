import { read } from "../../lib/api.ts";
import { Failed } from "../../lib/failed.tsx";
import { percent, words } from "../../lib/format.ts";
import { useRead } from "../../lib/use-read.ts";

/** The score as the sum of its parts, with its words. */
export function Score({ id }: { id: string }) {
	const path = `/score/${encodeURIComponent(id)}`;
	const state = useRead(path, (signal) => read("getScore", path, {}, signal), 300_000);
	const score = state.data;
	return (
		<section aria-labelledby="score">
			<h2 id="score">Score</h2>
			<Failed state={state} />
			{score && !score.scored && <p>{score.explanation}</p>}
			{score?.scored && (
				<>
					<p>
						<b class="points" data-figure="investability_score">
							{score.investability_score}
						</b>{" "}
						of 100, grade {score.grade}
						{score.p_built !== null && (
							<>
								; the chance of being built or advancing within {score.p_built.horizon_months} months is{" "}
								{percent(score.p_built.value)} ({percent(score.p_built.low)} to {percent(score.p_built.high)})
							</>
						)}
					</p>
					<table>
						<thead>
							<tr>
								<th scope="col">Part</th>
								<th scope="col" class="number">
									Of 100
								</th>
								<th scope="col" class="number">
									Weight
								</th>
								<th scope="col" class="number">
									Points
								</th>
							</tr>
						</thead>
						<tbody>
							{Object.entries(score.components).map(([name, part]) => (
								<tr key={name}>
									<th scope="row">
										{words(name)}
										<span class="soft"> {words(part.value)}</span>
										<meter min={0} max={100} value={part.score} aria-hidden="true" />
									</th>
									<td class="number">{part.score}</td>
									<td class="number">{percent(part.weight)}</td>
									<td class="number">{Math.round(part.score * part.weight * 10) / 10}</td>
								</tr>
							))}
						</tbody>
					</table>
					<p>{score.explanation}</p>
					{score.deductions.length > 0 && (
						<ul>
							{score.deductions.map(({ points, reason }) => (
								<li key={reason}>
									{points} points: {reason}
								</li>
							))}
						</ul>
					)}
					<p class="soft">
						Version {score.score_version}
						{score.facts_as_of !== null && <> · facts of the list of {score.facts_as_of}</>}
					</p>
				</>
			)}
		</section>
	);
}
