/** A headline as a person would write it, whatever the feed did to it. Pure. */

/** Headlines are shorter; what is longer is a body in the wrong field. Characters (UTF-16 units). */
export const longestTitle = 500;

/** What is read of a stranger's text at most, before anything is done to it: entities and spaces shorten a text. */
const longestRaw = 4 * longestTitle;

/**
 * Decodes HTML entities once, composes characters (NFC), drops control and invisible characters, collapses white space, and takes
 * back the spaces that GDELT sets around punctuation ("Pine Gate 's", "$1 . 5bn", "Good - bye"). At most 500 characters.
 * A hyphen between two capitalised words stays apart: GDELT writes "Long - Awaited" and "Headline - Publisher" alike.
 */
export function tidyTitle(raw: string): string {
	const decoded = decodeEntities(raw.slice(0, longestRaw)).toWellFormed().normalize("NFC");
	const visible = decoded.replace(/\p{Cf}/gu, "").replace(/[\p{Cc}\s]+/gu, " ");
	return withinBound(respaced(visible).trim());
}

/** Names that feeds use; every other character arrives as itself or by its number. */
const namedEntities = new Map(
	Object.entries({
		amp: "&",
		apos: "'",
		bull: "•",
		cent: "¢",
		copy: "©",
		eacute: "é",
		euro: "€",
		gt: ">",
		hellip: "…",
		laquo: "«",
		ldquo: "“",
		lsquo: "‘",
		lt: "<",
		mdash: "—",
		middot: "·",
		nbsp: " ",
		ndash: "–",
		oslash: "ø",
		pound: "£",
		quot: '"',
		raquo: "»",
		rdquo: "”",
		reg: "®",
		rsquo: "’",
		sect: "§",
		trade: "™",
		uuml: "ü",
		yen: "¥",
	}),
);

function decodeEntities(text: string): string {
	return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (whole, decimal, hex, name) => {
		if (name !== undefined)
			return namedEntities.get(String(name)) ?? namedEntities.get(String(name).toLowerCase()) ?? whole;
		const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
		return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
	});
}

/** Each line takes back one kind of space. White space is single by now, so that no pattern can backtrack. */
function respaced(text: string): string {
	return text
		.replace(/ (?=[.,:;?!](?: |$))/g, "")
		.replace(/(?<=\d[.,]) (?=\d)/g, "")
		.replace(/(?<=\b\p{Lu}\.) (?=\p{Lu}\.)/gu, "")
		.replace(/ (?=['’](?:s|t|re|ve|ll|d|m)\b)/g, "")
		.replace(/(?<=[\p{L}\d]) - (?=\p{Ll})|(?<=\d) - (?=[\p{L}\d])/gu, "-")
		.replace(/(?<=\d) \/ (?=\d)/g, "/")
		.replace(/(?<=[([]) | (?=[)\]])/g, "")
		.replace(/(?<=\d) (?=%)|(?<=[$€£¥]) (?=\d)/g, "");
}

function withinBound(text: string): string {
	if (text.length <= longestTitle) return text;
	const cut = text.slice(0, longestTitle);
	return (cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd();
}
