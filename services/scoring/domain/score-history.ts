/** The published scores of a request, each with the inputs that changed it. Pure. */
import { fittedPeriods, type Grade, type ScoreComponent, scoreComponents } from "#libs/contract/vocabulary.ts";
import { scoreProject } from "./score/score-project.ts";
import type { ScoreInputs } from "./score/tables.ts";
import { scoreVersions } from "./score/versions/index.ts";

export interface PublishedScore {
	/** It was current at the end of this day and of those until `until`, exclusive; null: it still is. */
	day: string;
	until: string | null;
	score_version: number;
	score: number;
	grade: Grade;
	investable: boolean;
	inputs: ScoreInputs;
	inputs_hash: string;
}

interface Difference {
	name: string;
	old: unknown;
	new: unknown;
}

export interface ScoreChange extends PublishedScore {
	differences: Difference[];
	components: Partial<Record<ScoreComponent, number>>;
}

/** `published`: oldest first. The first has no differences. */
export function scoreChanges(published: readonly PublishedScore[]): ScoreChange[] {
	const changes: ScoreChange[] = [];
	for (const each of published) {
		const before = changes.at(-1);
		const differences = before === undefined ? [] : differing(before.inputs, each.inputs);
		changes.push({ ...each, differences, components: before === undefined ? {} : changedPoints(before, each) });
	}
	return changes;
}

/** Empty if the components of one of the two are unknown because its version is no longer computed. */
function changedPoints(before: PublishedScore, after: PublishedScore): ScoreChange["components"] {
	const [old, now] = [before, after].map(({ inputs, score_version }) => {
		const tables = scoreVersions.get(score_version);
		return tables === undefined ? undefined : scoreProject(inputs, tables).components;
	});
	if (old === undefined || now === undefined) return {};
	const points = scoreComponents.map((name) => [name, now[name].score - old[name].score] as const);
	return Object.fromEntries(points.filter(([, difference]) => difference !== 0));
}

function differing(old: ScoreInputs, now: ScoreInputs): Difference[] {
	const names = [...new Set([...Object.keys(old), ...Object.keys(now)])] as (keyof ScoreInputs)[];
	return names
		.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
		.map((name) => ({ name, old: old[name] ?? null, new: now[name] ?? null }));
}

/** Whether the version was fitted on lists of that day or later, and so has learned the outcomes of requests of that day. */
export const isInSample = (version: number, day: string): boolean => {
	const period = fittedPeriods[version];
	return period !== undefined && day <= period.to;
};
