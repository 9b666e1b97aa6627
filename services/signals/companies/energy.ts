/** Decides whether a filing is about energy, by its industry group (Form D) or SIC code (8-K), its issuer and its words. Pure. */
import { issuers } from "./issuers.ts";

interface EnergyEvidence {
	industryGroup?: string | null;
	sic?: string | null;
	ciks?: readonly string[];
	names: readonly string[];
	/** The filer's explanation. Ignored for pooled funds. */
	clarification?: string | null;
}

/**
 * Industry groups. Environmental Services includes waste and water. Oil and Gas and Coal Mining are left out, because most of those issuers
 * are drilling partnerships.
 */
const energyGroups = new Set(["electric utilities", "energy conservation", "other energy", "environmental services"]);

/** Electric, gas, cogeneration, combined utilities. */
const energySic = new Set(["4900", "4911", "4922", "4923", "4924", "4931", "4932", "4991"]);
/** Heating equipment (some solar), semiconductors (modules), electrical equipment, batteries, refuse (waste to energy). */
const mixedSic = new Set(["3433", "3620", "3621", "3674", "3690", "3691", "4953"]);

/**
 * Parents of developers whose main business is not energy: Alphabet, and the investment managers Brookfield (two), BlackRock, KKR,
 * Blackstone, Ares, Carlyle, Apollo and TPG. A filing by one of them is not necessarily about energy.
 */
const otherBusiness = new Set(
	"1652044 1001085 1937926 1364742 1404912 1393818 1176948 1527166 1858681 1880661".split(" "),
);

/** Phrases that contain a keyword but are not about energy. Words such as Windsor, SolarWinds and hydroponic match no keyword. */
const negatives =
	/\b(self[- ]storage|storage units?|battery (?:ventures|park)|wind river|power brands|energy drinks?|windy city|solar winds|wind(?:s|ing)?[- ](?:down|up)|wound[- ](?:down|up))\b/g;

const keywords =
	/\b(?:solar|photovoltaics?|pv|wind|renewables?|clean energy|energy storage|battery|batteries|bess|hydro[- ]?(?:electric|power)|geothermal|nuclear|fusion|microgrids?|grid|transmission|hydrogen|carbon capture|biogas|rng|(?:\d+(?:\.\d+)?)?(?:mw|megawatts?))\b/;

const power = /\bpower\b/;
/** In a text with one of these words, "power" means electricity. */
const powerContext =
	/\b(?:energy|electric(?:al|ity)?|utilit(?:y|ies)|generation|generating|generators?|plants?|stations?|cogeneration|purchase agreements?|producers?)\b/;

const maxText = 10_000;

/** A group or code of oil, gas or coal mining does not count by itself: the filing also needs a known issuer or a keyword. */
export function isAboutEnergy({ industryGroup, sic, ciks = [], names, clarification }: EnergyEvidence): boolean {
	const group = industryGroup?.trim().toLowerCase() ?? "";
	const code = sic?.trim() ?? "";
	if (energyGroups.has(group) || energySic.has(code)) return true;
	if (ciks.some((cik) => issuers.has(cik) && !otherBusiness.has(cik))) return true;
	if (names.some(mentionsEnergy)) return true;
	if (mixedSic.has(code) && names.some(mentionsPower)) return true;
	return group !== "pooled investment fund" && mentionsEnergy(clarification ?? "");
}

function mentionsEnergy(text: string): boolean {
	const rest = withoutNegatives(text);
	return keywords.test(rest) || (power.test(rest) && powerContext.test(rest));
}

function mentionsPower(name: string): boolean {
	const rest = withoutNegatives(name);
	return power.test(rest) || powerContext.test(rest);
}

/** Replaces the phrases in `negatives` with "|", so that the words around them do not form a new phrase. */
function withoutNegatives(text: string): string {
	return text.slice(0, maxText).toLowerCase().replace(/\s+/g, " ").replace(negatives, "|");
}
