/** Restores headlines that feeds have altered. Pure. */
import { Parser } from "htmlparser2";

/** Characters (UTF-16 units). A longer text is not a headline. */
export const longestTitle = 500;

/** Characters read before decoding and trimming, which shorten the text. */
const maxRawLength = 4 * longestTitle;

/**
 * Decodes HTML entities once, composes characters (NFC), drops control and invisible characters, collapses white space, and removes the
 * spaces that GDELT inserts around punctuation ("Pine Gate 's", "$1 . 5bn", "Good - bye"). A hyphen between two capitalized words keeps
 * its spaces, because GDELT writes "Long - Awaited" and "Headline - Publisher" alike.
 */
export function tidyTitle(raw: string): string {
	const decoded = decodeEntities(raw.slice(0, maxRawLength)).toWellFormed().normalize("NFC");
	const visible = decoded.replace(/\p{Cf}/gu, "").replace(/[\p{Cc}\s]+/gu, " ");
	return withinBound(fixSpaces(visible).trim());
}

function decodeEntities(text: string): string {
	return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|[a-zA-Z]{2,8});/g, (whole, decimal, hex) => {
		if (!whole.startsWith("&#")) return decodeNamed(whole) ?? decodeNamed(whole.toLowerCase()) ?? whole;
		const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
		return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
	});
}

/** Returns undefined for an entity that HTML does not define. */
function decodeNamed(entity: string): string | undefined {
	let text = "";
	const parser = new Parser({
		ontext(part) {
			text += part;
		},
	});
	parser.end(entity);
	return text.endsWith(";") ? undefined : text;
}

/** Each line removes the spaces around one kind of punctuation. Spaces are already single, so no pattern can backtrack. */
function fixSpaces(text: string): string {
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

/** News agencies and portals, whose names also appear under other outlets' domains. Lower case, letters and digits only. */
const wireNames = new Set(
	[
		"reuters ap apnews associatedpress theassociatedpress afp upi bloomberg bloombergnews dowjones dowjonesnewswires",
		"businesswire prnewswire globenewswire accesswire newsfilecorp marketwatch nasdaq xinhua",
		"yahoo yahoonews yahoofinance msn cnbc cnn npr pbs bbc bbcnews foxnews foxbusiness abcnews cbsnews nbcnews",
		"jdsupra seekingalpha thestreet streetinsider barchart benzinga pvmagazine pvmagazineusa",
	].flatMap((line) => line.split(" ")),
);

/** Last words of the names of newspapers and stations. */
const outletNouns = new Set(
	[
		"times news post herald tribune journal gazette chronicle observer press star sun register review bulletin",
		"courier dispatch examiner independent inquirer ledger mercury monitor reporter sentinel standard telegraph record",
		"beacon advocate republic leader messenger enterprise magazine newspaper newspapers radio online",
	].flatMap((line) => line.split(" ")),
);

const maxOutletWords = 6;
/** Maximum outlets removed from the end of a headline: "Prices rise | Markets | Reuters - Yahoo Finance". */
const maxOutlets = 3;
const separators = [" - ", " – ", " — ", " | ", " :: ", " » "];

/** Removes the names of outlets at the end ("... - East Bay Times", "... | Reuters"), unless nothing would be left. */
export function withoutOutlet(title: string, domain = ""): string {
	let rest = title.trim();
	for (let removed = 0; removed < maxOutlets; removed++) {
		const cut = lastSeparator(rest);
		if (cut === null || !namesOutlet(rest.slice(cut.end).trim(), domain)) break;
		rest = rest.slice(0, cut.start).trimEnd();
	}
	return rest;
}

function lastSeparator(title: string): { start: number; end: number } | null {
	let last: { start: number; end: number } | null = null;
	for (const separator of separators) {
		const start = title.lastIndexOf(separator);
		if (start > 0 && start > (last?.start ?? 0)) last = { start, end: start + separator.length };
	}
	return last;
}

function namesOutlet(suffix: string, domain: string): boolean {
	const words = suffix.toLowerCase().split(/\s+/);
	if (suffix === "" || words.length > maxOutletWords) return false;
	const name = lettersOnly(suffix);
	if (wireNames.has(name)) return true;
	if (/^\p{Lu}/u.test(suffix) && words.length > 1 && outletNouns.has(words.at(-1) ?? "")) return true;
	const withoutArticle = name.replace(/^the/, "");
	return labelLetters(domain).some(
		(label) => label === name || (withoutArticle.length >= 4 && overlaps(label, withoutArticle)),
	);
}

/** Whether one begins or ends with the other: "Las Vegas Sun News" and lasvegassun.com, "PV Magazine" and pv-magazine-usa.com. */
function overlaps(label: string, name: string): boolean {
	if (label.length < 4) return false;
	const [short, long] = label.length < name.length ? [label, name] : [name, label];
	return long.startsWith(short) || long.endsWith(short);
}

/** Returns financeyahoocom, finance and yahoo for `finance.yahoo.com`. */
function labelLetters(domain: string): string[] {
	const labels = domain.split(".").map(lettersOnly);
	return [lettersOnly(domain), ...labels.slice(0, -1)];
}

function lettersOnly(name: string): string {
	return name
		.normalize("NFKD")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, "");
}
