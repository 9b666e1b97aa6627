/** Words that occur next to a company's name, but not next to a place or a common word with the same spelling. */

const list = (words: string): string[] => words.trim().split(/\s+/);
const words = (text: string): ReadonlySet<string> => new Set(list(text));

/** Actions of companies, without those of councils ("approves", "adopts", "bans", "opposes"). */
const regularVerbs = list(`
	acquire adopt advance agree aim announce appeal appoint argue arrange award back bag close combine commission commit complete
	confirm construct continue contract deliver deploy develop dismiss divest donate drop eye expand explore file finalize finalise
	finance finish fund garner halt hire ink inaugurate install invest issue join land launch lease merge nab negotiate obtain offer
	offload open operate own partner pause plan pledge post power price procure promote propose purchase raise ramp reach replace double triple quadruple halve
	receive refinance release reject report request restart resume retire reveal review say score scrap seal secure select sign slash
	snag sponsor start submit sue supply suspend target tap team tout transfer unveil urge want warn weigh withhold energize
	energise cancel abandon shelve name appear defend face expect settle default liquidate restructure trim monetize pull donate claim
	switch resubmit accelerate add ask call change consider convert cite defer delay discuss end enter estimate exit extend
	fight head hold hope increase invite lead list move need notify order pay pick prepare promise provide pursue push recruit
	reduce respond rename scale select set swap take track trade try upgrade 
`);

const irregularForms = list(`
	begins began beginning break breaks broke breaking build builds built building buy buys bought buying bring brings brought
	bringing cut cuts cutting get gets got getting go goes went going lay lays laid laying lose loses lost losing make makes made making
	put puts putting sell sells sold selling seek seeks sought seeking spin spins spun spinning strike strikes struck striking win wins
	won winning withdraw withdraws withdrew withdrawn withdrawing write writes wrote withheld says said led held paid begin planned
	planning submitted submitting committed dropped scrapped tapped nabbed bagged canceled cancelled canceling cancelling eyeing
	netted nets net snagged set swapped trimmed teams sees see seen grab grabs grabbed fined sued named axes axed axe scored files
	cleared denied granted accused selected awarded
`);

function formsOf(verb: string): string[] {
	const stem = verb.endsWith("e") ? verb.slice(0, -1) : verb;
	if (/[^aeiou]y$/.test(verb)) return [`${verb.slice(0, -1)}ies`, `${verb.slice(0, -1)}ied`, `${verb}ing`];
	return [/(?:s|x|z|ch|sh)$/.test(verb) ? `${verb}es` : `${verb}s`, `${stem}ed`, `${stem}ing`];
}

const bareForms = list(`
	begin break build buy bring cut get go lay lose make put sell seek spin strike win withdraw write net see grab axe set
`);

/** Verb forms directly after a name: "Hecate proposes", "Vesper closed", "Clearway-owned". */
export const inflectedForms: ReadonlySet<string> = new Set(
	[...regularVerbs.flatMap(formsOf), ...irregularForms.filter((form) => !bareForms.includes(form))].filter(
		(form) => !form.endsWith("ing"),
	),
);
/** Verb forms after an auxiliary or two names: "Hecate to propose", "Pattern is building", "Shell and Meta sign". */
export const verbForms: ReadonlySet<string> = new Set([
	...regularVerbs,
	...regularVerbs.flatMap(formsOf),
	...irregularForms,
]);

/** Words between a name and its verb: "Shell will build", "Pattern officially breaks ground". */
export const auxiliaries = words(`
	to will would may might could can should must has have had is are was were be been being not also now again soon formally officially
	finally quietly reportedly
`);

/** Verbs whose object may be a company: "Google acquires Intersect", "County sues Hecate". */
export const dealVerbs = words(`
	acquires acquire acquired acquiring buys buy bought buying sues sue sued suing backs back backed backing fines fine fined funds fund
	selects select selected picks pick picked taps tap tapped hires joins join owns merges names urges asks tells orders allows awards
	says warns
`);

/** Words directly before a company's name: "developer Hecate". */
export const titles = words("developer company firm giant producer subsidiary startup");

