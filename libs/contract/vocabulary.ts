/** Every enumerated value of the interface, declared once. The words are the specification's (2.2, 2.12, 3). */

export const regions = ["PJM", "MISO", "ERCOT", "CAISO", "NYISO", "SPP", "ISO-NE"] as const;
export type Region = (typeof regions)[number];

export const statuses = ["Active", "Withdrawn", "Operational", "Suspended"] as const;
export type Status = (typeof statuses)[number];

/** `at_risk`: the operator has announced a termination. `retired`: it was built and has since closed. */
export const statusFlags = ["at_risk", "retired"] as const;
export type StatusFlag = (typeof statusFlags)[number];

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

/** What a row of a queue asks for. Only `generation` is served by default; the others are flagged (`population=all`). */
export const requestKinds = ["generation", "transmission", "load"] as const;
export type RequestKind = (typeof requestKinds)[number];

/** How exactly `lat` and `lon` are known: the substation, the county's centre, or the state's. */
export const locationPrecisions = ["poi", "county", "state"] as const;
export type LocationPrecision = (typeof locationPrecisions)[number];

export const developerTiers = [
	"major_utility",
	"major_ipp",
	"mid_platform",
	"pe_fund",
	"independent",
	"oil_major",
	"unknown",
] as const;

export const changeTypes = [
	"new_project",
	"status_change",
	"capacity_change",
	"cod_change",
	"developer_change",
	"study_phase_change",
	"field_update",
	"disappeared",
	"correction",
] as const;
export type ChangeType = (typeof changeTypes)[number];

/** Verdict on a pipeline's age, and what its last attempts were like. */
export const freshness = ["FRESH", "STALE", "NEVER"] as const;
export const pipelineStates = ["ok", "unchanged", "failing", "paused"] as const;

/** Price tiers of specification 5.8. */
export const prices = ["free", "standard", "premium", "pro"] as const;
export type Price = (typeof prices)[number];
