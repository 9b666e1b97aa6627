/** Compares the published scores of a request: which inputs changed, and by how many points each component. Pure. */
import { fittedPeriods, type Grade, type ScoreComponent, scoreComponents } from "#libs/contract/vocabulary.ts";
import { scoreProject } from "./score/score-project.ts";
import type { ScoreInputs } from "./score/tables.ts";
import { tablesOf } from "./score/version.ts";

export interface PublishedScore {
	/** The score was current at the end of each day from `day` until `until` (exclusive; null: it still is). */
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

/** `published`: oldest first. The first change has no differences. */
export function compareScores(published: readonly PublishedScore[]): ScoreChange[] {
	const changes: ScoreChange[] = [];
	for (const each of published) {
		const previous = changes.at(-1);
		const differences = previous === undefined ? [] : compareInputs(previous.inputs, each.inputs);
		changes.push({ ...each, differences, components: previous === undefined ? {} : comparePoints(previous, each) });
	}
	return changes;
}

/** Returns the changes of components in points. Empty if the components of either score are unknown, because its version is retired. */
function comparePoints(before: PublishedScore, after: PublishedScore): ScoreChange["components"] {
	const [old, now] = [before, after].map(({ inputs, score_version }) => {
		const tables = tablesOf(score_version);
		return tables === undefined ? undefined : scoreProject(inputs, tables).components;
	});
	if (old === undefined || now === undefined) return {};
	const points = scoreComponents.map((name) => [name, now[name].score - old[name].score] as const);
	return Object.fromEntries(points.filter(([, difference]) => difference !== 0));
}

function compareInputs(old: ScoreInputs, now: ScoreInputs): Difference[] {
	const names = [...new Set([...Object.keys(old), ...Object.keys(now)])] as (keyof ScoreInputs)[];
	return names
		.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
		.map((name) => ({ name, old: old[name] ?? null, new: now[name] ?? null }));
}

/** Whether the version was fitted on lists of that day or later, so that its model includes outcomes of that day's requests. */
export const isInSample = (version: number, day: string): boolean => {
	const period = fittedPeriods[version];
	return period !== undefined && day <= period.to;
};
