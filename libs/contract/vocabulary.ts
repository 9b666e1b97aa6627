/** All enumerated values of the interface. The values are those of the specification (2.2, 2.12, 3). */

interface Terms {
	/** The operator's code as a balancing authority, assigned by the EIA. */
	balancingAuthority: string;
	/** Other accepted names of the region. */
	aliases?: readonly string[];
	/** The shortest interval of prices that the operator's license allows us to show (an hour when absent). */
	finestPrices?: "month";
	/** Days between two lists of the operator (1 when absent). */
	listDays?: number;
}

/**
 * The grid operators by region, one line each, in the order in which every response lists them. Everything else about an operator is in a separate
 * file: for ISO-NE, `services/queue-ingest/queues/sources/isone.ts`.
 */
const operators = {
	PJM: { balancingAuthority: "PJM", finestPrices: "month" },
	MISO: { balancingAuthority: "MISO" },
	ERCOT: { balancingAuthority: "ERCO", listDays: 30 },
	CAISO: { balancingAuthority: "CISO" },
	NYISO: { balancingAuthority: "NYIS", listDays: 30 },
	SPP: { balancingAuthority: "SWPP" },
	"ISO-NE": { balancingAuthority: "ISNE", aliases: ["ISONE", "ISO NE", "NEISO"] },
} satisfies Record<string, Terms>;

export type Region = keyof typeof operators;
export const operatorTerms: Readonly<Record<Region, Terms>> = operators;
/** Kinds of records of the authorization server. */
export const oauthKinds = [
	...(["Client", "Interaction", "AuthorizationCode", "Grant", "AccessToken", "RefreshToken"] as const),
] as const;
export type OauthKind = (typeof oauthKinds)[number];

/** Datasets, as `/catalog/data` names them. */
export const datasetNames = [
	...(["queues", "developers", "news", "material_events", "ma_events", "capital_raises"] as const),
	...(["scores", "grid", "dg", "datacenters", "market"] as const),
] as const;
export type DatasetName = (typeof datasetNames)[number];

export const regions = Object.keys(operators) as [Region, ...Region[]];

export const listDaysOf = (region: Region): number => operatorTerms[region].listDays ?? 1;

/**
 * Utilities outside the seven operators; WEST and SOUTHEAST are groups of utilities. Their requests are of the kind `utility` (BPA's also `load` and
 * `transmission`), and are shown only with `kind` or `population=all`.
 */
export const utilityQueues = ["DUKE", "SOCO", "TVA", "BPA", "WEST", "SOUTHEAST"] as const;

/** Publishers of queues: operators and utilities. */
export const projectRegions = [...regions, ...utilityQueues] as const;
export type ProjectRegion = (typeof projectRegions)[number];

/** Operators whose prices may be shown only as monthly averages. */
export const monthlyPriced: readonly Region[] = regions.filter(
	(region) => operatorTerms[region].finestPrices === "month",
);

/** `Unknown`: no publisher reports the outcome of the request, or whether it is still open. */
export const statuses = ["Active", "Withdrawn", "Operational", "Suspended", "Unknown"] as const;
export type Status = (typeof statuses)[number];

/**
 * `at_risk`: the operator has announced a termination. `retired`: it was built and has since closed. `void_window`: listed as active, but
 * void under the operator's rules.
 */
export const statusFlags = ["at_risk", "retired", "void_window"] as const;
export type StatusFlag = (typeof statusFlags)[number];

