/**
 * Decides whether a headline that names a worldwide group is about the group or about its US company, the known developer. Pure.
 */
import { type matchPlaces, type NewsSubject, regions } from "#libs/contract/vocabulary.ts";
import { states } from "#libs/names/words.ts";
import { type NameToken, tokenizeNames, withoutLegalForm } from "./known-names.ts";
import { contextWords } from "./name-context.ts";

/** The business of the US companies, as opposed to the groups' oil, gas and shares. */
const businessWords: ReadonlySet<string> = new Set([
	...contextWords,
	...["hydrogen", "geothermal", "electricity", "hydropower", "microgrid", "agrivoltaics", "sequestration", "nuclear"],
]);

interface NamedDeveloper {
	canonical: string;
	matchedOn: (typeof matchPlaces)[number];
	matchedText: string;
}

/**
 * The headline is about the US company only if it names a place in the United States and the company's business: lawsuits, layoffs and
 * shares concern the group. If the developer is the group itself, all news except news from abroad is about the developer. For a US group
 * that consists of a utility and a developer, only the business matters.
 */
export function subjectOf({ canonical, matchedText, matchedOn }: NamedDeveloper, title: string): NewsSubject {
	const tokens = withoutName(tokenizeNames(title), tokenizeNames(matchedText));
	if (groupsWithUtility.has(foldText(matchedText))) return tokens.some(isOfBusiness) ? "us_business" : "parent";
	if (!isWorldwideName(matchedText)) return "us_business";
	const country = countryOf(tokens);
	if (isWorldwideName(canonical)) return country === "abroad" ? "parent" : "us_business";
	return matchedOn === "title" && country === "us" && tokens.some(isOfBusiness) ? "us_business" : "parent";
}

const isOfBusiness = ({ key }: NameToken): boolean => businessWords.has(key) || /^\d+[mg]wh?$/.test(key);

/** Removes the name, because its own words ("EDF Renewables") are not evidence. */
function withoutName(tokens: readonly NameToken[], name: readonly NameToken[]): NameToken[] {
	const at = tokens.findIndex((_, from) => name.every(({ key }, offset) => tokens[from + offset]?.key === key));
	return at < 0 ? [...tokens] : tokens.toSpliced(at, name.length);
}

const longestPhrase = 3;
const stateNames = new Set(states.values());

/** In news from abroad, "ExxonMobil" means the worldwide group, not its US company, so the match has a lower confidence. */
export const isNewsFromAbroad = (tokens: readonly NameToken[]): boolean => countryOf(tokens) === "abroad";

/** Where the news is from; null if the headline names no place. The United States takes precedence over other countries. */
function countryOf(tokens: readonly NameToken[]): "us" | "abroad" | null {
	let namesForeignPlace = false;
	for (let from = 0; from < tokens.length; from++) {
		if (isUs(tokens[from])) return "us";
		for (const phrase of phrasesFrom(tokens, from).toReversed()) {
			if ((usWords.has(phrase) && phrase !== "us") || stateNames.has(phrase)) return "us";
			if (!foreignWords.has(phrase)) continue;
			namesForeignPlace = true;
			// "Latin America" is not America.
			from += phrase.split(" ").length - 1;
			break;
		}
	}
	return namesForeignPlace ? "abroad" : null;
}

/** Whether the text is the name of a worldwide group (with or without its legal form), not of its US company. */
export const isWorldwideName = (name: string): boolean =>
	worldwideNames.has(foldText(name)) || worldwideNames.has(withoutLegalForm(name));

const foldText = (text: string): string =>
	tokenizeNames(text)
		.map(({ key }) => key)
		.join(" ");

/** True for "US", not for the pronoun "us". */
const isUs = (token: NameToken | undefined): boolean => token?.text === "US";

function phrasesFrom(tokens: readonly NameToken[], from: number): string[] {
	const keys = tokens.slice(from, from + longestPhrase).map(({ key }) => key);
	const phrases = keys.map((_, at) => keys.slice(0, at + 1).join(" "));
	return keys[0] === "u" && keys[1] === "s" ? ["usa", ...phrases] : phrases;
}

const names = (list: string): ReadonlySet<string> =>
	new Set(
		list
			.trim()
			.split(/\s*[,\n]\s*/)
			.map((name) => name.trim()),
	);

