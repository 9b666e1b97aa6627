import { technologies } from "#libs/contract/vocabulary.ts";
import { type TechnologyRule, technologyRules } from "./law/technologies.ts";

export interface Plant {
	rule: TechnologyRule;
	hasStoragePart: boolean;
	/** How the parts of a hybrid were treated; null for a single technology. */
	assumption: string | null;
}

const rules = new Map<string, TechnologyRule>(technologyRules.map((rule) => [rule.technology, rule]));

const plants = new Map<string, Plant | undefined>(technologies.map((name) => [name, composePlant(name)]));

/** `technology`: one of `technologies`, or several joined by " + ". Undefined for any other text. */
export function plantOf(technology: string): Plant | undefined {
	return plants.has(technology) ? plants.get(technology) : composePlant(technology);
}

/**
 * The generating part of a hybrid determines the rate. If there are several, it is the first part without a credit (because the capacity of
 * each part may be unknown), otherwise the first part.
 */
function composePlant(technology: string): Plant | undefined {
	const parts = technology.split(" + ").map((part) => rules.get(part));
	const knownParts = parts.filter((part) => part !== undefined);
	const [first] = knownParts;
	if (first === undefined || knownParts.length < parts.length) return undefined;
	if (knownParts.length === 1) return { rule: first, hasStoragePart: false, assumption: null };
	const generating = knownParts.filter((part) => !part.storage);
	const rule = generating.find(hasNoCredit) ?? generating[0] ?? first;
	const hasStoragePart = generating.length > 0 && generating.length < knownParts.length;
	return { rule, hasStoragePart, assumption: describeParts(rule, generating, hasStoragePart) };
}

function hasNoCredit(rule: TechnologyRule): boolean {
	return rule.claims.every((row) => "status" in row);
}

function describeParts(rule: TechnologyRule, generating: readonly TechnologyRule[], hasStoragePart: boolean): string {
	const others = generating.filter((part) => part !== rule).map((part) => part.technology);
	const separateParts = hasStoragePart ? ["storage", ...others] : others;
	const separatePartsText =
		separateParts.length === 0
			? ""
			: `; the ${separateParts.join(" and ")} part is a separate facility with a separate credit`;
	return `The rate and the value are those of the ${rule.technology} part${separatePartsText}.`;
}