/** The states, the District of Columbia and the territories, by their postal codes. */
// biome-ignore format: a separate line for each state would add no information
export const stateNames = {
	AK: "Alaska", AL: "Alabama", AR: "Arkansas", AS: "American Samoa", AZ: "Arizona", CA: "California", CO: "Colorado",
	CT: "Connecticut", DC: "District of Columbia", DE: "Delaware", FL: "Florida", GA: "Georgia", GU: "Guam",
	HI: "Hawaii", IA: "Iowa", ID: "Idaho", IL: "Illinois", IN: "Indiana", KS: "Kansas", KY: "Kentucky", LA: "Louisiana",
	MA: "Massachusetts", MD: "Maryland", ME: "Maine", MI: "Michigan", MN: "Minnesota", MO: "Missouri",
	MP: "Commonwealth of the Northern Mariana Islands", MS: "Mississippi", MT: "Montana", NC: "North Carolina",
	ND: "North Dakota", NE: "Nebraska", NH: "New Hampshire", NJ: "New Jersey", NM: "New Mexico", NV: "Nevada",
	NY: "New York", OH: "Ohio", OK: "Oklahoma", OR: "Oregon", PA: "Pennsylvania", PR: "Puerto Rico", RI: "Rhode Island",
	SC: "South Carolina", SD: "South Dakota", TN: "Tennessee", TX: "Texas", UT: "Utah", VA: "Virginia",
	VI: "United States Virgin Islands", VT: "Vermont", WA: "Washington", WI: "Wisconsin", WV: "West Virginia",
	WY: "Wyoming",
} as const;
type StateCode = keyof typeof stateNames;
export const stateCodes = Object.keys(stateNames) as [StateCode, ...StateCode[]];

const territories: readonly string[] = ["AS", "GU", "MP", "PR", "VI"];
/** The states and the District of Columbia. */
export const states: readonly string[] = stateCodes.filter((code) => !territories.includes(code));

export const technologies = [
	"Solar",
	"Storage",
	"Wind",
	"Gas",
	"Solar + Storage",
	"Wind + Storage",
	"Wind + Solar",
	"Wind + Solar + Storage",
	"Gas + Storage",
	"Offshore Wind",
	"Nuclear",
	"Hydro",
	"Pumped Storage",
	"Coal",
	"Oil",
	"Geothermal",
	"Biomass",
	"Waste",
	"Hydrogen",
	"Fuel Cell",
	"Waste Heat",
	"Other Storage",
	"Other",
	"Unknown",
	"Transmission",
	"Load",
] as const;

/** Single technologies, in the order in which the parts of a hybrid are named: "Hydro + Storage". */
export const technologyParts = [
	"Wind",
	"Offshore Wind",
	"Solar",
	"Hydro",
	"Pumped Storage",
	"Nuclear",
	"Geothermal",
	"Biomass",
	"Waste",
	"Waste Heat",
	"Hydrogen",
	"Fuel Cell",
	"Gas",
	"Oil",
	"Coal",
	"Other Storage",
	"Storage",
	"Transmission",
	"Load",
	"Other",
	"Unknown",
] as const;

/**
 * Whether the operator's lists still contain a request. `missing`: the newest list does not contain it; `disappeared`: at least two lists in a row
 * do not.
 */
export const listings = ["listed", "missing", "disappeared"] as const;
export type Listing = (typeof listings)[number];

/** Flags of requests whose dates are implausible or missing, or that have not changed long after their projected date. */
export const integrityFindings = [
	"zombies",
	"cod_before_queue_date",
	"implausible_date",
	"operational_without_date",
] as const;
export type IntegrityFinding = (typeof integrityFindings)[number];

export const studyPhases = ["Not Started", "Feasibility", "SIS", "Facilities", "GIA", "IA Executed"] as const;
export type StudyPhase = (typeof studyPhases)[number];

export const iaStatuses = [
	"Withdrawn",
	"In Progress (unknown study)",
	"System Impact Study",
	"IA Executed",
	"Facility Study",
	"Feasibility Study",
	"Operational",
	"Construction",
] as const;
export type IaStatus = (typeof iaStatuses)[number];

export const constructionStages = [
	"early",
	"mid",
	"late",
	"construction",
	"operational",
	"withdrawn",
	"suspended",
] as const;
export type ConstructionStage = (typeof constructionStages)[number];

