/** The changes of a request's score from day to day, each with what it followed from. Pure. */
import { type ScoreComponent, scoreComponents } from "#libs/contract/vocabulary.ts";
import type { ScoreInputs } from "./score/index.ts";
import type { RequestOn, ScoreOn } from "./score-on.ts";

/** A request and its score as of a day. */
export interface DayOfScore {
	request: Pick<RequestOn, "day" | "facts">;
	scored: Pick<ScoreOn, "score" | "inputs" | "hash" | "basis">;
}

export interface Difference {
	name: string;
	old: unknown;
	new: unknown;
}

export interface ScoreChange extends DayOfScore {
	/** Of the operator's row, since the change before. */
	facts: Difference[];
	inputs: Difference[];
	/** Points of those that differ, more or less. */
	components: Partial<Record<ScoreComponent, number>>;
}

/** `days` oldest first; a day whose inputs are those of the day before is no change. The first has no differences. */
export function scoreChanges(days: readonly DayOfScore[]): ScoreChange[] {
	const changes: ScoreChange[] = [];
	for (const each of days) {
		const before = changes.at(-1);
		if (before === undefined) changes.push({ ...each, facts: [], inputs: [], components: {} });
		else if (before.scored.hash !== each.scored.hash) changes.push({ ...each, ...differencesOf(before, each) });
	}
	return changes;
}

function differencesOf(before: DayOfScore, now: DayOfScore): Omit<ScoreChange, keyof DayOfScore> {
	const points = scoreComponents.map((name) => {
		const [old, is] = [before, now].map(({ scored }) => scored.score.components[name].score);
		return [name, (is ?? 0) - (old ?? 0)] as const;
	});
	return {
		facts: differing(statedIn(before.request.facts), statedIn(now.request.facts)),
		inputs: differing<ScoreInputs>(before.scored.inputs, now.scored.inputs),
		components: Object.fromEntries(points.filter(([, difference]) => difference !== 0)),
	};
}

const statedIn = ({ project_id: _, facts_as_of: __, ...stated }: DayOfScore["request"]["facts"]) => stated;

function differing<T extends object>(old: T, now: T): Difference[] {
	const names = [...new Set([...Object.keys(old), ...Object.keys(now)])] as (keyof T & string)[];
	return names
		.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
		.map((name) => ({ name, old: old[name] ?? null, new: now[name] ?? null }));
}