/** Folded names of the parents of US developers. */
const worldwideNames = names(`
	totalenergies, total, totalenergies se, totalenergies renewables, shell, shell energy, shell new energies, shell renewables, bp,
	bp plc, equinor, equinor asa, equinor wind, statoil, chevron, chevron corporation, exxonmobil, exxon mobil, exxon,
	exxonmobil corporation, engie, engie renewables, engie solar, gdf suez, enel, enel green power, iberdrola, iberdrola renewables, edf,
	edf renewables, edf power solutions, edf energies nouvelles, edf renewable energy, edp renewables, edpr, edp, rwe, rwe renewables,
	rwe offshore, orsted, acciona, acciona energy, acciona energia, repsol, repsol renewables, repsol renovables, eni, plenitude,
	eni plenitude, jera, jera nex, enbridge, national grid, national grid plc, lightsource bp, lightsource, baywa r e, cubico,
	cubico sustainable investments, zelestra, x elio, enfinity global, enfinity, matrix, matrix renewables, boralex, innergex, hanwha energy,
	hanwha renewables, qcells, hanwha qcells, juwi, brookfield, brookfield asset management, brookfield renewable, brookfield renewable partners,
	macquarie, macquarie asset management, macquarie group, macquarie capital, blackrock, kkr, blackstone, carlyle, eqt, ares, apollo,
	copenhagen infrastructure partners, cip, global infrastructure partners, gip, i squared capital, i squared, cdpq, cpp investments,
	omers, antin, igneo, stonepeak, quinbrook, aes, oxy, occidental, occidental petroleum, e on climate and renewables, innogy, solarpack
`);

const groupsWithUtility = names("nextera, nextera energy");

/** Folded names of foreign countries, peoples and regions, of up to three words. Georgia is excluded: it is read as the state. */
const foreignWords = names(`
	afghanistan, africa, african, albania, algeria, algerian, angola, angolan, argentina, argentine, argentinian, armenia, asia, asian,
	australia, australian, austria, austrian, azerbaijan, azeri, bahrain, bangladesh, bangladeshi, belarus, belgium, belgian, benin,
	bolivia, bosnia, botswana, brazil, brazilian, britain, british, brunei, bulgaria, bulgarian, burundi, cambodia, cameroon, canada,
	canadian, chad, chile, chilean, china, chinese, colombia, colombian, congo, congolese, costa rica, cote d ivoire, croatia, croatian,
	cuba, cyprus, czech, denmark, danish, dominican republic, dubai, abu dhabi, ecuador, egypt, egyptian, el salvador, england, english
	channel, estonia, estonian, ethiopia, europe, european, eu, fiji, finland, finnish, france, french, gabon, gabonese, gambia, germany,
	german, ghana, ghanaian, greece, greek, guatemala, guinea, guyana, guyanese, haiti, honduras, hong kong, hungary, hungarian, iceland,
	india, indian state, rs, crore, gujarat, rajasthan, maharashtra, tamil nadu, barmer, indonesia, indonesian, iran, iranian, iraq, iraqi, ireland,
	irish, israel, israeli, italy, italian, ivory coast, jamaica, japan, japanese, jordanian, kazakhstan, kazakh, kenya, kenyan, korea,
	korean, kuwait, kyrgyzstan, laos, latin america, south america, south american, central america, latvia, latvian, liberia, libya, libyan, lithuania, lithuanian, luxembourg, madagascar,
	malawi, malaysia, malaysian, mali, malta, mauritania, mauritius, mexican, mexico, moldova, mongolia, montenegro, morocco, moroccan,
	mozambique, myanmar, namibia, namibian, nepal, netherlands, dutch, new zealand, nicaragua, niger, nigeria, nigerian, north sea,
	northern ireland, norway, norwegian, oman, omani, pakistan, pakistani, panama canal, papua new guinea, paraguay, peru, peruvian,
	philippines, philippine, poland, polish, portugal, portuguese, qatar, qatari, romania, romanian, russia, russian, rwanda, saudi,
	saudi arabia, scotland, scottish, senegal, senegalese, serbia, serbian, sicily, sierra leone, singapore, slovakia, slovenia, somalia,
	south africa, south african, spain, spanish, sri lanka, sudan, suriname, surinamese, sweden, swedish, switzerland, swiss, syria, taiwan,
	taiwanese, tajikistan, tanzania, tanzanian, thailand, thai, togo, trinidad, tunisia, tunisian, turkey, turkish, turkiye, turkmenistan,
	uae, uganda, ugandan, uk, ukraine, ukrainian, united arab emirates, united kingdom, uruguay, uzbekistan, uzbek, venezuela, venezuelan,
	vietnam, vietnamese, wales, welsh, yemen, zambia, zambian, zimbabwe, alberta, british columbia, manitoba, nova scotia, ontario, quebec,
	saskatchewan, new brunswick, newfoundland, queensland, new south wales, tasmania, catalonia, bavaria, sardinia, rotterdam, baltic
`);

/** Places in the United States, besides the states. */
const usWords = names(`
	us, usa, united states, america, american, americas, north america, gulf of mexico, gulf of america, ferc, epa, doe, permian, bakken, federal, congress, senate, white house, trump, biden, interior department, treasury, irs, new england,
	midwest, houston, chicago, boston, los angeles, san francisco, san diego, dallas, denver, philadelphia, atlanta, phoenix,
	${regions.join(", ").replaceAll("-", " ").toLowerCase()}
`);
