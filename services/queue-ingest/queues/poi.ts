/**
 * Derives the id of the point of interconnection that a request names: operator, transmission owner, state, station or ends of a line,
 * circuit and nominal voltage. All spellings of a point have one id; points that may differ have different ids. Pure.
 */
import type { Project } from "#libs/contract/records/project.ts";
import type { ProjectRegion } from "#libs/contract/vocabulary.ts";

type NamedPoint = Pick<Project, "poi" | "utility" | "state" | "county">;

/** Texts with more characters describe a place rather than name it. */
const maxNameLength = 90;

/** Texts that name several points, a choice of points, or none. */
const severalOrNone =
	/;|\s[&+]\s|^(?:the )?primary\b|\bprimary(?= poi|\W*[:)])|\b(and|or|alternat\w*|either|both|secondary|second|between|via|near|multiple|various|tbd|tbt|unknown|n\/?a|other_|none|undetermined|feeder|distribution system|shared?|lines|co-?located|pjm)\b|\bgen-\d|^\W*[a-z]{1,3}\d{3,4}\W*$/;

/** Null if the text does not name exactly one point: no text, several points, a description, another request's number. */
export function poiIdOf({ poi, utility, state, county }: NamedPoint, region: ProjectRegion): string | null {
	const point = readPoint(poi ?? "", region);
	if (point === null) return null;
	// Without a voltage, stations in different counties can have one name.
	const place = point.kv === null ? toSlug(county) : `${point.kv}kv`;
	const parts = [region, ownerKey(utility), region === "CAISO" ? "" : toSlug(state), ...point.name, place];
	return parts.filter((part) => part !== "").join("-");
}

/**
 * Gives a point without a state the id of its only namesake in the list: same owner, station and voltage (or county). With several
 * namesakes, its id does not change.
 */
export function fillMissingState<P extends NamedPoint & { poiId: string | null }>(
	points: P[],
	region: ProjectRegion,
): P[] {
	const isStateless = ({ poiId, utility, state, county }: P) =>
		poiId !== null && utility !== null && state === null && (county !== null || /kv$/.test(poiId));
	if (!points.some(isStateless)) return points;
	const withState = Map.groupBy(
		points.filter(({ state }) => state !== null),
		(point) => poiIdOf({ ...point, state: null }, region),
	);
	return points.map((point) => {
		const [id, ...others] = new Set(isStateless(point) ? withState.get(point.poiId)?.map(({ poiId }) => poiId) : []);
		return id && others.length === 0 ? { ...point, poiId: id } : point;
	});
}

/** Returns the suffix that the ids of all points with this name and voltage share; null if the text has no voltage. */
export function poiIdSuffix(text: string): string | null {
	const point = readPoint(text, null);
	return point === null || point.kv === null ? null : [...point.name, `${point.kv}kv`].join("-");
}

/** Names the rule by which two different spellings give the same id. */
export function findSpellingRule(spelling: string, name: string): string {
	const [one, other] = [plainText(spelling), plainText(name)];
	const joined = (text: string) => text.replace(/[^a-z0-9]/g, "");
	if (joined(one) === joined(other)) return "case, spaces and punctuation";
	const sorted = (text: string) => (text.match(/[a-z]+|\d+/g) ?? []).sort().join();
	if (sorted(one) === sorted(other)) return "order of the words";
	const voltages = [one, other].map((text) => voltageIn(text)?.kv);
	return voltages[0] === voltages[1]
		? "abbreviations, or words beside the name (kind of station, owner, bus, request)"
		: "nominal voltage";
}

/** Reads the name (including circuit numbers) and the voltage. */
function readPoint(filed: string, region: ProjectRegion | null): { name: string[]; kv: number | null } | null {
	const circuits = circuitsIn(removeSequence(plainText(filed), region), region);
	const voltage = voltageIn(circuits.rest);
	if (voltage === null || circuits.rest.length > maxNameLength || severalOrNone.test(voltage.rest)) return null;
	const name = toNamePart(voltage.rest, region);
	if (notPoints.has(name) || (name.length < 2 && circuits.numbers.length === 0)) return null;
	const nameParts = [name, ...circuits.numbers.map((number) => `no${number}`)].filter((part) => part !== "");
	return { name: nameParts, kv: voltage.kv === null ? null : nominalKv(voltage.kv, region) };
}