/**
 * Kind of a request. Only `generation` is served by default; the others require `kind` or `population=all`. `distribution`: an installation
 * of a program for distributed generation, not a request in a transmission queue. `utility`: generation in the queue of a utility outside
 * the seven operators. `affected_system`: a request in another operator's queue, whose effects on this operator's system are studied.
 */
export const requestKinds = [
	"generation",
	"transmission",
	"load",
	"distribution",
	"utility",
	"affected_system",
] as const;
export type RequestKind = (typeof requestKinds)[number];

/** Sources of distributed generation. They overlap: a sum over two of them counts some installations twice. */
export const dgSources = ["eia861-net-metering", "eia861-distributed", "puco-ohio-der", "nyserda-der"] as const;
export type DgSource = (typeof dgSources)[number];

/** Kinds of records of distributed generation: a single installation, a utility's total in a state, the total of an area. */
export const dgKinds = ["installation", "utility_total", "area_total"] as const;
export type DgKind = (typeof dgKinds)[number];

/** How an installation's energy is compensated: on the customer's bill, on several customers' bills, or in neither way. */
export const dgPrograms = ["net_metering", "virtual_net_metering", "non_net_metering"] as const;
export type DgProgram = (typeof dgPrograms)[number];

/** `direct_connected`: connected to the distribution network, not at a customer's site. */
export const dgSectors = ["residential", "commercial", "industrial", "transportation", "direct_connected"] as const;
export type DgSector = (typeof dgSectors)[number];

export const dgAreaTypes = ["county", "place", "township", "region"] as const;
export type DgAreaType = (typeof dgAreaTypes)[number];

/** Relation of a request to another request for the same plant. */
export const relationKinds = ["successor_of", "sibling", "alternative_of"] as const;
/** How a relation was found. Names are compared without words that many plants share ("Solar", "Phase"), and then also without numbers. */
export const relationMethods = ["name", "name_without_number", "name_and_place"] as const;
export type RelationMethod = (typeof relationMethods)[number];
export type RelationKind = (typeof relationKinds)[number];

/** Precision of `lat` and `lon`, which locate the substation, the center of the county, or the center of the state. */
export const locationPrecisions = ["poi", "county", "state"] as const;
export type LocationPrecision = (typeof locationPrecisions)[number];

/**
 * Precision of a data center's coordinates, which locate its building or plot, its street, a part of the town, the center of the town, or the
 * center of the county.
 */
export const placePrecisions = ["site", "street", "area", "city", "county"] as const;
export type PlacePrecision = (typeof placePrecisions)[number];

/** Status of a data center, in chronological order; the last three are setbacks. */
export const datacenterStatuses = [
	"proposed",
	"approved",
	"construction",
	"operating",
	"delayed",
	"withdrawn",
	"denied",
] as const;
export type DatacenterStatus = (typeof datacenterStatuses)[number];

/** Statuses of data centers that do not exist yet and have not been abandoned. */
export const plannedDatacenterStatuses = [
	"proposed",
	"approved",
	"construction",
	"delayed",
] as const satisfies DatacenterStatus[];

/** Status of a generator on form EIA-860. `retired`: retired, canceled, or postponed indefinitely. */
export const generatorStages = ["operable", "proposed", "retired"] as const;

export const developerTiers = [
	"major_utility",
	"major_ipp",
	"mid_platform",
	"pe_fund",
	"independent",
	"oil_major",
	"unknown",
] as const;
/** `special_purpose`: a company that was founded for one project or one series of projects. */
export const companyKinds = ["sponsor", "special_purpose"] as const;
export type CompanyKind = (typeof companyKinds)[number];

export type DeveloperTier = (typeof developerTiers)[number];

/**
 * How a name was matched to a developer, strongest first: by the canonical name; by another known name; by the name without generic words; by a
 * registered first word of the names of its project companies; despite a misspelling.
 */
export const nameMethods = [
	"developer_exact",
	"developer_alias",
	"developer_distinct",
	"developer_prefix",
	"developer_fuzzy",
] as const;
export type NameMethod = (typeof nameMethods)[number];

