/** Decides whether a filing is about energy: by industry group (Form D) or industrial code (8-K), issuer and words. Pure. */
import { issuers } from "./issuers.ts";

interface EnergyEvidence {
	industryGroup?: string | null;
	sic?: string | null;
	ciks?: readonly string[];
	names: readonly string[];
	/** The filer's explanation. A pooled fund is judged by its name only. */
	clarification?: string | null;
}

type EnergyRule =
	| "industry"
	/** Environmental Services, which includes waste and water. */
	| "industry-medium"
	| "sic"
	| "issuer"
	/** A code that is partly about energy, with a name about energy. */
	| "sic-mixed"
	| "name"
	| "clarification";

const strongGroups = new Set(["electric utilities", "energy conservation", "other energy"]);
/** Oil and Gas and Coal Mining are in neither set: most are drilling partnerships. */
const mediumGroups = new Set(["environmental services"]);

/** Electric, gas, cogeneration, combined utilities. */
const energySic = new Set(["4900", "4911", "4922", "4923", "4924", "4931", "4932", "4991"]);
/** Heating equipment (some solar), semiconductors (modules), electrical equipment, batteries, refuse (waste to energy). */
const mixedSic = new Set(["3433", "3620", "3621", "3674", "3690", "3691", "4953"]);

/**
 * Parents of developers with another business of their own: Alphabet, and the investment managers Brookfield (two), BlackRock, KKR,
 * Blackstone, Ares, Carlyle, Apollo and TPG. Their names and codes decide.
 */
const otherBusiness = new Set(
	"1652044 1001085 1937926 1364742 1404912 1393818 1176948 1527166 1858681 1880661".split(" "),
);

/** Phrases that contain keywords. Single words (Windsor, SolarWinds, hydroponic) match no keyword. */
const negatives =
	/\b(self[- ]storage|storage units?|battery (?:ventures|park)|wind river|power brands|energy drinks?|windy city|solar winds|wind(?:s|ing)?[- ](?:down|up)|wound[- ](?:down|up))\b/g;

const keywords =
	/\b(?:solar|photovoltaics?|pv|wind|renewables?|clean energy|energy storage|battery|batteries|bess|hydro[- ]?(?:electric|power)|geothermal|nuclear|fusion|microgrids?|grid|transmission|hydrogen|carbon capture|biogas|rng|(?:\d+(?:\.\d+)?)?(?:mw|megawatts?))\b/;

const power = /\bpower\b/;
/** Beside these words, "power" means electricity. */
const context =
	/\b(?:energy|electric(?:al|ity)?|utilit(?:y|ies)|generation|generating|generators?|plants?|stations?|cogeneration|purchase agreements?|producers?)\b/;

const maxText = 10_000;

/** The first rule that applies, or null. Oil and Gas or Coal Mining (group or code) does not suffice: a keyword decides. */
export function energyRule({ industryGroup, sic, ciks = [], names, clarification }: EnergyEvidence): EnergyRule | null {
	const group = industryGroup?.trim().toLowerCase() ?? "";
	const code = sic?.trim() ?? "";
	if (strongGroups.has(group)) return "industry";
	if (energySic.has(code)) return "sic";
	if (ciks.some((cik) => issuers.has(cik) && !otherBusiness.has(cik))) return "issuer";
	if (names.some(mentionsEnergy)) return "name";
	if (mixedSic.has(code) && names.some((name) => anyContext(name))) return "sic-mixed";
	if (group !== "pooled investment fund" && mentionsEnergy(clarification ?? "")) return "clarification";
	return mediumGroups.has(group) ? "industry-medium" : null;
}

function mentionsEnergy(text: string): boolean {
	const left = withoutNegatives(text);
	return keywords.test(left) || (power.test(left) && context.test(left));
}

function anyContext(name: string): boolean {
	const left = withoutNegatives(name);
	return power.test(left) || context.test(left);
}

/** The inserted mark prevents a new phrase across the gap. */
function withoutNegatives(text: string): string {
	return text.slice(0, maxText).toLowerCase().replace(/\s+/g, " ").replace(negatives, "|");
}
