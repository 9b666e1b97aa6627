/**
 * Building blocks for the patterns of all classes. A pattern is matched against a headline in lower case, without quotes and hyphens
 * (`plain` in classify.ts). Every gap is bounded, so that matching hostile text takes linear time.
 */

import type { EventType } from "#libs/contract/vocabulary.ts";

export interface HeadlineClass {
	type: Exclude<EventType, "mention">;
	/** Phrases that contain the words of a trigger, but have another meaning. */
	not: RegExp[];
	triggers: RegExp[];
}

/** Text between two parts of a trigger, within one clause. */
export const gap = "[^;|]{0,70}?";
export const near = "[^;|]{0,30}?";
export const amount = "(?:(?:us|a|c|nz|s)?[$€£¥₹] ?\\d[\\d.,]*\\w*|\\b(?:rs\\.?|usd|eur|inr|gbp) ?\\d[\\d.,]*\\w*)";
/** Property that can be sold. */
export const asset =
	"\\b(?:stakes?|portfolios?|farms?|projects?|plants?|business(?:es)?|units?|assets?|interests?|arm|platform|subsidiary|subsidiaries|operations|shares in|mw|gw)";
export const work =
	"\\b(?:mw|gw|mwh|gwh|megawatts?|solar|photovoltaics?|wind|storage|battery|batteries|bess|projects?|farms?|plants?|turbines?|reactors?|nuclear|smrs?|hydro\\w*|geothermal|pipelines?|refinery|biorefinery|terminal|transmission|microgrids?|power (?:station|line)s?|substations?|data cent(?:er|re)s?|drilling|(?:energy|hydrogen|power) hubs?|carbon capture|lng|biofuels?|facility)";
export const energy =
	"\\b(?:solar|wind|nuclear|geothermal|hydro\\w*|storage|battery|renewables?|clean (?:energy|power)|green (?:energy|power)|power|electricity|energy|reactors?)";

/** Tests whether one of the parts occurs as whole words. */
export const any = (...parts: string[]): RegExp => new RegExp(`\\b(?:${parts.join("|")})(?!\\w)`);
/** Matches every occurrence of the parts, so that `replace` removes all of them. */
export const all = (...parts: string[]): RegExp => new RegExp(`\\b(?:${parts.join("|")})(?!\\w)`, "g");

/** Electricity, not a company with "Power" in its name. */
export const electricity =
	"\\b(?:(?:more |clean |green |cheap |excess |surplus |renewable |solar |wind |nuclear |their |its ){1,2}(?:power|electricity|energy)|power|electricity)";
export const trades = "(?:buy|buys|bought|buying|purchases?|sell|sells|sold|selling|supply|supplies|supplying)";