/** Registers of companies: the SEC's CIK, the LEI, the EIA's utility number (EIA-860, EIA-861) and its entity number (EIA-860M, Schedule 4). */
export const identifierSchemes = ["cik", "lei", "eia_utility", "eia_entity"] as const;
export type IdentifierScheme = (typeof identifierSchemes)[number];

/**
 * How a register number was matched to a developer: by the legal name, by the same name with a different legal form, by an alias in the register,
 * or by a person.
 */
export const identifierMethods = ["legal_name", "name", "alias", "correction"] as const;

export const disputeSubjects = ["project_field", "developer_link", "identifier", "ownership"] as const;
export type DisputeSubject = (typeof disputeSubjects)[number];
export const disputeStates = ["open", "accepted", "refused"] as const;

/** How the company behind a request was identified, if the filed name is not a developer's. */
export const companyMethods = [
	"filed_company",
	"eia_entity",
	"eia_owner",
	"eia_former_entity",
	"same_company",
	"replaced_plant",
] as const;
export type CompanyMethod = (typeof companyMethods)[number];

/** How a filing was matched: by a name, its issuer's CIK, or the project that it names. */
export const matchMethods = [...nameMethods, "issuer_cik", "project_name", "none"] as const;
export type MatchMethod = (typeof matchMethods)[number];

/**
 * How a plant is linked to a request. `one_of`: the plant belongs to one of several requests; `part`: it is the largest of the request's
 * plants.
 */
export const linkKinds = ["direct", "one_of", "part"] as const;
export type LinkKind = (typeof linkKinds)[number];

export const ownershipSources = ["eia_860_ownership", "eia_860_operator"] as const;

/** Classes of headlines, in order of precedence. */
export const eventTypes = ["distress", "litigation", "ma", "financing", "project", "mention"] as const;
export type EventType = (typeof eventTypes)[number];

/** The part of an article in which a developer was found. */
export const matchPlaces = ["title", "url", "title_project", "organizations", "body"] as const;

/** Classes of an 8-K, and the categories of its items. */
export const filingTypes = ["financing", "ma", "distress"] as const;
export const filingCategories = ["distress", "ma", "debt", "equity", "agreement"] as const;

export const maEventTypes = ["ownership_change", "queue_developer_change"] as const;
export const confidences = ["high", "medium", "low"] as const;

/** Publishers of other counts of the operators' queues. */
export const reconciliationSources = ["lbnl", "eia860", "operator"] as const;
/** How `/resolve` found a request. */
export const resolveMethods = [
	"id",
	"number",
	"former_number",
	"cluster",
	"lbnl_number",
	"lbnl_name",
	"eia_plant",
	"eia_generator",
	"name",
	"plant_name",
	"point",
] as const;
export type ResolveMethod = (typeof resolveMethods)[number];
export const resolveOutcomes = ["found", "ambiguous", "contradicted", "gone", "not_found"] as const;

export const reconciliationMethods = ["number", "name_and_date", "plant"] as const;
export type ReconciliationMethod = (typeof reconciliationMethods)[number];
export const reconciliationClasses = [
	"matched",
	"timing",
	"definition",
	"missing_there",
	"missing_here",
	"ours_wrong",
	"unexplained",
] as const;
export type ReconciliationClass = (typeof reconciliationClasses)[number];

/**
 * Basis of a standard status. `filed`: the operator's term or code, or the list or sheet that contains the request; `milestone`: a study, an
 * agreement or an approval; `date`: a day of withdrawal or operation; `other_source`: another publisher's report about the plant; `outcome_sheet`:
 * the operator's sheet of outcomes, in a report with a different date than its lists; `absence`: the operator's lists no longer contain the request.
 */
export const statusBases = ["filed", "milestone", "date", "other_source", "outcome_sheet", "absence"] as const;
/** Bases of a status that is not in any list with the request. */
export const evidenceBases = ["other_source", "outcome_sheet", "absence"] as const satisfies readonly StatusBasis[];
export type StatusBasis = (typeof statusBases)[number];

