/** Lawsuits and fines. */
import { all, amount, any, gap, type HeadlineClass } from "./pattern.ts";

export const litigation: HeadlineClass = {
	type: "litigation",
	not: [
		all(
			"(?:bankruptcy )?(?:court|judge) (?:approves|approved|confirms|confirmed|clears|cleared|oks|okays|authorizes)(?=[^;|]{0,80}(?:sale|plan|bid))",
		),
		all(
			"suits? up",
			"(?:tennis|food|basketball|volleyball|pickleball|squash|badminton|padel) courts?",
			"(?:on|off) the court (?:and|at|with|for|in)",
			"home court",
			"court (?:side|vision)",
		),
		all(
			"(?:talent|beauty|baking|cooking|contest|reality|celebrity|guest) (?:\\w+ )?judges?",
			"judges? (?:testimonials?|panel|a book)",
			"judge (?:by|for)",
		),
		all(
			"fine tun\\w+",
			"fine (?:print|art|dining|wine|line)",
			"penalty (?:kicks?|shoot ?outs?|area|box|corner|goal)",
			"death penalty",
		),
		all(
			"settles? (?:in|into|down|for|at|near|above|below|up|lower|higher|flat|mixed|on)",
			"settled science",
			"settlement (?:points?|prices?|dates?|period)",
		),
		all(
			"(?:human|informal|israeli|jewish|urban|rural) settlements?",
			"(?:futures|oil|crude|prices?|stocks?|shares|nifty|sensex|rupee|gold) (?:\\w+ )?settles?",
		),
		all(
			"(?:clinical|field|pilot|drug|free|medical|vaccine|sea|test) trials?",
			"trial (?:runs?|period|data|results|version|and error)",
		),
	],
	triggers: [
		any(
			"lawsuits?",
			"litigation",
			"su(?:e|es|ed|ing)",
			"class actions?",
			"injunctions?",
			"arbitrations?",
			"tribunals?",
			"jury",
			"plaintiffs?",
		),
		any(
			"courts?",
			"judges?",
			"courtroom",
			"appeals (?:to|against|court|panel)",
			"(?:civil|federal|antitrust|fraud|patent|climate|class|libel) suits?",
		),
		any(
			"(?:files?|filed|filing|faces?|drops?|brings?) (?:\\w+ ){0,3}suit",
			"suit (?:against|over|alleges|claims|seeks)",
		),
		any("settle(?:s|d|ments?)?", "settling (?:\\w+ ){0,3}(?:claims?|case|charges|dispute)"),
		any(
			"indict(?:s|ed|ments?)",
			"prosecut\\w+",
			"pleads? guilty",
			"found guilty",
			"convicted",
			"verdict",
			"charged with",
			"subpoena\\w*",
		),
		any(
			"fined",
			`fines?\\b${gap}${amount}`,
			`${amount} (?:\\w+ ){0,3}(?:fines?|penalty)`,
			"(?:faces?|pays?|hit with) (?:\\w+ ){0,4}fines?",
			"penalty",
			"penalties",
		),
		any("complaints? (?:with|to|at|before) (?:the )?ferc", "fil(?:es?|ed|ing) (?:\\w+ ){0,3}complaints?"),
		any(
			"legal (?:actions?|challenges?|battles?|fights?|bids?|cases?|claims?|disputes?|proceedings|victory|wins?|petitions?|threats?|showdown)",
		),
		any(
			"(?:on|goes to|to|faces?|stands?|at) trial",
			"trials? (?:opens?|begins?|starts?|set|date|against|over|in|delayed)",
		),
		any(
			"(?:seeks?|seeking|claims?|awarded|demand|demands) (?:\\w+ ){0,2}(?:damages|compensation)",
			"(?:mechanics? )?liens?",
			"breach of contract",
			"consent decree",
			"appeals (?:\\w+ ){0,3}(?:ruling|decision|verdict|denial|order)",
		),
		any("climate (?:case|claims?)", "(?:antitrust|fraud) (?:case|charges|claims?)"),
	],
};
