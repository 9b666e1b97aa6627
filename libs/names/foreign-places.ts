/** Countries and regions abroad by their English and own names, letters folded, and the forms of incorporation used there. */

const list = (text: string): string[] => text.split(/[,\n]/).map((name) => name.trim());

/** No place in the United States is called so. */
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

/** Towns, counties and rivers of the United States have the name too: "Invenergy Peru Wind" may well stand in Indiana. */
const alsoAmerican = list(
	`alberta, andes, angola, austria, barbados, belgium, berlin, bolivia, brazil, britain, chile, china, cuba, cyprus
	denmark, egypt, england, europa, finland, germany, greece, hungary, iberia, ireland, italy, jamaica, jordan, lebanon
	london, luxembourg, madrid, malta, manitoba, mexico, montenegro, morocco, new brunswick, nordic, nordics, norway
	ontario, panama, paris, patagonia, peru, poland, russia, scandinavia, scotland, spain, sweden, switzerland, trinidad
	turkey, vietnam, wales`,
);

/** The value says whether an American place has the name too. Names of two or three words are joined by blanks. */
export const foreignPlaces: ReadonlyMap<string, boolean> = new Map([
	...onlyForeign.map((name) => [name, false] as const),
	...alsoAmerican.map((name) => [name, true] as const),
]);

/** "Ltd" and "limited" are not here: Texas has them too. */
export const foreignForms: ReadonlySet<string> = new Set(
	list(
		`plc, ag, sa, saa, se, nv, bv, ab, as, asa, aps, oy, oyj, spa, srl, sas, sarl, sau, sl, slu, ltda, lda, gmbh, kg, kgaa
		pty, pte, pvt, bhd, sdn, kk, sro, doo, ooo, eood, ead, cv`,
	),
);