/**
 * State of the site. `none`: no source reports that anything is built. `energized`: connected or synchronized, but not yet in commercial operation.
 * `unknown`: a planned date has passed, and nothing else is known.
 */
export const plantStates = [
	"none",
	"under_construction",
	"energized",
	"operating",
	"partially_operating",
	"retired",
	"unknown",
] as const;
export type PlantState = (typeof plantStates)[number];

/** Basis of a plant state. `date_only`: only a projected date that has passed. */
export const plantStateBases = [
	"operator",
	"operator_update_sheet",
	"eia_860",
	"eia_860m",
	"eia_epm",
	"lbnl",
	"date_only",
] as const;
export type PlantStateBasis = (typeof plantStateBases)[number];

/** The EIA's report about a plant that is not in service. */
export const plantReports = ["planned", "under_construction", "cancelled"] as const;
export type PlantReport = (typeof plantReports)[number];

/**
 * Whether a request is for a new plant (`new`) or concerns an existing one. `modification` adds parts to a plant; `replacement` and `surplus` use the
 * rights of an existing plant; `capacity_rights` adds rights but no output.
 */
export const requestClasses = ["new", "modification", "replacement", "surplus", "capacity_rights"] as const;
export type RequestClass = (typeof requestClasses)[number];

/** Classes of requests that use the rights of an existing plant, or add only rights. */
export const existingRights = ["capacity_rights", "replacement", "surplus"] as const satisfies readonly RequestClass[];

/** Classes and flags of requests that do not count as active, although they are listed as active or partly in operation. */
export const activeLeftOut = ["void_window", ...existingRights] as const;

/** Meanings of `capacity_mw`. `net_change`: the added capacity of a plant that is rebuilt. */
export const capacityBases = ["injection_limit", "net_change"] as const;

export const changeTypes = [
	"new_project",
	"status_change",
	"capacity_change",
	"component_change",
	"cod_change",
	"developer_change",
	"study_phase_change",
	"field_update",
	"disappeared",
	"correction",
	"evidence_update",
	"raw_update",
	"first_listed",
] as const;
export type ChangeType = (typeof changeTypes)[number];

/** Components of a score, in order of their weights in the first version. */
export const scoreComponents = [
	"milestone_progress",
	"iso_posture",
	"tax_credit_value",
	"deal_cleanliness",
	"developer_tier",
] as const;
export type ScoreComponent = (typeof scoreComponents)[number];
/** Filters of requests by scores, credits and ratings, which cannot be combined with a past day. */
export const scoreFilters = [
	"energy_community",
	"low_income",
	"has_tax_credit",
	"investable",
	"min_score",
	"needs_capital",
];
const scoreSorts = ["investability_score", "effective_credit_rate", "estimated_credit_value"];
export const isScoreFilter = (name: string): boolean => scoreFilters.includes(name);
export const isScoreSort = (column: string): boolean => scoreSorts.includes(column);

/** Whether a request's scores were published by the end of a past day. */
export const scoreBases = ["published", "unpublished"] as const;

/**
 * First and last day of the data to which each version of the score was fitted. Version 1 uses records since 2000 and withdrawals up to May
 * 2025; version 2 has the same points; version 3 uses pairs of lists a year apart; version 4 uses lists since 2019; versions 5 to 7 use the
 * lists that `/scores/backtest` names.
 */
export const fittedPeriods: Readonly<Record<number, { from: string; to: string }>> = {
	1: { from: "2000-01-01", to: "2025-05-31" },
	2: { from: "2000-01-01", to: "2025-05-31" },
	3: { from: "2022-10-31", to: "2026-07-20" },
	4: { from: "2019-04-30", to: "2026-07-20" },
	5: { from: "2019-04-30", to: "2026-08-31" },
	6: { from: "2019-04-30", to: "2026-08-31" },
	7: { from: "2019-04-30", to: "2026-08-31" },
};

