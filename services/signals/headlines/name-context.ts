/** Words in a headline that distinguish a company from a common word with the same spelling. */
import type { NameToken, TokenRange } from "./known-names.ts";

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** In a headline with one of these words or a capacity ("600MW"), an ambiguous name means the company. */
export const contextWords = words(`
	solar wind storage battery batteries megawatt megawatts gigawatt gigawatts mw gw mwh gwh ppa ppas grid turbine turbines
	renewable renewables photovoltaic
`);

/** Outlets that write only about energy. In their headlines an ambiguous name means the company. Subdomains are included. */
export const trustedDomains = words(`
	canarymedia.com energy-storage.news energynews.us ess-news.com nacleanenergy.com offshorewind.biz power-eng.com powermag.com
	pv-magazine.com pv-magazine-usa.com pv-tech.org rechargenews.com renewableenergyworld.com renewablesnow.com renews.biz
	rtoinsider.com solarindustrymag.com solarpowerportal.co.uk solarpowerworldonline.com utilitydive.com windpowermonthly.com
	windsystemsmag.com
`);

/** Words that follow a sponsor's name in the name of a venue, team or cup ("Xcel Energy Center", "TotalEnergies CAF Champions League"). */
export const venueWords = words(`
	amphitheater amphitheatre arena ballpark caf bwf center centre cup field league pavilion racing stadium theatre theater marathon
`);

/** Words that follow a state and a common word which are not a company's name together: "Georgia power prices". */
export const commodityWords = words(
	"plant plants grid outage outages bills prices line lines supply demand station market customers",
);

interface MisleadingWords {
	/** Words, or phrases with "_", directly before the name. */
	before?: string;
	/** Directly after the name. */
	after?: string;
	/** Anywhere in the headline. */
	anywhere?: string;
}

