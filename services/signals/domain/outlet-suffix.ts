/** Headlines end with the outlet's name: "... - East Bay Times", "... | Reuters". Where it is one, it is taken off. Pure. */

/** Agencies and portals whose name stands under other outlets' domains too. Squeezed: lower case, letters and digits alone. */
const wireNames = new Set(
	[
		"reuters ap apnews associatedpress theassociatedpress afp upi bloomberg bloombergnews dowjones dowjonesnewswires",
		"businesswire prnewswire globenewswire accesswire newsfilecorp marketwatch nasdaq xinhua",
		"yahoo yahoonews yahoofinance msn cnbc cnn npr pbs bbc bbcnews foxnews foxbusiness abcnews cbsnews nbcnews",
		"jdsupra seekingalpha thestreet streetinsider barchart benzinga pvmagazine pvmagazineusa",
	].flatMap((line) => line.split(" ")),
);

/** The last word of a newspaper's or station's name. */
const outletNouns = new Set(
	[
		"times news post herald tribune journal gazette chronicle observer press star sun register review bulletin",
		"courier dispatch examiner independent inquirer ledger mercury monitor reporter sentinel standard telegraph record",
		"beacon advocate republic leader messenger enterprise magazine newspaper newspapers radio online",
	].flatMap((line) => line.split(" ")),
);

const maxOutletWords = 6;
/** "Prices rise | Markets | Reuters - Yahoo Finance": more names in a row are a list of something else. */
const maxOutlets = 3;
const separators = [" - ", " – ", " — ", " | ", " :: ", " » "];

/** The headline without the names of outlets at its end; the whole of it when nothing else would be left. */
export function withoutOutlet(title: string, domain = ""): string {
	let rest = title.trim();
	for (let taken = 0; taken < maxOutlets; taken++) {
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
	const name = squeezed(suffix);
	if (wireNames.has(name)) return true;
	if (/^\p{Lu}/u.test(suffix) && words.length > 1 && outletNouns.has(words.at(-1) ?? "")) return true;
	const bare = name.replace(/^the/, "");
	return squeezedLabels(domain).some((label) => label === name || (bare.length >= 4 && overlaps(label, bare)));
}

/** "Las Vegas Sun News" and lasvegassun.com, "PV Magazine" and pv-magazine-usa.com: one begins or ends with the other. */
function overlaps(label: string, name: string): boolean {
	if (label.length < 4) return false;
	const [short, long] = label.length < name.length ? [label, name] : [name, label];
	return long.startsWith(short) || long.endsWith(short);
}

/** `finance.yahoo.com` > finance, yahoo, com; the last label is no name. */
function squeezedLabels(domain: string): string[] {
	const labels = domain.split(".").map(squeezed);
	return [squeezed(domain), ...labels.slice(0, -1)];
}

function squeezed(name: string): string {
	return name
		.normalize("NFKD")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, "");
}
