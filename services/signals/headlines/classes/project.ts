/** Plants that are planned, permitted, built, contracted or canceled. The class with the lowest precedence. */
import { all, any, electricity, energy, gap, type HeadlineClass, trades, work } from "./pattern.ts";

const ends =
	"(?:cancel(?:s|led|ed|ling)?|scrap(?:s|ped|ping)?|abandon(?:s|ed|ing)?|shelv(?:e|es|ed|ing)|halt(?:s|ed|ing)?|withdraw(?:s|ing|n)?|withdrew|axe[sd]?|axing|drop(?:s|ped)?|suspend(?:s|ed)?|pause[sd]?|pausing|delay(?:s|ed)?|kill(?:s|ed)?|reject(?:s|ed)?|den(?:y|ies|ied)|block(?:s|ed)?|ban(?:s|ned)?|oppos(?:e|es|ing|ition (?:\\w+ )?to)|object(?:s|ed|ing|ions?)? to|declines? to (?:build|develop)|pull(?:s|ed|ing)? (?:out of|the plug on)|retreats? from|revok(?:e|es|ed))";
const begins =
	"(?:begin(?:s|ning)?|beg[au]n|start(?:s|ed|ing)?|complet(?:e|es|ed|ing|ion of)|restart(?:s|ed|ing)?|resum(?:e|es|ed|ing)|finish(?:es|ed)?|reviv(?:e|es|ed|ing)|opens|opened|commission(?:s|ed|ing)?|launch(?:es|ed|ing)?|inaugurat(?:es|ed)|bring(?:s|ing)?|commence[sd]?)";
const intends =
	"(?:propos(?:e|es|ed|ing|als?)|plans?|planned|planning|unveil(?:s|ed|ing)?|announc(?:e|es|ed|ing)|buil(?:d|ds|t|ding)|erect|develop(?:s|ed|ing)?|construct(?:s|ed|ing|ion)|confirms?|sanctions?|seek(?:s|ing)? to build|expan(?:d|ds|ding|sion of)|add(?:s|ing)?|deploys?|installs?|break(?:s|ing)? ground|explor(?:es?|ing)|advances?|anchors?|selects?|pick(?:s|ed)?|backs|backed)";
const permits =
	"\\b(?:approv(?:e|es|ed|ing|als?)|greenlights?|green lights?|green lit|go ahead|okays?|oks|clear(?:s|ed|ance)|grant(?:s|ed)?|authori[sz](?:es|ed)|licen[cs]es?)";
const agrees =
	"(?:ink(?:s|ed)?|sign(?:s|ed)?|strikes?|struck|seals?|lands?|wins?|won|bags?|gets?|secures?|receives?|awarded)";

export const project: HeadlineClass = {
	type: "project",
	not: [
		all(
			"solar powered (?:\\w+ ?){0,2}",
			"solar (?:lights?|generator|charger|eclipse|storms?|flares?|orbiter|system(?! size))",
			"portable (?:power )?(?:stations?|batter\\w+)",
			"battery (?:life|pack|replacement|coolant|electric)",
		),
		all(
			"salt river project",
			"(?:host|medicinal|tree|house|manchester|plant based) plants?",
			"(?:in|on) (?:the )?wind",
			"planned parenthood",
			"work permits?",
			"permitted",
			"data storage",
			"cloud storage",
			"self storage",
		),
		all(`approv\\w+ (?:ratings?|of (?:the )?(?:budget|merger))`, "drop[s]? (?:in|of)", "plans to (?:vote|retire|step)"),
	],
	triggers: [
		any(
			`${ends}\\b${gap}(?:${work}|permits?|approval|ppas?|leases?|plans? (?:to build|for))`,
			"shuts? down plans",
			`${work} (?:proposed|planned) (?:by|for|in|near|on)`,
			`${work} (?:moves?|moving) (?:ahead|forward)`,
			`(?:gets?|got|wins?|won|receives?|given) (?:\\w+ ){0,2}(?:ok|nod)\\b${gap}${work}`,
			`${work} (?:gets?|got|wins?|won|receives?|given) (?:\\w+ ){0,2}(?:ok|nod)`,
			`${work} (?:\\w+ ){0,3}(?:cancel(?:l?ed|lation)|scrapped|halted|shelved|rejected|paused|denied|blocked|killed|dropped|delayed|stalled|opposed|suspended|withdrawn|abandoned|terminated|voted down|turned down|upheld)`,
		),
		any(
			`${begins}\\b${gap}(?:${work}|construction|production|(?:commercial |full )?operations?)`,
			"(?:work|construction|production) (?:\\w+ )?(?:begins|starts|started|begun|resumes)",
			"breaks? ground",
			"breaking ground",
			`${work}\\b${gap}restart(?:s|ed|ing)?`,
		),
		any(
			"commercial operations?",
			"(?:com|go)(?:es|ing)? (?:online|live|into operation)",
			"went live",
			"came online",
			"energi[sz](?:ed|es|ing)",
			"(?:now|fully) operational",
			"(?:into|full|in) operation",
			`(?:turn|switch|power)(?:s|ed)? (?:on|up)\\b${gap}(?:${work}|grid|power)`,
			`${work}\\b${gap}(?:turn|switch|power)(?:s|ed) (?:on|up)`,
		),
		any(
			"ppas?",
			"power purchase agreements?",
			"vppas?",
			"off ?take\\w*",
			"tolling (?:agreements?|deals?|contracts?)",
			"(?:environmental |renewable |energy )?(?:attributes?|certificates?|credits|recs?|electricity|energy|capacity|storage) (?:purchase |sales? |supply )?(?:agreements?|contracts?)",
			`${agrees}\\b${gap}(?:(?:offshore|wind|solar|seabed|geothermal|storage|federal) (?:\\w+ ){0,2}(?:leases?|lease areas?|rights|auctions?|tenders?))`,
			`${trades} ${electricity}`,
			`${agrees}\\b${gap}${energy} (?:\\w+ ){0,3}(?:deals?|pacts?|agreements?|contracts?|orders?|projects?|purchase)`,
			`${energy} deal (?:to|with|for|that|between)`,
			`(?:solar|wind|nuclear|geothermal|storage) deals?`,
		),
		any(
			`${intends}\\b${gap}${work}`,
			`(?:concerns?|anger|protests?|hearing|vote|row|fight|opposition|objections?) (?:over|about|on|against) ${gap}${work}`,
			`${work} (?:\\w+ ){0,3}(?:plans?|proposals?|scheme)`,
			`(?:site|location) for ${gap}${work}`,
		),
		any(
			`${permits}\\b${gap}${work}`,
			`${work}\\b${gap}${permits}`,
			"permit(?:s|ting)?",
			"(?:re)?zoning",
			"moratori(?:um|a)",
			"interconnection",
			"final investment decision",
			"expands? (?:\\w+ )?capacity",
			"environmental (?:review|impact statement)",
		),
		any("\\d[\\d.,]* ?(?:mw|gw|mwh|gwh|mwp|gwp|mwac|mwdc|megawatts?|gigawatts?)"),
	],
};
