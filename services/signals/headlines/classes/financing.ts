/** Money raised or lent. */
import { all, amount, any, gap, type HeadlineClass, near, work } from "./pattern.ts";

const gains =
	"(?:secure[sd]?|securing|raise[sd]?|raising|clos(?:e[sd]?|ing)|land(?:s|ed)?|obtain(?:s|ed)?|w[io]ns?|nets?|bags?|attracts?|lines up|get(?:s)?|receives?|completes?|nab(?:s|bed)?|snag(?:s|ged)?|grab(?:s|bed)?|scores?|scored|garner(?:s|ed)?|arrang(?:es|ed)|hauls in|pulls in|reels in|locks (?:in|up)|lined up|netted|bagged|got)";
const hopes = "(?:seek(?:s|ing)?|eye(?:s|ing)?|in talks for|plans|wants|targets)";
const money =
	"\\b(?:funding|financing|refinancing|capital|backing|loans?|fundrais(?:e|ing)|fund|investment from|equity|debt|facility|grant)";

/** Transferable tax credits. */
const credits = "\\b(?:(?:federal|clean|solar|wind) )?(?:tax|45x|45y|48e|45q|investment tax|production tax) credits?";

export const financing: HeadlineClass = {
	type: "financing",
	not: [
		all(
			"rais(?:es?|ed|ing) (?:\\w+ ){0,2}(?:concerns?|awareness|questions?|rates?|guidance|dividends?|prices?|alarms?|doubts?|fears?|stakes|forecast|outlook|bills?|hopes?|(?:[\\w,]+ ){0,3}tax(?:es)?(?: to finance)?)",
		),
		all(
			"clos(?:e|es|ed|ing) (?!on )(?:(?!financ|loan|debt|equity|tax|fund|round|[$€£])[^ ]+ ){0,4}?(?:roads?|schools?|plants?|gap|lanes?|streets?|stores?)",
		),
		all(
			"(?:wins?|won|secures?|secured|lands?|landed|bags?|bagged|gets?|receives?|nabs?|nabbed|snags?|snagged|grabs?|scores?|nets?) (?:(?!for |financ|funding|loan|tax equity)[^ ]+ ){0,4}?(?:awards?|prizes?|approvals?|contracts?|orders?|permits?|ppas?|deals?|bids?|clearance|leases?|auctions?|tenders?)",
		),
		all(
			"fi(?:nance|nancial) (?:chiefs?|ministers?|ministry|officers?|director|results|committee|bill|secretary|department|head|crisis|year)",
			"cfos?",
			"(?:campaign|public|state|city|household|personal|climate|green|school) financ(?:e|es)",
		),
		all(
			"student loans?",
			"on loan",
			"loan sharks?",
			"home loans?",
			"car loans?",
			"bond (?:market|villain|film|yields?)",
		),
	],
	triggers: [
		any(
			"financial clos(?:e|ing)",
			"clos(?:es|ed) on (?:[^ ]+ ){0,3}\\d[\\d.,]* ?(?:mw|gw|mwh|gwh|megawatts?|gigawatts?)\\w*",
			"financ(?:es|ed|ing|ings)",
			"refinanc\\w+",
			"financ(?:e|ing) (?:facility|package|deal|agreement)",
			"project finance",
			`(?:to|will|helps?) finance\\b${gap}${work}`,
		),
		any(
			`${gains}\\b${near}(?:${amount}|\\d[\\d.,]* ?(?:million|billion|mn|bn|crore|cr|lakh))`,
			`(?:${gains}|${hopes})\\b${gap}${money}`,
		),
		any(
			"tax equity",
			"(?:term|bridge|construction|green|bank|doe|federal|syndicated) loans?",
			"loans?",
			"credit (?:facility|facilities|line)",
			"construction debt",
			"debt (?:raise|financing|package|facility|deal)",
			"revolver",
		),
		any(
			"(?:green|project|corporate|convertible|junior|hybrid) (?:bonds?|notes)",
			"bond (?:sale|issue|offering)s?",
			"(?:notes?|share|stock|bond|equity|public) offerings?",
			`prices ${near}(?:notes|bonds|offering)`,
			"private placements?",
		),
		any(
			"series [a-f](?! models?) (?:round|funding|raise|investment|led)",
			"(?:raises|closes|announces|completes) (?:[^ ]+ ){0,3}series [a-f]",
			"seed round",
			"funding rounds?",
			"fundrais(?:e|ing)",
		),
		any(
			"equity (?:commitments?|investments?|raises?|funding|injections?|capital)",
			"capital raises?",
			`${credits} (?:\\w+ ){0,3}(?:transfers?|sales?|purchases?|deals?|transactions?|monetization)`,
			`(?:transfer|monetiz|sell|sold|sale|buy|bought|purchas|acqui)\\w*\\b${gap}${credits}`,
			"ipos?",
			"drhp",
			`${amount} (?:[^ ]+ ){0,4}to be funded`,
		),
	],
};
