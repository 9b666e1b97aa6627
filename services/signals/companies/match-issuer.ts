/** Matches the issuer of a Form D by its name to a developer, or to a project with the same name. Pure. */
import type { MatchMethod, NameMethod } from "#libs/contract/vocabulary.ts";
import { normaliseName } from "#libs/names/normalise.ts";
import type { Resolution } from "#libs/names/resolve.ts";
import type { FormD } from "../records/records.ts";

export type NamedIssuer = Pick<FormD, "issuer_name" | "previous_names" | "issuer_state">;

export interface IssuerMatch {
	developer_id: number | null;
	project_name: string | null;
	match_method: MatchMethod;
	match_confidence: number | null;
	matched_text: string | null;
}

export interface NamedProject {
	name: string;
	developer_id: number | null;
}

const noMatch: IssuerMatch = {
	developer_id: null,
	project_name: null,
	match_method: "none",
	match_confidence: null,
	matched_text: null,
};

/** Lower than for developers' names, because the issuer may merely share the project's name. */
const projectConfidence = 0.8;

/**
 * Tries the issuer's name, then its previous names, then project names. A developer's name of a single word matches only an issuer in the
 * state of the developer's headquarters: "Pattern Capital" is not Pattern Energy.
 */
export function matchIssuer(
	issuer: NamedIssuer,
	resolve: (name: string) => Resolution,
	headquartersOf: (developerId: number) => string | null,
	projects: ProjectNames,
): IssuerMatch {
	for (const name of [issuer.issuer_name, ...issuer.previous_names]) {
		const found = resolve(name);
		if (found.kind !== "matched") continue;
		const { developerId, method, confidence, matchedText } = found;
		if (isOneWord(name, method) && !sameState(issuer.issuer_state, headquartersOf(developerId))) continue;
		return {
			developer_id: developerId,
			project_name: null,
			match_method: method,
			match_confidence: confidence,
			matched_text: matchedText,
		};
	}
	const project = projects.findByName(issuer.issuer_name);
	if (project === undefined) return noMatch;
	return {
		developer_id: project.developer_id,
		project_name: project.name,
		match_method: "project_name",
		match_confidence: projectConfidence,
		matched_text: project.name,
	};
}

/** A curated prefix of project companies belongs to one developer, even if it is a single word. */
function isOneWord(name: string, method: NameMethod): boolean {
	const { fullKey, distinctKey } = normaliseName(name);
	if (method === "developer_prefix") return false;
	const compared = method === "developer_exact" || method === "developer_alias" ? fullKey : distinctKey;
	return !compared.includes(" ");
}

const sameState = (issuer: string | null, headquarters: string | null): boolean =>
	issuer !== null && issuer === headquarters;

/** Projects that an issuer can match: those whose name has several words, one of them distinctive, and belongs to one developer. */
export class ProjectNames {
	readonly #byKey = new Map<string, NamedProject | null>();

	constructor(projects: readonly NamedProject[]) {
		for (const project of projects) {
			const { fullKey, distinctKey } = normaliseName(project.name);
			if (distinctKey === "" || !fullKey.includes(" ")) continue;
			const known = this.#byKey.get(fullKey);
			if (known === undefined) this.#byKey.set(fullKey, project);
			else if (known !== null) this.#byKey.set(fullKey, mergeProjects(known, project));
		}
	}

	findByName(company: string): NamedProject | undefined {
		return this.#byKey.get(normaliseName(company).fullKey) ?? undefined;
	}
}

/** Phases of one developer count as one project. A name shared by projects of two developers matches neither. */
function mergeProjects(a: NamedProject, b: NamedProject): NamedProject | null {
	if (a.developer_id !== b.developer_id) return null;
	return a.name <= b.name ? a : b;
}
