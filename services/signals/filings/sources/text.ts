/** Finds out from the main document of an 8-K whether item 1.01 reports a deal, and item 1.03 the bankruptcy of a subsidiary. Pure. */
import { Tokenizer } from "htmlparser2";
import { eightKItems } from "../../edgar/item-codes.ts";

/** Maximum characters of a document. The longest reports have several hundred thousand. */
const maxTextLength = 1_000_000;
const maxSectionLength = 40_000;

/**
 * Returns the readable text of an HTML or plain-text document, with single spaces. Never throws. Uses the tokenizer, because the parser
 * takes quadratic time on deeply nested pages.
 */
export function extractText(bytes: Uint8Array): string {
	const source = new TextDecoder("utf-8").decode(bytes);
	const parts: string[] = [];
	let length = 0;
	let isSkipped = false;
	const add = (part: string) => {
		if (isSkipped || length > maxTextLength) return;
		parts.push(part);
		length += part.length;
	};
	const readTag = (start: number, end: number) => {
		const name = source.slice(start, Math.min(end, start + 10)).toLowerCase();
		if (blocks.has(name)) add(" ");
		return name;
	};
	const tokenizer = new Tokenizer(
		{ decodeEntities: true },
		{
			...ignored,
			onopentagname: (start, end) => {
				isSkipped = skippedTags.has(readTag(start, end));
			},
			onclosetag: (start, end) => {
				isSkipped = false;
				readTag(start, end);
			},
			ontext: (start, end) => add(source.slice(start, end)),
			ontextentity: (codepoint) => add(String.fromCodePoint(codepoint)),
		},
	);
	tokenizer.write(source);
	tokenizer.end();
	return parts.join("").slice(0, maxTextLength).replace(/\s+/g, " ");
}

const blocks: ReadonlySet<string> = new Set("p div td th tr table br li h1 h2 h3 h4 hr".split(" "));
const skippedTags: ReadonlySet<string> = new Set(["script", "style"]);

const ignore = () => {};
const ignored = {
	onattribdata: ignore,
	onattribentity: ignore,
	onattribend: ignore,
	onattribname: ignore,
	oncdata: ignore,
	oncomment: ignore,
	ondeclaration: ignore,
	onend: ignore,
	onopentagend: ignore,
	onprocessinginstruction: ignore,
	onselfclosingtag: ignore,
};

/** First letters of each item's title: they distinguish a heading from "the information under Item 1.01 is incorporated by reference". */
const headings: ReadonlyMap<string, string> = new Map(
	eightKItems.map(({ code, title }) => [code, title.slice(0, 8).toLowerCase()]),
);

/**
 * Returns the text from the item's heading to the next heading, or from the beginning if the heading is missing; at most
 * `maxSectionLength` characters.
 */
export function findItemSection(text: string, code: string): string {
	let start = -1;
	for (const found of text.matchAll(/\bitem\s?(\d\.\d\d)[\s.:;|–—-]{0,8}/gi)) {
		const after = found.index + found[0].length;
		const title = text.slice(after, after + 8).toLowerCase();
		if (headings.get(found[1] ?? "") !== title) continue;
		if (start >= 0) return text.slice(start, Math.min(found.index, start + maxSectionLength));
		if (found[1] === code) start = after;
	}
	return start < 0 ? text.slice(0, maxSectionLength) : text.slice(start, start + maxSectionLength);
}

/** Mergers, and purchases of companies, shares or assets; not sales of power, gas, receivables or new stock, whose names are similar. */
const deals: readonly RegExp[] = [
	/\b(?:plan of merger|merger agreement|agreement and plan of reorganization|business combination agreement)\b/i,
	/(?<!\b(?:power|energy|gas|electricity|receivables?|accounts|loans?|credits?) )\bpurchase and sale agreement\b/i,
	/\bagreement of purchase and sale\b/i,
	/\b(?:membership|partnership|equity|ownership|llc|liability company) interests? (?:purchase|sale)\b/i,
	/(?<!\b(?:common|preferred) )\b(?:stock|share|asset) purchase agreement\b/i,
];

export function isDeal(section: string): boolean {
	return deals.some((deal) => deal.test(section));
}

const verb = /\b(?:filed|commenced|initiated|instituted|placed|appointed|entered)\b/i;
/** Characters before the verb that are searched for the debtor. */
const maxSubjectLength = 600;

const subsidiary = /\bsubsidiar(?:y|ies)\b/i;
const registrant =
	/\b(?:the|our) [“"]?(?:company|registrant|corporation|parent)\b|[“"](?:company|registrant|parent)[”"]|\bwe\b/i;
/** "Blue Jay Corp. and certain of its direct subsidiaries". */
const withSubsidiaries = /\band (?:[a-z-]{1,20} ){0,5}its (?:[a-z-]{1,20},? ){0,5}subsidiar/i;
const doesNotInclude =
	/\b(?:company|registrant|parent|corporation)(?: itself)? (?:is|was|has|did) not (?:been )?(?:an? |the )?(?:debtor|part|party|included|subject|file|filed|filing|commence|among)/i;

/** Phrases that mention the registrant, but not as the debtor. */
const passingMentions: readonly RegExp[] = [
	// "A wholly-owned subsidiary of Blue Jay Holdings, Inc. (the "Company")".
	/\bsubsidiar(?:y|ies) of (?:[^,;]|, ?(?=inc|llc|l\.?l?\.?[cp]\b|ltd|corp)){0,160}/gi,
	/\b(?:company|registrant|parent|corporation)['’]s (?:[a-z-]{1,20},? ){0,4}subsidiar(?:y|ies)/gi,
	/\b(?:company|registrant|corporation|we) (?:today )?(?:announced|disclosed|reported|learned) (?:today )?that\b/gi,
];

/** Whether the section names a subsidiary as the debtor, and not the registrant with it. */
export function isSubsidiaryBankruptcy(section: string): boolean {
	if (!subsidiary.test(section)) return false;
	if (doesNotInclude.test(section)) return true;
	const at = section.search(verb);
	const subject = section.slice(Math.max(0, at - maxSubjectLength), Math.max(0, at));
	if (!subsidiary.test(subject) || withSubsidiaries.test(subject)) return false;
	return !registrant.test(passingMentions.reduce((rest, mention) => rest.replace(mention, " subsidiary "), subject));
}