/** Criteria of `/investable` and of the field `investable`, in addition to an executed agreement and a projected date that is not past. */
export const investableCriteria = { min_p: 0.5, max_months: 36, min_mw: 5 };
export type InvestableCriteria = typeof investableCriteria;

/**
 * Probabilities that a request is in operation or energized within 24 or 36 months. They are columns in responses and files; columns with `_low` and
 * `_high` are their bounds.
 */
export const chanceNames = ["p_cod_24", "p_cod_36", "p_energized_24", "p_energized_36"] as const;
export type ChanceName = (typeof chanceNames)[number];

/**
 * Why no probability is computed for a scored request: it is suspended, or too few past requests of its operator were observed for a year (fewer
 * than 200 in total, or 10 at the same stage).
 */
export const chanceReasons = ["suspended", "too_few_outcomes"] as const;

export const grades = ["A", "B", "C", "D", "F"] as const;
export type Grade = (typeof grades)[number];

export const creditTypes = ["ITC", "PTC"] as const;
export type CreditType = (typeof creditTypes)[number];

/**
 * `conditional`: wind or solar after 2027 whose beginning of construction is not published; `terminated`: past the end date for the
 * technology; `requires_determination`: requires a determination of greenhouse gases, which the inputs do not contain.
 */
export const creditStatuses = [
	"eligible",
	"conditional",
	"terminated",
	"ineligible",
	"requires_determination",
] as const;
export type CreditStatus = (typeof creditStatuses)[number];

/** Sources of the interconnection cost that is shown for a request. */
export const costBases = ["own", "neighbours"] as const;

/** Where the requests are whose interconnection costs replace a missing cost, the nearest first. */
export const costNeighbourhoods = ["poi", "transmission_owner", "region"] as const;

/**
 * Basis of a decision on domestic content. `technology`: the law's rules for the technology and its dates. No source publishes the
 * components of plants.
 */
export const domesticContentBases = ["technology"] as const;

/** State of a bonus. `possible`: it depends on something that the inputs do not contain (a census tract, an allocation). */
export const bonusStatuses = ["eligible", "possible", "ineligible", "unknown"] as const;
export type BonusStatus = (typeof bonusStatuses)[number];

/** Subject of a headline: the developer and its business in the United States, or its worldwide parent. */
export const newsSubjects = ["us_business", "parent"] as const;
export type NewsSubject = (typeof newsSubjects)[number];

export const ratedDistressLevels = ["Low", "Moderate", "Elevated", "High"] as const;
/** `unknown`: there was too little evidence to rate the developer Low. */
export const distressLevels = ["unknown", ...ratedDistressLevels] as const;
export type DistressLevel = (typeof distressLevels)[number];
export type RatedDistressLevel = (typeof ratedDistressLevels)[number];

/** Kinds of evidence about a developer's distress and capital. */
export const developerFacts = ["schedule", "withdrawals", "costs", "news", "filings", "form_d"] as const;

/** Tax credits for which a developer's open requests at stage mid or later could qualify: low below $50M, high from $500M. */
export const taxCreditActivities = ["none", "low", "medium", "high"] as const;
export type TaxCreditActivity = (typeof taxCreditActivities)[number];

/** Whether a pipeline's data is up to date. */
export const freshness = ["FRESH", "STALE", "NEVER"] as const;
export const pipelineStates = ["ok", "unchanged", "failing", "paused"] as const;

/** Maximum daily cap of a key (queries). */
export const maxDailyQueries = 1_000_000;

/** Price tiers. */
export const prices = ["free", "standard", "premium", "pro"] as const;
export type Price = (typeof prices)[number];

/** Price of a call that is paid for individually, in millionths of a US dollar. */
export const priceMicroUsd: Record<Price, number> = { free: 0, standard: 10_000, premium: 50_000, pro: 100_000 };

/** Maximum rows that a page for browsers reads in one request to a priced operation. */
export const pageRows = 50;
/** Number of rows, from the start of a list, that pages for browsers can read from a priced operation. */
export const pageReach = 1_000;

