/** Is a filing about energy? Fact sheet 1.4 for Form D, and the industrial codes of 2.1 for 8-K. Pure. */
import { issuers } from "./issuers.ts";

export interface EnergyEvidence {
	/** Form D's own group: "Other Energy". */
	industryGroup?: string | null;
	/** Standard industrial classification code. */
	sic?: string | null;
	/** The numbers (CIK, without leading zeros) of the companies that file. */
	ciks?: readonly string[];
	/** The issuer's name and its previous ones. */
	names: readonly string[];
	/** What the filer explains in words. Not looked at for a pooled fund: such a fund is judged by its name alone. */
	clarification?: string | null;
}

/** Which rule spoke first; null when none did. */
export type EnergyRule =
	/** Electric Utilities, Energy Conservation, Other Energy. */
	| "industry"
	/** Environmental Services: weaker, waste and water are in it too. */
	| "industry-medium"
	| "sic"
	/** A company that is known as a developer or as a parent of developers. */
	| "issuer"
	/** A code that is energy only in part, beside a name that speaks of energy. */
	| "sic-mixed"
	| "name"
	| "clarification";

const strongGroups = new Set(["electric utilities", "energy conservation", "other energy"]);
/** Oil and Gas and Coal Mining are in neither set: mostly drilling partnerships, they say nothing by themselves. */
const mediumGroups = new Set(["environmental services"]);

/** Electric, gas, cogeneration, combined utilities. */
const energySic = new Set(["4900", "4911", "4922", "4923", "4924", "4931", "4932", "4991"]);
/** Heating equipment (some solar), semiconductors (modules), electrical equipment, batteries, refuse (waste to energy). */
const mixedSic = new Set(["3433", "3620", "3621", "3674", "3690", "3691", "4953"]);

/**
 * Parents of developers whose own business is another, so that only name and code tell: Alphabet, and the managers of investments
 * Brookfield (two), BlackRock, KKR, Blackstone, Ares, Carlyle, Apollo and TPG.
 */
const otherBusiness = new Set([
	"1652044",
	"1001085",
	"1937926",
	"1364742",
	"1404912",
	"1393818",
	"1176948",
	"1527166",
	"1858681",
	"1880661",
]);

/** Phrases whose words would be taken for keywords. Names in one word (Windsor, SolarWinds, hydroponic) match no keyword anyway. */
const negatives =
	/\b(self[- ]storage|storage units?|battery (?:ventures|park)|wind river|power brands|energy drinks?|windy city|solar winds|wind(?:s|ing)?[- ](?:down|up)|wound[- ](?:down|up))\b/g;

const keywords =
	/\b(?:solar|photovoltaics?|pv|wind|renewables?|clean energy|energy storage|battery|batteries|bess|hydro[- ]?(?:electric|power)|geothermal|nuclear|fusion|microgrids?|grid|transmission|hydrogen|carbon capture|biogas|rng|(?:\d+(?:\.\d+)?)?(?:mw|megawatts?))\b/;

const power = /\bpower\b/;
/** Words beside which "power" means electricity. */
const context =
	/\b(?:energy|electric(?:al|ity)?|utilit(?:y|ies)|generation|generating|generators?|plants?|stations?|cogeneration|purchase agreements?|producers?)\b/;

/** Text that is looked at: the form has room for less. */
const maxText = 10_000;

/** 1 with the rule that says so, else 0. Oil and Gas or Coal Mining alone (group or code) is 0: a keyword decides. */
export function energyKeyword(evidence: EnergyEvidence): { energyKeyword: 0 | 1; rule: EnergyRule | null } {
	const rule = ruleOf(evidence);
	return { energyKeyword: rule === null ? 0 : 1, rule };
}

function ruleOf({ industryGroup, sic, ciks = [], names, clarification }: EnergyEvidence): EnergyRule | null {
	const group = industryGroup?.trim().toLowerCase() ?? "";
	const code = sic?.trim() ?? "";
	if (strongGroups.has(group)) return "industry";
	if (energySic.has(code)) return "sic";
	if (ciks.some((cik) => issuers.has(cik) && !otherBusiness.has(cik))) return "issuer";
	if (names.some(speaksOfEnergy)) return "name";
	if (mixedSic.has(code) && names.some((name) => anyContext(name))) return "sic-mixed";
	if (group !== "pooled investment fund" && speaksOfEnergy(clarification ?? "")) return "clarification";
	return mediumGroups.has(group) ? "industry-medium" : null;
}

function speaksOfEnergy(text: string): boolean {
	const left = withoutNegatives(text);
	return keywords.test(left) || (power.test(left) && context.test(left));
}

function anyContext(name: string): boolean {
	const left = withoutNegatives(name);
	return power.test(left) || context.test(left);
}

/** A mark stands in their place, so that no phrase arises across the gap. */
function withoutNegatives(text: string): string {
	return text.slice(0, maxText).toLowerCase().replace(/\s+/g, " ").replace(negatives, "|");
}
