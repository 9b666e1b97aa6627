/** Whose offering a Form D is: a developer's by the issuer's name, or a project's that the issuer is called like. Pure. */
import type { MatchMethod, NameMethod } from "#libs/contract/vocabulary.ts";
import { normaliseName } from "#libs/names/normalise.ts";

/** The issuer of a Form D. */
export interface NamedIssuer {
	issuer_name: string;
	previous_names: string[];
	issuer_state: string | null;
}

export interface IssuerMatch {
	developer_id: number | null;
	project_name: string | null;
	match_method: MatchMethod;
	/** Null where nothing matched. */
	match_confidence: number | null;
	/** Name of the developer or project that was recognised. */
	matched_text: string | null;
}

export type Resolved =
	| { kind: "matched"; developerId: number; method: NameMethod; confidence: number; matchedText: string }
	| { kind: Exclude<string, "matched"> };

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

/** A company that is called exactly like a project is its project company, or one of a namesake. */
const projectConfidence = 0.8;

/**
 * The developer that the issuer's name, else one of its previous names, is of; else the project. A name of one word is not enough:
 * "Pattern Capital" is not Pattern Energy. It needs the state of the developer's headquarters beside it (fact sheet, 1.5).
 */
export function matchIssuer(
	issuer: NamedIssuer,
	resolve: (name: string) => Resolved,
	headquartersOf: (developerId: number) => string | null,
	projects: ProjectNames,
): IssuerMatch {
	for (const name of [issuer.issuer_name, ...issuer.previous_names]) {
		const found = resolve(name);
		if (!isMatch(found)) continue;
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
	const project = projects.named(issuer.issuer_name);
	if (project === undefined) return noMatch;
	return {
		developer_id: project.developer_id,
		project_name: project.name,
		match_method: "project_name",
		match_confidence: projectConfidence,
		matched_text: project.name,
	};
}

const isMatch = (found: Resolved): found is Extract<Resolved, { developerId: number }> => found.kind === "matched";

/** Is what was compared a single word? A curated first word of project companies is known to be one developer's alone. */
function isOneWord(name: string, method: NameMethod): boolean {
	const { fullKey, distinctKey } = normaliseName(name);
	if (method === "developer_prefix") return false;
	const compared = method === "developer_exact" || method === "developer_alias" ? fullKey : distinctKey;
	return !compared.includes(" ");
}

const sameState = (issuer: string | null, headquarters: string | null): boolean =>
	issuer !== null && issuer === headquarters;

/** Projects by name, those that a company could be called by: of several words, one of them its own, and of one developer. */
export class ProjectNames {
	readonly #byKey = new Map<string, NamedProject | null>();

	constructor(projects: readonly NamedProject[]) {
		for (const project of projects) {
			const { fullKey, distinctKey } = normaliseName(project.name);
			if (distinctKey === "" || !fullKey.includes(" ")) continue;
			const known = this.#byKey.get(fullKey);
			if (known === undefined) this.#byKey.set(fullKey, project);
			else if (known !== null) this.#byKey.set(fullKey, together(known, project));
		}
	}

	named(company: string): NamedProject | undefined {
		return this.#byKey.get(normaliseName(company).fullKey) ?? undefined;
	}
}

/** Phases of one developer; two developers' projects of one name are linked to neither. */
function together(a: NamedProject, b: NamedProject): NamedProject | null {
	if (a.developer_id !== b.developer_id) return null;
	return a.name <= b.name ? a : b;
}
