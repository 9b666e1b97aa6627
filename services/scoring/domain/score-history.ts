/** The published scores of a request, each with the inputs that changed it. Pure. */
import { fittedPeriods, type Grade, type ScoreComponent, scoreComponents } from "#libs/contract/vocabulary.ts";
import { scoreProject } from "./score/score-project.ts";
import type { ScoreInputs } from "./score/tables.ts";
import { scoreVersions } from "./score/versions/index.ts";

export interface PublishedScore {
	/** It was valid from the end of this day until before the end of `until`; null: it still is. */
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

/** `published` oldest first. The first has no differences. */
export function scoreChanges(published: readonly PublishedScore[]): ScoreChange[] {
	const changes: ScoreChange[] = [];
	for (const each of published) {
		const before = changes.at(-1);
		const differences = before === undefined ? [] : differing(before.inputs, each.inputs);
		changes.push({ ...each, differences, components: before === undefined ? {} : moved(before, each) });
	}
	return changes;
}

/** None where the components of one of the two are not known, because its version is no longer computed. */
function moved(before: PublishedScore, now: PublishedScore): ScoreChange["components"] {
	const [then, since] = [before, now].map(({ inputs, score_version }) => {
		const tables = scoreVersions.get(score_version);
		return tables === undefined ? undefined : scoreProject(inputs, tables).components;
	});
	if (then === undefined || since === undefined) return {};
	const points = scoreComponents.map((name) => [name, since[name].score - then[name].score] as const);
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