/** Plans. The billing service stores their limits. */
export const planNames = ["Free", "Growth", "Scale", "Enterprise"] as const;
export type PlanName = (typeof planNames)[number];

/** Whether the plan is paid. Anyone can get a key of the Free plan, so it gets no share of the capacity that is reserved for paying callers. */
export const isPaidPlan = (plan: PlanName | undefined): boolean => plan !== undefined && plan !== "Free";

/**
 * Payment rails for calls without a key: a stablecoin by x402, a stablecoin by the Machine Payments Protocol, prepaid credits bought by card.
 */
export const railNames = ["x402", "mpp", "card"] as const;
export type RailName = (typeof railNames)[number];

/**
 * State of a payment. `claimed`: reserved for one request, but not charged yet. `settling`: the charge is in progress. `settled`: charged.
 * `failed`: certainly not charged. `unknown`: the charge was requested, but its outcome is not known. `released`: not charged, and may be used
 * again.
 */
export const paymentStates = ["claimed", "settling", "settled", "failed", "unknown", "released"] as const;
export type PaymentState = (typeof paymentStates)[number];

/** Grace periods of a replaced key (s): none, an hour, a day, a week. */
export const graceSeconds = [0, 3_600, 86_400, 604_800] as const;

/** Amounts of prepaid credits for sale (USD). Credits exist because a card cannot be charged single cents. */
export const creditAmountsUsd = [5, 20, 50] as const;

/** Markets for power. `real_time_commitment`: NYISO's quarter-hourly commitment run, whose prices are not used for settlement. */
export const markets = ["day_ahead", "real_time", "real_time_commitment"] as const;
export type MarketName = (typeof markets)[number];

/** Kind of a pricing location. `interface`: a boundary with another grid; `node`: a single point. */
export const hubTypes = ["hub", "zone", "interface", "node"] as const;
export type HubType = (typeof hubTypes)[number];

export const priceIntervals = ["hour", "day", "month"] as const;

/** Formats of a webhook's messages: signed JSON for programs, or texts for people. */
export const webhookFormats = ["json", "slack", "teams", "email"] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** Types of a webhook's messages. `entered`, `left`: the change added the request to a watchlist, or removed it. */
export const deliveryTypes = [
	"change.recorded",
	"watchlist.entered",
	"watchlist.left",
	"digest.daily",
	"changes.recorded",
	"usage.reached",
	"webhook.test",
	"webhook.challenge",
] as const;
export type DeliveryType = (typeof deliveryTypes)[number];

/** Subjects of the messages that a webhook can receive: changes of requests, and the usage of its account. */
export const webhookEvents = ["changes", "usage"] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** `failed`: not retried. This applies only to test messages; other messages wait until their webhook is enabled again. */
export const deliveryStates = ["pending", "delivered", "failed"] as const;

/** Kinds of values in the cells of a published file. */
export const valueKinds = ["number", "day", "number_as_text", "day_as_text", "text"] as const;
export type ValueKind = (typeof valueKinds)[number];

/**
 * Formats of published lists, whatever their file extension. The structure of a list is compared only with lists of the same format, because
 * formats differ in their kinds of values.
 */
export const listFormats = ["workbook", "csv", "json", "xml"] as const;
export type ListFormat = (typeof listFormats)[number];

/** How the structure of a list differs from that of the previously accepted list. */
export const driftClasses = [
	"sheet_new",
	"sheet_gone",
	"sheet_renamed",
	"rows_jumped",
	"column_new",
	"column_gone",
	"column_renamed",
	"type_changed",
	"nulls_jumped",
	"word_new",
] as const;
export type DriftClass = (typeof driftClasses)[number];
/**
 * `error`: a field that was read from the list is now empty; `warning`: a person should check the difference; `notice`: no field is read from the
 * changed part.
 */
export const driftSeverities = ["error", "warning", "notice"] as const;
export type DriftSeverity = (typeof driftSeverities)[number];
