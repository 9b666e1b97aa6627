/** The published scores of a request, each with the inputs that changed it. Pure. */
import { fittedPeriods, type ScoreComponent, scoreComponents } from "#libs/contract/vocabulary.ts";
import type { Score } from "./score/score.ts";
import { scoreProject } from "./score/score-project.ts";
import type { ScoreInputs } from "./score/tables.ts";
import { tablesOf } from "./score/versions/index.ts";

export interface PublishedScore {
	/** It was valid from the end of this day until before the end of `until`; null: it still is. */
	day: string;
	until: string | null;
	score_version: number;
	inputs: ScoreInputs;
	inputs_hash: string;
}

interface Difference {
	name: string;
	old: unknown;
	new: unknown;
}

export interface ScoreChange extends PublishedScore {
	score: Score;
	differences: Difference[];
	components: Partial<Record<ScoreComponent, number>>;
}

/** `published` oldest first. The first has no differences. */
export function scoreChanges(published: readonly PublishedScore[]): ScoreChange[] {
	const changes: ScoreChange[] = [];
	for (const each of published) {
		const score = scoreProject(each.inputs, tablesOf(each.score_version));
		const before = changes.at(-1);
		const differences = before === undefined ? [] : differing(before.inputs, each.inputs);
		changes.push({ ...each, score, differences, components: before === undefined ? {} : moved(before.score, score) });
	}
	return changes;
}

function moved(before: Score, now: Score): ScoreChange["components"] {
	const points = scoreComponents.map(
		(name) => [name, now.components[name].score - before.components[name].score] as const,
	);
	return Object.fromEntries(points.filter(([, difference]) => difference !== 0));
}

function differing(old: ScoreInputs, now: ScoreInputs): Difference[] {
	const names = [...new Set([...Object.keys(old), ...Object.keys(now)])] as (keyof ScoreInputs)[];
	return names
		.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
		.map((name) => ({ name, old: old[name] ?? null, new: now[name] ?? null }));
}

/** Whether the version was fitted on lists of that day or later, so that it contains the outcome of such requests. */
export const isInSample = (version: number, day: string): boolean => {
	const period = fittedPeriods[version];
	return period !== undefined && day <= period.to;
};