const toSlug = (text: string | null): string => (text ?? "").toLowerCase().replace(/[^a-z0-9]+/g, "-");

/** Removes PJM's numbers of the requests at one point: "Sullivan 345kV #2", "Franklin 138 kV II". */
const removeSequence = (text: string, region: ProjectRegion | null): string =>
	region === "PJM" ? text.replace(/(kv)\s+(?:i{1,3}|iv|v|vi{1,3}|#?\d)$/, "$1") : text;

/**
 * Converts a text to lower-case ASCII. Removes bus numbers, coordinates and other remarks in brackets, but not the name of a circuit
 * ("(MW2)"). A voltage in brackets at the end is kept if the text before it has none.
 */
function plainText(filed: string): string {
	return filed
		.normalize("NFKD")
		.toLowerCase()
		.replace(/&amp;/g, "&")
		.replace(/[\u2010-\u2015]/g, "-")
		.replace(/['\u2018\u2019`]/g, "")
		.replace(/[([](\d{2,3}(?:\.\d)?\s*-?\s*kv(?: \w+)?)[)\]]$/, (_, voltage: string, at: number, text: string) =>
			voltageIn(text.slice(0, at).trim())?.kv === null ? ` ${voltage}` : "",
		)
		.replace(/[([](?!\w{2}\d{1,2}[)\]])[^()[\]]*\d[^()[\]]*[)\]]/g, " ")
		.replace(/\bbus\s*(?:id|no\.?|number)?\s*[:#]*\s*\d+\b(?!\s*-?\s*k|\.)/g, " ")
		.replace(/\s+/g, " ")
		.trim();
}

/** Finds the numbers of a line's circuits or a station's units: "#2", "Ckt 2", "line no. 8". In ERCOT, all other numbers are bus numbers. */
function circuitsIn(text: string, region: ProjectRegion | null): { numbers: string[]; rest: string } {
	const numbers: string[] = [];
	const collectNumber = (_: string, number: string) => {
		numbers.push(number);
		return " line ";
	};
	const rest = text
		.replace(/(\d)\s*(?:and|&)\s*(?=#?\d{1,3}\b(?!\s*-?\s*k\s*v))/g, "$1 ckt ")
		.replace(
			/\b(?:ckt|(?:circuit|cir|line|section|no)\b)\.?[\s#-]*(?:no\.?\s*)?#?\s*0*(\d{1,4}[a-jl-z]?)\b(?!\.\d|\s*-?\s*k(?:\s*v)?\b)/g,
			collectNumber,
		);
	const unnumbered =
		region === "ERCOT"
			? rest.replace(/#?\b\d{2,6}\b(?!\s*\.?\d*\s*-?\s*kv)/g, " ")
			: rest.replace(/#\s*0*(\d+)\b/g, collectNumber);
	return { numbers: [...new Set(numbers)].sort(), rest: unnumbered };
}

/**
 * Finds the voltage (kV) in a text. `kv` is null if the text has none; the result is null if it has several. A voltage may follow a word
 * without a space ("Oneida138kV"), but not the letters of a request number ("Q230 kV"). At the end of the name, a nominal voltage needs no
 * unit, or only a part of it ("345K").
 */
function voltageIn(text: string): { kv: number | null; rest: string } | null {
	const withUnit = /(?<![\d_.]|\b[a-z]{1,2})(\d{1,3}(?:\.\d+)?)\s*-?\s*k\s*v\b\.?/g;
	const withUnits = [...text.matchAll(withUnit)];
	if (withUnits.length > 1) return null;
	const bare =
		/\s(765|500|345|230|161|138|115|69|34\.5)(?:\s*v?k\b|-)?(?=\s*(?:sub|substation|(?:switching )?station|line|switch|switchyard|swyd|bus)?$)/;
	const [, kv] = withUnits[0] ?? bare.exec(text) ?? [];
	return {
		kv: kv === undefined ? null : Number(kv),
		rest: text.replace(withUnits.length === 1 ? withUnit : bare, " @ "),
	};
}

/** SCE also files its 230 kV system as 220 kV; 525 and 34 kV are other names for 500 and 34.5 kV. */
function nominalKv(kv: number, region: ProjectRegion | null): number {
	if (region === "CAISO" && kv === 220) return 230;
	return kv === 525 ? 500 : kv === 34 ? 34.5 : kv;
}

const stationWords = new Set([
	"substation",
	"sub",
	"subst",
	"substations",
	"station",
	"switchyard",
	"swyd",
	"yard",
	"switching",
	"bus",
	"swtich",
]);
const lineWords = new Set(["line", "lines", "tap", "transmission", "circuit", "break"]);
const leadingWords = new Set([
	"the",
	"at",
	"on",
	"of",
	"from",
	"existing",
	"proposed",
	"tap",
	"tapping",
	"line",
	"double",
	"owned",
	"portion",
	"transmission",
]);
/** Owner names that some operators file in front of the station's name. */
const ownerPrefix =
	/^(?:cmp|ngrid|ma ngrid|ri ngrid|national grid|nat grid|grid|ng|eversource(?: energy)?|ee|nstar|cl p|psnh|ui|bhe|emera(?: maine)?|velco|gmp|wmeco|ma wmeco|rie|central maine power|versant|mps|sce|lipa|nypa|nyseg)s? (?=\S)/;
/** Texts that are not the name of a point. */
const notPoints: ReadonlySet<string> = new Set(["ngrid", "national-grid", "increase-existing-unit-capacity", "new"]);
const abbreviations: Record<string, string> = {
	rd: "road",
	ave: "avenue",
	mt: "mount",
	mtn: "mountain",
	ft: "fort",
	jct: "junction",
	ctr: "center",
	saint: "st",
};
const directions: Record<string, string> = { n: "north", s: "south", e: "east", w: "west" };

/** The station, or the ends of the line in alphabetical order, as part of an id. */
function toNamePart(text: string, region: ProjectRegion | null): string {
	const cleaned = text.replaceAll("@", " ").trim();
	const isStation = stationWords.has(cleaned.split(/\s+/).at(-1) ?? "");
	const ends = cleaned
		.split(/\s-+\s*|\s*-+\s|\sto\s|(?<=[a-z]{2}\.?)-+(?=#?[a-z]{2})/)
		.map((end) => readWords(end, region))
		.filter((end) => end.words.length > 0);
	const names = ends.map(({ words }) => words.join("-"));
	// A line or tap that is named after one station is a different point from that station.
	if (names.length === 1 && ends[0]?.isLine) return `${names[0]}-line`;
	return isStation ? names.join("-") : names.sort().join("--");
}

function readWords(text: string, region: ProjectRegion | null): { words: string[]; isLine: boolean } {
	let words = text
		.replace(/[^a-z0-9]+/g, " ")
		.trim()
		.replace(ownerPrefix, "")
		.split(" ")
		.filter((word) => word !== "");
	let isLine = false;
	const isEnd = (word = "") =>
		stationWords.has(word) || lineWords.has(word) || (region === "ERCOT" && /^(switch|sw)$/.test(word));
	while (words.length > 0 && leadingWords.has(words[0] ?? "")) words = words.slice(1);
	for (; words.length > 0 && isEnd(words.at(-1)); words = words.slice(0, -1))
		isLine ||= lineWords.has(words.at(-1) ?? "");
	return { words: words.map((word, at) => spellOut(word, at, words)), isLine };
}

function spellOut(word: string, at: number, words: readonly string[]): string {
	if (at === 0 && /^[a-z]{3}/.test(words[1] ?? "")) return directions[word] ?? abbreviations[word] ?? word;
	return at > 0 && at === words.length - 1 && word === "st" ? "street" : (abbreviations[word] ?? word);
}

/** Key of a transmission owner: the first word of its name, or the common key in `sameOwners` if its spellings begin differently. */
function ownerKey(utility: string | null): string {
	const [first = ""] = (utility ?? "")
		.toLowerCase()
		.replace(/[&.-]/g, "")
		.split(/[^a-z0-9]+/);
	return sameOwners[first] ?? first;
}

const sameOwners: Record<string, string> = {
	...{ con: "coned", cenhud: "chge", nytransco: "transco", ngrid: "nmng", vea: "glw", pge: "pgae", pg: "pgae" },
	...{ emde: "ede", neet: "neetsw", neets: "neetsw", sepc: "sunc", xcel: "sps" },
};
