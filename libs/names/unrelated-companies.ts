/** Words next to a known brand which show that a name is not the developer's, but that of a company in another trade or abroad. */
import {
	energyWords,
	gasWords,
	genericWords,
	legalForms,
	legalTails,
	otherTrades,
	plantTechnologies,
	siteWords,
} from "./words.ts";

/** Whether the words after a brand mean a business outside the power industry. The site of a plant does not count ("School Street Solar"). */
export function isOtherTrade(rest: readonly string[]): boolean {
	const lastPlant = rest.findLastIndex((word) => plantTechnologies.has(word));
	return rest.some((word, at) => {
		if (word === "system" || word === "systems") return !energyWords.has(rest[at - 1] ?? "");
		if (siteWords.has(word) && at < lastPlant) return false;
		return otherTrades.has(word) || otherTrades.has(`${word} ${rest[at + 1]}`);
	});
}

/**
 * Whether one of the words is in the list. "gas" counts only next to a word for generation, because other companies sell gas or drill for it.
 */
export function mentionsAny(words: readonly string[], list: ReadonlySet<string>): boolean {
	const isGenerationFuel = (at: number) => gasWords.has(words[at - 1] ?? "") || gasWords.has(words[at + 1] ?? "");
	return words.some((word, at) => list.has(word) && (word !== "gas" || isGenerationFuel(at)));
}

/**
 * Whether the name points abroad while the developer's names do not: by a country ("NextEra Energy Canada"), or a form of
 * incorporation ("EDF Energy plc"). A list of power companies may add the form to a whole known name: "Iberdrola SA".
 */
export function isAbroad(
	words: readonly string[],
	known: ReadonlySet<string>,
	{ isWhole, isPowerList }: { isWhole: boolean; isPowerList: boolean },
): boolean {
	if (findForeignPlaces(words).some((place) => !place.every((word) => known.has(word)))) return true;
	if (isWhole && isPowerList) return false;
	const tails = words.slice(words.findLastIndex((word) => !legalTails.has(word) && !foreignForms.has(word)) + 1);
	if (tails.some((tail) => foreignForms.has(tail) && !known.has(tail))) return true;
	if (isWhole) return false;
	// "Ltd" is also a form of partnerships in Texas, whose names have other words too: "Tenaska Frontier Partners Ltd".
	const isLimited = tails.some((tail) => tail === "ltd" || tail === "limited") && !tails.includes("partnership");
	return isLimited && words.every((word) => known.has(word) || genericWords.has(word) || legalTails.has(word));
}

/** Finds the foreign places in the name. Each is returned as its words. */
function findForeignPlaces(words: readonly string[]): string[][] {
	return words.flatMap((_, at) => {
		if (words[at - 1] === "new") return [];
		const lengths = [3, 2, 1].map((length) => words.slice(at, at + length));
		const place = lengths.find((part) => foreignPlaces.has(part.join(" ")));
		if (place === undefined) return [];
		const isAmericanToo = foreignPlaces.get(place.join(" ")) === true;
		return !isAmericanToo || words.slice(at + place.length).every(isNeutral) ? [place] : [];
	});
}

/** Whether a word continues neither a place name nor a plant's name: true for "Energy" in "Panama Energy", false for "Neck" in "Scotland Neck". */
const isNeutral = (word: string): boolean =>
	!plantTechnologies.has(word) &&
	(legalForms.has(word) || legalTails.has(word) || genericWords.has(word) || foreignForms.has(word));

const list = (text: string): string[] => text.split(/[,\n]/).map((name) => name.trim());

/**
 * Foreign countries and regions, in English and in their own languages, without accents, and foreign words for the power business (last line).
 * None of them is also the name of a place in the United States.
 */
const onlyForeign = list(
	`afghanistan, africa, afrique, albania, algeria, algerie, america latina, latin america, latam, andina, argentina
	armenia, asia, apac, australia, osterreich, oesterreich, azerbaijan, bahamas, bahrain, bangladesh, belarus, belgique
	belgie, belgica, benelux, botswana, brasil, great britain, bulgaria, cambodia, cameroon, canada, quebec, saskatchewan
	british columbia, nova scotia, newfoundland, caribbean, caribe, central america, centroamerica, colombia, congo
	costa rica, croatia, hrvatska, cesko, ceska, czech republic, danmark, dominicana, dominican republic, ecuador
	el salvador, eire, estonia, eesti, ethiopia, europe, emea, suomi, france, ghana, hellas, guatemala, guyana, honduras
	hong kong, magyarorszag, iberica, iceland, india, bharat, indonesia, iran, iraq, israel, italia, ivory coast
	cote divoire, japan, nippon, nihon, kazakhstan, kenya, korea, kosovo, kuwait, latvia, latvija, lithuania, lietuva
	luxemburg, malaysia, mauritius, middle east, moldova, mongolia, maroc, mozambique, myanmar, namibia, nepal
	netherlands, nederland, nl, new zealand, nz, nicaragua, nigeria, norge, oman, pakistan, paraguay, philippines, polska
	portugal, qatar, romania, rossiya, rwanda, saudi arabia, senegal, serbia, srbija, singapore, slovakia, slovensko
	slovenia, slovenija, south africa, south america, sudamerica, espana, sri lanka, sverige, schweiz, suisse, svizzera
	taiwan, tanzania, thailand, tunisia, tunisie, turkiye, uganda, ukraine, ukraina, united arab emirates, uae, dubai
	abu dhabi, united kingdom, uk, uruguay, uzbekistan, venezuela, zambia, zimbabwe, deutschland, alemania, allemagne
	gener, generacion, cogeneracion, produzione, distribuzione, distribucion, eolica, eolico, eolien, raffinage`,
);

/** Foreign places that share their names with towns, counties and rivers in the United States: "Invenergy Peru Wind" may be in Indiana. */
const alsoAmerican = list(
	`alberta, andes, angola, austria, barbados, belgium, berlin, bolivia, brazil, britain, chile, china, cuba, cyprus
	denmark, egypt, england, europa, finland, germany, greece, hungary, iberia, ireland, italy, jamaica, jordan, lebanon
	london, luxembourg, madrid, malta, manitoba, mexico, montenegro, morocco, new brunswick, nordic, nordics, norway
	ontario, panama, paris, patagonia, peru, poland, russia, scandinavia, scotland, spain, sweden, switzerland, trinidad
	turkey, vietnam, wales`,
);

/** Foreign places, and whether a place in the United States has the same name. Names of two or three words are joined by spaces. */
export const foreignPlaces: ReadonlyMap<string, boolean> = new Map([
	...onlyForeign.map((name) => [name, false] as const),
	...alsoAmerican.map((name) => [name, true] as const),
]);

/** Foreign forms of incorporation. "Ltd" and "limited" are not listed, because Texas has them too. */
export const foreignForms: ReadonlySet<string> = new Set(
	list(
		`plc, ag, sa, saa, se, nv, bv, ab, as, asa, aps, oy, oyj, spa, srl, sas, sarl, sau, sl, slu, ltda, lda, gmbh, kg, kgaa
		pty, pte, pvt, bhd, sdn, kk, sro, doo, ooo, eood, ead, cv`,
	),
);
