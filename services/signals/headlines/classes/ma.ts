/** Purchases, sales and mergers. */
import { all, amount, any, asset, electricity, gap, type HeadlineClass, trades } from "./pattern.ts";

const landOrGoods =
	"\\b(?:land|acres|sites?|permits?|parcels?|property|skills|customers|turbines?|modules?|panels?|transformers?|inverters?|recs?|credits|ads|bonds?|notes?|chips|index funds?|etfs?)";
/** Up to seven words, none of them an asset. */
const withoutAsset = `(?:(?!${asset}\\b)[^ ,]+ ){0,7}?`;
/** Words before "deal" or "agreement" that rule out a purchase of a company: loans, supply, sales of a plant's output. */
const otherDeals =
	"(?:financ\\w*|refinanc\\w*|fund\\w*|loans?|debt|equity|tax|credits?|bonds?|notes?|million|billion|bn|mn|solar|wind|storage|battery|nuclear|clean|green|renewable|renewables|ppas?|purchase|supply|off ?take\\w*|lease|land|book)";
const closes = "(?:clos(?:e|es|ed|ing)|complet(?:e|es|ed|ing)|finali[sz](?:e|es|ed|ing))";

export const ma: HeadlineClass = {
	type: "ma",
	not: [
		all(
			`(?:acquir(?:e|es|ed|ing)|acquisition of|buy|buys|buying|bought|sells?|sold|selling) ${withoutAsset}${landOrGoods}(?! (?:company|developer|producer|maker|firm|business|giant|supplier|${asset}))`,
		),
		all(
			`${trades} ${electricity}(?! (?:company|developer|producer|firm|giant|supplier|${asset}))`,
			`${trades} (?:your |its |more )?(?:lng|gas|oil|fuel)(?! (?:\\w+ ){0,2}${asset})`,
		),
		all(
			"(?:buy|buys|bought|buying) (?:\\w+ )?\\d[\\d.,]* ?[mg]w of (?:\\w+ )?(?:solar|wind|power|electricity|clean|renewable|nuclear|geothermal)(?! (?:\\w+ ){0,2}(?:portfolio|assets|projects|farms))",
		),
		all(
			"(?:land|site|customer|talent|data|language|skills?) acquisitions?",
			"acquired (?:taste|immune)",
			"(?:can|should|could|must) (?:you|i|we|investors) (?:\\w+ )?(?:buy|acquire)",
		),
		all(
			"stocks? to buy",
			"(?:a|strong|best|top|good) buys?",
			"buy (?:the|this|these|and|or|now|right|before|rating|levels?|back)",
			"buys? back",
			"buying (?:electric|back|gym|guide)",
			"buybacks?",
			"best buy",
		),
		all(
			"bought and sold",
			"sells? (?:off|out)",
			"sold out",
			"at stake",
			"stakeholders?",
			"takeover of (?:the|our|public)(?! (?:\\w+ ){0,2}(?:company|developer|utility|firm|business))",
		),
		all(
			"sales? of (?:\\w+ ){0,2}(?:power|electricity|recs|tax credits|bonds|notes|homes?|vehicles|cars|products)",
			"merge(?:s|d)? (?:lanes?|into traffic)",
			"emerging",
		),
	],
	triggers: [
		any(
			"acquir(?:e|es|ed|ing)",
			"acquisitions?",
			"buys",
			"bought",
			"buyout",
			"buy out",
			"merg(?:e|es|ed|ers?|ing)",
			"divest\\w*",
			"takeovers?",
			"take private",
			"tak(?:es?|ing) over(?! as)",
			"snaps up",
			"tender offers?",
			"business combination",
			"taken private",
		),
		any(`(?:to|will|could|may|in talks to|plans to) buy(?! up)`, `buy(?:ing)?\\b${gap}${asset}`),
		any(
			`(?:sells?|sold|selling|purchas(?:e|es|ed|ing)|offload\\w*)\\b${gap}${asset}`,
			`sales? of\\b${gap}${asset}`,
			"(?:asset|stake|business|unit|portfolio|company) sales?",
			"sale process",
			"sales? of (?:[^ ]+ ){0,4}(?:developers?|company|utility|producer|owner)",
			"(?<!\\b(?:power|electricity|energy|output|credits|recs|homes|houses|tickets|panels|cars|tesla|gas|oil|lng|land|mineral|being) (?:is |was |be |are )?)sold to(?! (?:the )?(?:grid|public|customers|consumers|households))",
		),
		any(
			`${closes} (?:the |its )?(?:${amount} (?:million |billion |bn )?)?(?:(?!${otherDeals}\\b|[$€£¥₹\\d])[^ ]+ ){1,4}(?:deal|transaction)`,
		),
		any(
			"(?:agrees|explores|exploring|weighs|weighing|considers|considering|completes|closes|eyes) (?:\\w+ ){0,4}sale",
			"up for sale",
			"(?:million|billion|bn) sale",
			"seek(?:s|ing) (?:a )?buyers?",
		),
		any(
			"(?:majority|minority|controlling|\\d[\\d.]* ?(?:%|percent|per cent)) (?:\\w+ ){0,2}(?:stakes?|shares? (?:in|of)|interests?|holding in)",
			"stakes? in",
		),
		any(
			"(?:tak|buy|sell|rais|ey|pick)\\w* (?:up )?(?:\\w+ ){0,2}stakes?",
			`bids? for ${gap}\\b(?:stakes?|portfolios?|assets|business(?:es)?|company|unit)`,
			"(?:final|binding|rival|preferred|takeover|non binding) (?:bids?|bidders?|offers?)",
		),
		any(
			"going public",
			"go(?:es)? (?:public|private)",
			"spac",
			"blank check",
			"strategic review",
			"strategic alternatives",
			"spin(?:s|ning)? off",
			"spinoff",
		),
	],
};