/** Words that give a name another meaning, by folded name. */
const misleading: Readonly<Record<string, MisleadingWords>> = {
	aes: {
		after: "encryption encrypted 128 192 256 cipher",
		anywhere: "encryption cipher decrypt hospital university airport",
	},
	aip: { after: "publishing physics" },
	altus: { after: "air okla oklahoma", anywhere: "okla afb" },
	apex: { after: "300 legends nc predator n", before: "the", anywhere: "esports legends" },
	apollo: {
		after: "tyres hospitals hospital pharmacy 8 11 13 program mission missions theater creed belvedere astronaut",
		anywhere: "nasa moon astronaut astronauts artemis hospitals tyres",
	},
	aps: { anywhere: "albuquerque schools physics students atlanta" },
	ares: { after: "i v rocket", anywhere: "nasa tron" },
	avista: { anywhere: "naia hospital" },
	blackstone: { after: "griddle griddles valley river", anywhere: "griddle griddles magic" },
	bp: {
		after: "series monitor monitors medication levels reading readings",
		anywhere: "hypertension blood systolic mmhg printer mfp mfps",
	},
	brookfield: {
		after: "wis wisconsin conn connecticut ill illinois zoo homes place school schools central east high square",
		anywhere: "wis zoo school schools police mall",
	},
	candela: { anywhere: "laser lasers lumens" },
	carlyle: { after: "ill illinois lake hotel", before: "thomas belinda" },
	ccr: { anywhere: "epa ash coal creedence" },
	chevron: { after: "doctrine deference pattern", before: "overturning overturn", anywhere: "deference doctrine" },
	cip: { before: "nerc", anywhere: "nerc reliability" },
	clearway: { after: "signs pain" },
	constellation: {
		after: "brands nv 800 class program",
		before: "satellite starlink orion kuiper a",
		anywhere: "nasa satellite satellites starlink wine beer kuiper",
	},
	dominion: { after: "voting post day lands land diamond", anywhere: "voting votes election smartmatic fox" },
	doral: { after: "fla florida miami", before: "trump city_of", anywhere: "golf fla mayor" },
	dte: { anywhere: "dance" },
	enbridge: { after: "gas" },
	eolian: { after: "islands harp" },
	eqt: { after: "corp corporation", anywhere: "marcellus gas pipeline" },
	excelsior: { after: "springs university college hotel correspondent" },
	fermi: { after: "level paradox gas lab estimate surface", before: "enrico", anywhere: "telescope paradox" },
	fpl: { anywhere: "fantasy gameweek premier league captain kit" },
	generate: {
		after: "power electricity energy clean green more enough solar wind renewable revenue heat hydrogen of from up_to",
		before: "to can could will help helps that may would",
	},
	gip: { anywhere: "insulin peptide glp" },
	gmp: { anywhere: "ipo subscription listing pharma fda" },
	hecate: { before: "goddess", anywhere: "goddess zelda netflix" },
	hexagon: { after: "ab composites purus shaped", anywhere: "metrology" },
	holocene: { after: "epoch era extinction climate", before: "the", anywhere: "epoch fossil fossils ice" },
	intersect: { after: "with at", before: "where" },
	ipl: { anywhere: "cricket auction wicket team match season t20 ownership laser" },
	jupiter: {
		after: "fla florida moon moons lighthouse island hospital inlet s_moon s_moons",
		before: "planet of",
		anywhere: "nasa moon moons planet planets juno telescope saturn astronomers fla",
	},
	kkr: { anywhere: "ipl cricket wicket innings kolkata toss batting" },
	leeward: { after: "islands side community coast", before: "the" },
	macquarie: { after: "university island dictionary park harbour", before: "lake port" },
	matrix: { after: "resurrections reloaded movie film", before: "the a", anywhere: "keanu movie film" },
	"national grid": {
		anywhere: "uk britain british england wales scotland london neso india china eskom pakistan nigeria ghana",
	},
	"new leaf": { before: "a turns_a turn_over_a over_a" },
	nova: {
		after: "scotia launcher southeastern southeast university ukraine kakhovka scotian",
		before: "bossa super chevy",
	},
	nrg: { after: "stadium park arena esports center", anywhere: "esports texans valorant rodeo stadium" },
	occidental: { after: "college mindoro" },
	"open road": { before: "the", after: "ahead" },
	pattern: {
		after: "of in shows emerges recognition or that is has among",
		before:
			"weather wind holding traffic flight climate a the this that flow same new behaviour behavior enigmatic storage",
	},
	peregrine: { after: "falcon falcons lander mission", anywhere: "falcon falcons moon lander nest" },
	pivot: {
		after: "to toward towards away from back on and in point",
		before: "to strategic a major big green could energy clean",
	},
	ppl: { anywhere: "therapy pilot licence" },
	primergy: { anywhere: "fujitsu server servers" },
	ranger: {
		after: "ev raptor district station station_s",
		before: "ford park texas forest",
		anywhere: "ford pickup park",
	},
	recurrent: { after: "neural auto ev", anywhere: "ev used" },
	repsol: { after: "honda", anywhere: "motogp" },
	rev: { after: "up limiter group limit", before: "rev" },
	rwe: { anywhere: "evidence clinical patients trial trials fda oncology" },
	scout: {
		after: "motors troop camp leader leaders for ev",
		before: "boy girl eagle cub talent to",
		anywhere: "vw volkswagen troop",
	},
	shell: {
		after: `lake beach game shock jacket company_men script casing casings egg eggs out necklace midden factory eco
			eco_marathon marathon structure shocked island`,
		before: "oyster egg soft sea hard bomb tortoise deep a turtle nut taco clam protective outer seashell",
		anywhere: "oyster oysters turtle turtles crab clam ammo eco marathon jacket",
	},
	spearmint: { anywhere: "tea oil gum mint" },
	srp: { after: "treatment", anywhere: "retail" },
	strata: {
		after: "management title corporation council property manager",
		before: "social rock",
		anywhere: "apartment condo",
	},
	"swift current": { after: "sask saskatchewan broncos", anywhere: "sask saskatchewan broncos rcmp" },
	torch: { after: "relay bearer", before: "the olympic to pass passes plasma passing a", anywhere: "olympic relay" },
	total: {
		after: `solar wind capacity installed renewable renewables energy storage power battery cost costs of eclipse lunar war
			wine recall investment investments generation output number electricity us u global value amount demand emissions
			addressable assets return package carbon ban blackout shutdown revenue debt 2026 2027 2025 1 2 3 4 5`,
		before: "in a the its to by grand reach reaches combined",
	},
	"treaty oak": { after: "park distillery", before: "historic the", anywhere: "tree" },
};

/** Each phrase is a list of words. */
interface Neighbors {
	before: string[][];
	after: string[][];
	anywhere: ReadonlySet<string>;
}

const phrases = (list = ""): string[][] => wordsOf(list).map((phrase) => phrase.split("_"));
const wordsOf = (list: string): string[] => list.split(/\s+/).filter((word) => word !== "");

const neighbors: ReadonlyMap<string, Neighbors> = new Map(
	Object.entries(misleading).map(([name, { before, after, anywhere = "" }]) => [
		name,
		{ before: phrases(before), after: phrases(after), anywhere: new Set(wordsOf(anywhere)) },
	]),
);

/** Whether the words around a name give it another meaning. The name occupies the tokens from `from` to `to` (exclusive). */
export function isMisleading(key: string, { from, to }: TokenRange, tokens: readonly NameToken[]): boolean {
	const wordsAround = neighbors.get(key);
	if (wordsAround === undefined) return false;
	const isAt = (phrase: string[], at: number): boolean => phrase.every((word, nth) => tokens[at + nth]?.key === word);
	if (wordsAround.before.some((phrase) => isAt(phrase, from - phrase.length))) return true;
	if (wordsAround.after.some((phrase) => isAt(phrase, to))) return true;
	return tokens.some((token, at) => (at < from || at >= to) && wordsAround.anywhere.has(token.key));
}
