import { technologies } from "#libs/contract/vocabulary.ts";
import { type TechnologyRule, technologyRules } from "./law/technologies.ts";

export interface Plant {
	rule: TechnologyRule;
	storagePart: boolean;
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
 * The generating part of a hybrid determines its rate. If there are several, it is the first one without a credit (because its share of the
 * capacity is unknown), otherwise the first one.
 */
function composePlant(technology: string): Plant | undefined {
	const parts = technology.split(" + ").map((part) => rules.get(part));
	const found = parts.filter((part) => part !== undefined);
	const [first] = found;
	if (first === undefined || found.length < parts.length) return undefined;
	if (found.length === 1) return { rule: first, storagePart: false, assumption: null };
	const generating = found.filter((part) => !part.storage);
	const rule = generating.find(hasNoCredit) ?? generating[0] ?? first;
	const storagePart = generating.length > 0 && generating.length < found.length;
	return { rule, storagePart, assumption: describeParts(rule, generating, storagePart) };
}

function hasNoCredit(rule: TechnologyRule): boolean {
	return rule.claims.every((row) => "status" in row);
}

function describeParts(rule: TechnologyRule, generating: readonly TechnologyRule[], storagePart: boolean): string {
	const others = generating.filter((part) => part !== rule).map((part) => part.technology);
	const own = storagePart ? ["storage", ...others] : others;
	const beside = own.length === 0 ? "" : `; the ${own.join(" and ")} part is a facility of its own with its own credit`;
	return `The rate and the value are those of the ${rule.technology} part${beside}.`;
}
