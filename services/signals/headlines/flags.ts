/**
 * Finds two statements in headlines that matter more than the class: that a company has filed for bankruptcy, and that a company seeks
 * money or a buyer. Both rules would rather miss a headline than report something false, because an event has many headlines. The developer's
 * name must precede the verb: "Blue Ridge files for Chapter 11 owing X $9 million" is not about X. Irony and false reports are not recognized,
 * so scoring requires two outlets (`isBankruptcyConfirmed`). Pure.
 */
import { any } from "./classes/pattern.ts";
import { longestTitle } from "./title.ts";

/**
 * The title in lower case, without quotes, with spaces instead of full stops, hyphens and slashes: "Ch.11" becomes "ch 11". A dash between
 * spaces becomes ";", because it separates statements.
 */
function plain(title: string): string {
	return title
		.slice(0, longestTitle)
		.normalize("NFKC")
		.toLowerCase()
		.replace(/['’‘"“”]/g, "")
		.replace(/ [-‐‑–—|]+ |—/g, " ; ")
		.replace(/(?<!\d)\.|\.(?!\d)|[\s\-‐‑–/()]+/g, " ")
		.replace(/ +/g, " ")
		.trim();
}

const proceeding =
	"(?:(?:chapter|ch) ?(?:11|7|eleven|seven)(?: bankruptcy| insolvency)?|bankruptcy|insolvency(?: proceedings)?|creditor protection)";
/** Words between the verb and the proceeding: "files a voluntary petition for relief under Chapter 11". */
const formalities =
	"(?:(?:for|a|an|the|its|own|u ?s|federal|court|voluntary|prepackaged|pre packaged|prearranged|pre arranged|prenegotiated|petitions?|papers|relief|protection|under|from|of|surprise|long expected) ){0,8}";
/** A step in an existing case: "files Chapter 11 plan", "enters bankruptcy auction". */
const stepInCase =
	"(?! (?:(?:exit|restructuring|reorgani[sz]ation|liquidation|disclosure|court|asset) )?(?:plans?|motions?|objections?|statements?|appeals?|claims?|complaints?|lawsuits?|suits?|auctions?|sales?|talks|financing|loans?|practice|advisory|law|bids?|deals?|cases? against|petitions? against))";

const hasFiled = new RegExp(
	`\\b(?:(?:files?|filed) ${formalities}${proceeding}${stepInCase}|(?:seeks|sought) ${formalities}${proceeding} (?:protection|relief)|(?:enters|entered|lands in|landed in|(?:goes|went|falls|fell|slides|slid|tumbles|plunges|sinks|collapses|collapsed|placed|forced|pushed|tipped) into) ${formalities}${proceeding}${stepInCase}|(?:declares|declared) ${formalities}(?:${proceeding}|itself (?:bankrupt|insolvent))${stepInCase}|(?:declared|goes|went|gone) (?:bankrupt|insolvent)|(?:begins|commences|initiates) ${formalities}${proceeding} (?:cases?|proceedings?|process))(?!\\w)`,
);

/** Words before the verb that turn the statement into a possibility, a question or a subordinate clause. */
const notAFact = any(
	"may|might|could|would|will|should|can|cannot|must|to|not|never|nor|(?:did|do|does|wo|has|have|had|is|was)nt|did|does",
	"if|whether|unless|until|before|ahead of|near(?:s|ed|ing|ly)?|close|almost|avoid\\w*|avert\\w*|escap\\w+|stav\\w+ off",
	"skirts?|evad\\w+|emerg(?:es?|ed|ing)|exit(?:s|ed|ing)?|den(?:y|ies|ied|ying|ials?)|refut\\w+|dismiss\\w*|rul\\w+ out",
	"rumou?r\\w*|reportedly|reports?|sources|alleged\\w*|speculat\\w+|fear\\w*|risk\\w*|threat\\w*|warn\\w*|possibl[ey]",
	"potential\\w*|likely|unlikely|plan(?:s|ned|ning)?|prepar\\w+|consider\\w*|weigh\\w*|mull\\w*|explor\\w+|expect\\w*",
	"predict\\w*|bets?|why|how|what|once|previously|formerly|after|as|since|when|while|amid|following|because|that|which",
	"who|whose|says?|said|hoax|opinion|satire|fact check|imagine|more|many|several|some",
);
/** Words before the verb that make the debtor another company, a person or a document. */
const otherDebtor = any(
	"suppliers?|(?:sub)?contractors?|lenders?|creditors?|customers?|vendors?|investors?|shareholders?|sister|affiliate",
	"subsidiary|unit|arm|spin ?off|joint venture|rivals?|peers?|competitors?|owner|backer|partner|tenant|landlord",
	"employees?|workers?|homeowners?|residents?|founders?|former|ex|executives?|ceo|director|chairman|couple|m[ae]n|wom[ae]n",
	"judge|court|trustee|attorneys?|lawyers?|claims?|lawsuits?|motions?|papers|documents?|petitions?",
);
const notACompany = /\b(?:project|farm|plant|facility|mine|fund|spv)s?$/;
/** Words that mark an old story or a retraction. */
const oldOrWithdrawn = any(
	"in (?:19|20)\\d\\d|\\w+ years? ago|last year|den(?:y|ies|ied)|false(?:ly)?|hoax|untrue|retract\\w*",
	"mistaken(?:ly)?|erroneous(?:ly)?|petitions? against|on behalf of",
);

/** Whether the subject (see `bankruptcySubject`) contains one of these names. */
export function isSubject(subject: string | null, names: readonly string[]): boolean {
	return subject !== null && names.some((name) => ` ${subject} `.includes(` ${plainName(name)} `));
}

const plainName = (name: string): string =>
	name
		.toLowerCase()
		.replaceAll(/['’".,]/g, "")
		.replaceAll(/[\s\-/()]+/g, " ")
		.trim();

/**
 * Returns the debtor in plain words: "pine gate" for "Brookfield-backed Pine Gate files for Chapter 11". Null if the headline does not
 * state a filing. Subordinate clauses ("X rises after Y files") and nouns ("Y bankruptcy case", "bankrupt Y") do not count.
 */
export function bankruptcySubject(title: string): string | null {
	const text = plain(title);
	const statements = text.split(/[;:|!]/);
	for (const [at, statement] of statements.entries()) {
		const match = hasFiled.exec(statement);
		if (!match) continue;
		const textBefore = statement.slice(0, match.index).replace(selfReport, " ");
		const isRejected = notAFact.test(textBefore) || otherDebtor.test(textBefore) || isHedge(statements[at - 1] ?? "");
		if (isRejected || statement.includes("?") || oldOrWithdrawn.test(text)) return null;
		return subjectOf(textBefore);
	}
	return null;
}

/** Whether the preceding statement weakens the next one: "Report: X files for bankruptcy". */
function isHedge(words: string): boolean {
	return words.trim().split(" ").length <= 3 && notAFact.test(words);
}

const selfReport = / (?:says|said|confirms|confirmed|announces|announced) (?:that )?it (?:has )?$/;
const auxiliaries =
	/\b(?:(?:has|have|had|is|was|been|now|formally|officially|just|also|finally|voluntarily|abruptly|quietly|and) )+$/;
const backerPhrase = /^.*\b(?:backed|owned|led|controlled|funded|financed) /;

function subjectOf(before: string): string | null {
	const withoutAuxiliaries = before.replace(auxiliaries, "").trim();
	const withoutApposition = withoutAuxiliaries.endsWith(",")
		? (withoutAuxiliaries.split(",")[0] ?? "")
		: withoutAuxiliaries;
	const subject = withoutApposition.replace(backerPhrase, "").trim();
	return /[a-z\d]/.test(subject) && !notACompany.test(subject) ? subject : null;
}

/** Objects whose sale suggests that a company needs money; not plants and portfolios, which healthy developers sell all year. */
const business =
	"(?:stakes?|platform|business(?:es)?|company|unit|arm|subsidiary|division|developer|itself|equity|holdings?|renewables|operations)";
const qualities =
	"(?:(?:a|an|the|its|their|new|fresh|more|outside|external|additional|potential|possible|strategic|equity|financial|minority|majority|controlling|institutional|anchor|cornerstone|growth|long term|deep pocketed|private|joint|venture|co|us|third party|suitable|white|rescue|emergency) ){0,5}";
const seeking =
	"(?:seek(?:s|ing)?|sought|look(?:s|ing) for|hunt(?:s|ing) for|on the hunt for|search(?:es|ing) for|in search of|court(?:s|ing)|woo(?:s|ing)|invit(?:es|ing)|needs|solicit(?:s|ing))";
const weighing =
	"(?:explor(?:es?|ed|ing)|weigh(?:s|ed|ing)?|consider(?:s|ed|ing)?|mull(?:s|ed|ing)?|ey(?:es|ed|eing)|stud(?:y|ies|ied|ying)|pursu(?:es?|ed|ing)|prepar(?:es?|ed|ing)|launch(?:es|ed|ing)?|starts?|started|begins?|began|kick(?:s|ed)? off|restart(?:s|ed)?|runs?|running|plans?|planning)";
const notABuyer =
	"(?! (?:lawsuits?|suits?|class|claims?|complaints?|approval|votes?|support|feedback|protections?|relations|day|call|meeting|for (?:[^ ,;]+ ){0,5}(?:power|electricity|energy|output|credits?|recs?|certificates|land|homes?|panels?|modules|turbines?|hydrogen|gas|training|research|education|schools?|recycling|pilots?|programs?)(?=$|[,;:]| (?:in|from|to|at|as|on|after|amid) )))";

const seekingPatterns = [
	any(
		"strategic (?:alternatives|options)",
		"strategic review(?! (?:committee|board|commission)| of (?:\\w+ ){0,3}(?:charg\\w+|tariffs?|rates?|rules|polic\\w+|planning|grid|market|transmission|supply chains?|procurement))",
	),
	any(
		`${seeking} ${qualities}(?:buyers?|bidders|suitors?|investors?|acquirer|white knight)${notABuyer}`,
		`${seeking} ${qualities}partners?${notABuyer}`,
		`${seeking} (?:\\w+ for )?${qualities}(?:capital|cash|lifeline|bailout|equity|capital injection|cash injection)(?! (?:gains?|punishment|city|cost|credits?|in pay))`,
	),
	any(
		`${seeking} (?:to raise )?(?:up to |about |around |as much as |at least |another )?[$€£] ?\\d[\\d.,]* ?(?:million|billion|mn|bn|m|b)?(?: in| of)? ${qualities}(?:equity|capital|(?:funding |investment )?from (?:\\w+ ){0,2}investors?|investment)`,
	),
	any(
		`${weighing} ${qualities}(?:partial |full |outright |stake )*(?:sale|divestment|divestiture)(?: process)? of (?:(?!to |from |by |for |after )[^ ,;]+ ){0,6}?${business}`,
		`${weighing} (?:[^ ,;]+ ){0,3}options (?:including|such as) ${qualities}(?:stake )?sale`,
		`${weighing} ${qualities}(?:partial |full |outright )*(?:sale|stake sale|company sale|sale process)(?! of\\b)(?! (?:prices?|leaseback))`,
		`${weighing} (?:[^ ,;]+ ){0,4}sale process`,
		`${weighing} (?:selling|offloading|divesting) (?:[^ ,;]+ ){0,5}?${business}`,
	),
	any(
		`(?:in (?:\\w+ )?talks to|look(?:s|ing)? to|seek(?:s|ing)? to|aims? to|plans? to|tr(?:ies|ying) to|set to) (?:sell|offload|divest) (?:[^ ,;]+ ){0,5}?${business}`,
		`puts? (?:[^ ,;]+ ){0,5}?${business} (?:up for sale|on the (?:auction )?block|on the market)`,
		`puts? (?:[^ ,;]+ ){0,5}?up for sale as a whole`,
		`${business} (?:is |now )?(?:up for sale|on the (?:auction )?block)`,
	),
	any(
		"(?:hires?|hired|taps?|tapped|retains?|retained|appoints?|appointed|picks|enlists?|engages?|mandates?) (?:[^,;]+? ){0,6}?(?:to|for) (?:(?:explore|run|lead|advise on|find|seek|weigh|help|on|a|an|its|potential|possible|the|with) ){1,6}(?:sale|stake sale|buyers?|investors?|capital raise)",
		"bids (?:are )?(?:due|invited) for (?:\\w+ ){0,4}(?:platform|business|company|stake|developer)",
		"in (?:\\w+ )?talks (?:with|to) (?:\\w+ ){0,3}(?:investors|bidders|buyers|suitors)",
	),
];

/** Words earlier in the clause that show that the search is over, never began, or is another company's. */
const notSeekingNow = new RegExp(
	`${
		any(
			"complet(?:es?|ed|ing|ion of)|conclu\\w+|finali[sz]\\w+|clos(?:es|ed|ing)|end(?:s|ed|ing)?|finish\\w*|wrap(?:s|ped) up",
			"drop(?:s|ped)?|abandon\\w*|scrap(?:s|ped)?|shelv\\w+|halt(?:s|ed)?|call(?:s|ed) off|cancel\\w*|pull(?:s|ed)|withdraws?",
			"withdrew|suspend\\w*|terminat\\w+|den(?:y|ies|ied)|reject\\w*|dismiss\\w*|rul(?:es|ed|ing) out|not|never|without",
			"no(?! \\d)|(?:is|has|does|are|was|did|wo)nt|refus\\w+|declin\\w+|should (?:you|i|we)|how to",
			"(?:court|judge|regulators?|jury|commission) (?:\\w+ ){0,2}(?:weighs|considers|mulls)",
		).source
	}[^,;:|]{0,70}$|\\b(?:after|following) (?:(?:a|an|its|the|long|lengthy|year long|\\w+ month) ){0,3}$`,
);

/** Public bodies do not count: they sell land and buildings, and seek other kinds of partners. */
const publicBody =
	/^(?:the )?(?:county|city|town|village|state|community|school|tribe|university|district|museum|church)\b/;

/**
 * Whether a company now seeks money or a buyer: it reviews its strategy, searches for a buyer, investor or partner, or may sell itself, a
 * stake or a business. Loans for single plants and sales of portfolios are ordinary business and do not count.
 */
export function seeksCapital(title: string): boolean {
	const text = plain(title);
	if (publicBody.test(text)) return false;
	return seekingPatterns.some((pattern) => {
		const match = pattern.exec(text);
		return match !== null && !notSeekingNow.test(text.slice(0, match.index));
	});
}