/** Prepositions before a name that is followed by a verb, punctuation or the end of the headline. */
export const agencyPrepositions = words("by from to with between via against");
/** The prepositions that also precede places: "from Jupiter to Stuart". */
export const placePrepositions = words("from to via between");
/** Words that follow a phrase ending with the name: "PPA with Hecate for 200 MW". */
export const connectors = words(`
	for over on in at after as and amid before under while but or near during despite because until
	approved rejected denied draws drew nears stalls moves gets wins clears faces heads
`);

/** Nouns for what companies have, but towns do not. */
export const corporateNouns = words(`
	ceo cfo coo cto exec execs executive executives shares stock portfolio portfolios subsidiary subsidiaries ppa ppas ipo affiliate
	affiliates investors investor lenders lender creditors shareholders shareholder acquisition merger buyout takeover stake earnings
	profit pipeline financing bankruptcy tender joint jv
`);
/** Nouns for what developers have, but towns may have, too. */
export const developerNouns = words(`
	project projects farm farms plant plants park parks facility facilities proposal proposals plan plans site sites deal deals
	contract contracts agreement lease leases application applications permit permits request bid bids unit units array arrays
	development developments asset assets investment division arm affiliate executive official officials spokesman spokeswoman
	spokesperson chief customers ratepayers developer owner owned backed led lawsuit restart restarts reactor reactors terminal case loan debt funding fund
`);
/** Words between a name and an asset: "Hecate 200 MW solar farm", "Shell's proposed battery storage facility". */
export const energyAdjectives = words(`
	solar wind storage battery batteries bess energy renewable renewables offshore onshore nuclear gas hydrogen geothermal hybrid clean
	utility scale grid community mw mwh gw gwh megawatt megawatts gigawatt power photovoltaic pv proposed planned new latest first
	second third us american big giant huge controversial massive million billion
`);

/** Words after the name of a place: "Apex residents". */
export const civicWords = words(`
	residents resident neighbors neighbours neighbor council councilors councillors councilman councilwoman mayor commissioners
	commission selectmen supervisors alderman aldermen city town township village school schools students student teachers homeowners
	farmers landowners church library police fire firefighters hospital university college airport road street avenue drive trail
	creek hills estates neighborhood subdivision locals voters taxpayers family families man woman teen
`);

/** Developers' names that are also places or ordinary words: "Apex solar farm" and "recurrent, costly faults" are not evidence of the company. */
export const plainNames = new Set(
	`altus,apex,avista,blackstone,brookfield,carlyle,city of austin,cypress creek,doral,east point,excelsior,generate,hexagon,jupiter,
	macquarie,matrix,national grid,new leaf,nova,open road,pivot,ranger,recurrent,spearmint,standard solar,summit ridge,
	swift current,total,treaty oak,triple oak`
		.split(",")
		.map((name) => name.trim()),
);

/** Actions of both towns and companies. */
export const townVerbs = words(`
	adopts adopted adds added joins joined hires hired gets got names named opens opened considers considered installs installed wants
	wanted holds held hopes sees faces faced reviews reviewed urges urged fights fought sets set asks asked calls called rejects rejected
	approves approved delays delayed pauses paused shows showed discusses discussed celebrates uses used denied needs needed makes made
	takes took extends extended reports reported moves moved tries tried continues continued goes went notifies loses lost receives
	received looks turns offers offered awarded granted hopes lists changes changed dropped drops increases increased doubles doubled
	slows slowed powers powered invites ends ended pays paid works worked
`);

/** Subjects of local politics. */
export const townMatters = words(`
	ban bans banning bylaw bylaws ordinance ordinances moratorium rezoning zoning referendum mill levy council councilors councillors
	mayor
`);

/** Consumer goods, which other companies with the same name sell. */
export const consumerGoods = words(`
	oven ferry hydrofoil boat boats yacht suv suvs truck trucks car cars badge lamp lamps headlamp headset games phone phones laptop
	backpack jacket bike bikes scooter toy toys helmet wine beer tea perfume movie film album song
`);
