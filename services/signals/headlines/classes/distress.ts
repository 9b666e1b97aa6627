/** Bankruptcy, default, layoffs and the like. The class with the highest precedence. */
import { all, any, gap, type HeadlineClass, near } from "./pattern.ts";

export const distress: HeadlineClass = {
	type: "distress",
	not: [
		all(
			"power line default",
			"default (?:rates?|services?|tariffs?|plans?|settings?)",
			"by default",
			"in default mode",
		),
		all("rate restructur\\w+", "liquidated damages", "foreclosed", "moral(?:ly)? bankrupt\\w*"),
		all("(?:visual|hearing|cognitive|vision|speech|mental) impairments?", "impairments? of (?:vision|hearing)"),
	],
	triggers: [
		any(
			"chapters? (?:11|7|eleven|seven)",
			"bankrupt\\w*",
			"insolven\\w+",
			"receivership",
			"going concern",
			"creditor protection",
			"ccaa",
		),
		any(
			"liquidat(?:e|es|ed|ing|ion)",
			"liquidators?",
			"wound up",
			"winding up petition",
			"delist(?:s|ed|ing)",
			"out of business",
		),
		any(`defaults?(?:ed|ing)?\\b${gap}(?:loans?|debts?|bonds?|payments?|credit|notes?)`, "(?:in|into) default on"),
		any("missed (?:\\w+ ){0,2}(?:payments?|coupon)", "(?:breach\\w*|violat\\w*) (?:\\w+ ){0,3}covenants?"),
		any(
			`(?:debt|financial) restructur\\w+`,
			"restructuring (?:advis[eo]rs?|support|talks|expert|officer)",
			"forbearance",
			"(?:debt|creditor|restructuring) talks",
			"goes bust",
			"going bust",
		),
		any(
			"la(?:ys?|id|ying) off",
			"lay ?offs?",
			"(?:job|staff|workforce|headcount) (?:cuts?|cutting|losses|reductions?)",
			"jobs at risk",
		),
		any(
			`(?:cut|cuts|cutting|axe|axes|axed|axing|slash|slashes|slashing|shed|sheds|shedding|eliminates?|eliminating|trims?|sacks?) ${near}(?:jobs|staff|workers|workforce|positions|employees|headcount)`,
		),
		any("impairments?", "write ?(?:down|off)s?", "writes? (?:down|off)", "writing (?:down|off)", "wrote (?:down|off)"),
		any(
			"(?:cease|ceases|ceasing|ceased) (?:\\w+ ){0,3}operations",
			"shut(?:s|ting)? down (?:\\w+ ){0,3}operations",
			"wind(?:s|ing)? down",
		),
		any(
			"(?:files?|filed|filing) for (?:creditor |court )?(?:administration|protection)",
			"(?:enters?|entered|entering|falls?|fell|goes|went|going|collapse[sd]?|plunge[sd]?|slides?|sinks?|put|placed|tips?|tipped) (?:in)?to administration",
			"(?:calls?|called|appoints?|appointed) (?:\\w+ )?(?:in )?administrators",
		),
		any(
			"(?:averts?|averting|brink of|faces?|facing|from) (?:financial )?collapse",
			"collapse of (?:\\w+ ){0,2}(?:supplier|developer|installer|company)",
		),
		any("(?:supplier|developer|installer|company|firm|contractor|start ?up|maker) collapses?", "fights? for survival"),
	],
};
