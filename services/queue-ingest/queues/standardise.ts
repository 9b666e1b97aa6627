/** Translates a filed request into the product's vocabulary: place, construction stage, state of the agreement and of the plant. Pure. */
import type { DerivedField } from "#libs/contract/records/project.ts";
import type {
	ConstructionStage,
	IaStatus,
	PlantState,
	PlantStateBasis,
	ProjectRegion,
	Status,
	StudyPhase,
} from "#libs/contract/vocabulary.ts";
import { locate } from "../sources/geography/geography.ts";
import type { Component, FieldValues, FiledRequest, Operator, StageEvidence } from "../sources/source.ts";
import { fillMissingState, poiIdOf } from "./poi.ts";
import { findVoidWindow } from "./process-rules.ts";

/** A stored row of a list. County and state have their official names, or the cleaned filed text if it names no valid county. */
export interface StandardRequest extends Omit<FiledRequest, "evidence" | "components">, FieldValues<DerivedField> {
	/** The filed parts. If none are filed, a hybrid has the parts that `typeStd` names. */
	components: Component[];
}

/** Statuses that determine the stage by themselves, whatever the studies show. */
const finalStages: Partial<Record<Status, ConstructionStage>> = {
	Withdrawn: "withdrawn",
	Operational: "operational",
	Suspended: "suspended",
};

/**
 * Confidence in a stage before reductions. The numbers rank how directly an operator states the stage; they are not measured.
 */
const startingConfidence: Record<StageEvidence["basis"], number> = {
	published: 0.95,
	agreement: 0.9,
	"study-code": 0.8,
	"study-columns": 0.65,
	"active-only": 0.5,
	lbnl: 0.4,
};

/** Reductions of the confidence, and its bounds. */
const overdueCod = { afterDays: 365, reduction: 0.15 };
const contradiction = { reduction: 0.1 };
const missingCod = { reduction: 0.05 };
const confidenceBounds = { min: 0.2, max: 0.99 };

/** The state of the agreement by study phase, for requests that are neither finished nor being built. */
export const iaStatusByPhase: Record<StudyPhase, IaStatus> = {
	"IA Executed": "IA Executed",
	GIA: "Facility Study",
	Facilities: "Facility Study",
	SIS: "System Impact Study",
	Feasibility: "Feasibility Study",
	"Not Started": "In Progress (unknown study)",
};

interface Context {
	operator: Operator | null;
	asOf: string;
}

/** Standardizes the requests of one list and keeps their order. */
export function standardiseList(requests: readonly FiledRequest[], context: Context): StandardRequest[] {
	const region = regionOf(context.operator);
	const standard = requests.map((request) => standardise(request, context));
	return region === null ? standard : fillMissingState(standard, region);
}

/**
 * Adds to a filed request what can be derived from it alone. `operator` is the list's publisher (null for LBNL): a misfiled county is searched
 * only in its states. `asOf` is the time of the list (ISO 8601); earlier dates are in the past.
 */
export function standardise(asFiled: FiledRequest, context: Context): StandardRequest {
	const request = {
		...asFiled,
		...(isSilentTooLong(asFiled, context.asOf) && { statusStd: "Unknown" as const, statusBasis: null }),
		...(changesPlant(asFiled) && { requestClass: "modification" as const, incrementalMw: null }),
	};
	const { evidence, county, state, ...filed } = request;
	const constructionStage = stageOf(request);
	const typeStd = offshoreByName(request.typeStd, request);
	const region = regionOf(context.operator);
	const place = locate(county, state, context.operator);
	return {
		...filed,
		...plantStateOf(request, constructionStage, context.asOf),
		statusFlag: findVoidWindow(request, region, context.asOf) ? "void_window" : request.statusFlag,
		incrementalMw: incrementalMw(request),
		// Derived from the request's earlier row (compare-with-past.ts).
		...{ queueDateCurrent: null, addedTypeStd: null },
		// The EIA's reports are added later (status-evidence.ts).
		...{ plantReport: null, plantReportedOn: null, constructionBegunBy: null },
		typeStd,
		components: componentsOf(request, typeStd),
		...place,
		poiId: region === null ? null : poiIdOf({ ...request, ...place }, region),
		constructionStage,
		constructionStageConfidence: confidenceIn(constructionStage, request, context.asOf),
		iaStatus: iaStatusOf(constructionStage, request),
	};
}

const regionOf = (operator: Operator | null): ProjectRegion | null => operator?.lists[0]?.region ?? null;

/** MW that the request adds: for a modification only as the adapter states (null if unknown), for a new plant by default the whole capacity, else 0. */
function incrementalMw({ requestClass, incrementalMw, capacityMw }: FiledRequest): number | null {
	if (requestClass === "modification") return incrementalMw;
	return requestClass === "new" ? (incrementalMw ?? capacityMw) : 0;
}

/** A projected date more than this many days before the queue date belongs to an existing plant (MISO-J1813 of 2022, in service since 2002). */
const existingPlantDays = 730;

/** A request changes an existing plant if its date or its name ("Mount Storm Repower" of PJM) shows it. */
function changesPlant({ requestClass, statusStd, name, queueDate, cod }: FiledRequest): boolean {
	if (requestClass !== "new" || statusStd !== "Active") return false;
	const isBuilt = queueDate !== null && cod !== null && daysBetween(cod, queueDate) > existingPlantDays;
	return isBuilt || /\bre-?power/i.test(name ?? "");
}

/** A request without a filed status no longer counts as open this long after its queue date (days). */
const maxSilenceDays = 3_652;

/**
 * ISO-NE lists hundreds of requests since 1996 without a status. Most of those that other publishers list are operating or abandoned. A
 * completed study or a signed agreement does not show that a request is still open.
 */
function isSilentTooLong({ statusStd, statusBasis, queueDate, evidence }: FiledRequest, asOf: string): boolean {
	const isSilent = statusStd === "Active" && statusBasis !== "filed" && evidence.noOpenStudy === true;
	return isSilent && queueDate !== null && daysBetween(queueDate, asOf) > maxSilenceDays;
}

/** Most operators file offshore wind as wind; a name with the word "offshore" decides ("Vineyard Offshore Wind"). */
function offshoreByName(typeStd: string, { name }: FiledRequest): string {
	if (!/\boffshore\b/i.test(name ?? "")) return typeStd;
	return typeStd
		.split(" + ")
		.map((part) => (part === "Wind" ? "Offshore Wind" : part))
		.join(" + ");
}

/** The capacities of a hybrid's parts are null if the list does not state them. */
function componentsOf(request: FiledRequest, typeStd: string): Component[] {
	if (request.components !== null)
		return request.components.map((part) => ({ ...part, typeStd: offshoreByName(part.typeStd, request) }));
	const parts = typeStd.split(" + ");
	return parts.length < 2 ? [] : parts.map((part) => ({ typeStd: part, capacityMw: null }));
}

function stageOf({ statusStd, evidence }: FiledRequest): ConstructionStage {
	return finalStages[statusStd] ?? evidence.stage;
}

/** Returns 0.20 to 0.99, rounded to two decimals. */
function confidenceIn(stage: ConstructionStage, { statusStd, evidence, cod }: FiledRequest, asOf: string): number {
	let confidence = startingConfidence[basisOf(statusStd, evidence)];
	if (cod === null) confidence -= missingCod.reduction;
	else if (stage !== "operational" && daysBetween(cod, asOf) > overdueCod.afterDays) confidence -= overdueCod.reduction;
	if (evidence.contradictory) confidence -= contradiction.reduction;
	const bounded = Math.min(confidenceBounds.max, Math.max(confidenceBounds.min, confidence));
	return Math.round(bounded * 100) / 100;
}

/** An operator that lists a request as withdrawn, in service or suspended publishes the stage itself; LBNL only reports it. */
function basisOf(status: Status, { basis }: StageEvidence): StageEvidence["basis"] {
	return finalStages[status] !== undefined && basis !== "lbnl" ? "published" : basis;
}

/** LBNL's vocabulary has no value for suspended requests, so they have the value of their study phase (usually an executed agreement). */
function iaStatusOf(stage: ConstructionStage, { studyPhase }: FiledRequest): IaStatus {
	if (stage === "withdrawn") return "Withdrawn";
	if (stage === "operational") return "Operational";
	if (stage === "construction") return "Construction";
	return studyPhase === null ? "In Progress (unknown study)" : iaStatusByPhase[studyPhase];
}

type PlantFacts = FieldValues<Extract<DerivedField, `plant_state${string}`>>;

/** A plant that is still listed as under construction this many days after its projected date has an unknown state. */
const overdueDays = 365;

/** Derives the plant state from the operator's row only; status-evidence.ts adds other publishers' evidence. */
function plantStateOf(request: FiledRequest, stage: ConstructionStage, asOf: string): PlantFacts {
	const { evidence, status, energizedDate, actualCod } = request;
	const source = evidence.byUpdateSheet ? "operator_update_sheet" : "operator";
	const basis = evidence.basis === "lbnl" ? "lbnl" : source;
	const filed = status === null ? null : `status ${status}`;
	if (request.statusStd === "Unknown") return plantFacts("unknown", null, null);
	if (request.statusFlag === "retired") return plantFacts("retired", basis, filed);
	if (stage === "operational") {
		if (evidence.partly)
			return plantFacts("partially_operating", basis, `${filed}, ${request.operatingMw ?? "unknown"} MW in service`);
		return plantFacts("operating", basis, actualCod === null ? filed : `in operation since ${actualCod}`);
	}
	if (stage === "withdrawn") return plantFacts("none", basis, null);
	if (energizedDate !== null)
		return plantFacts("energized", basis, `approved to energise or synchronise on ${energizedDate}`);
	// A suspended request has not been built, even if its projected date has passed (PJM's Ocean Wind).
	if (stage === "suspended") return plantFacts("none", basis, null);
	// A plant cannot operate before it can take power from the grid, so a later day of backfeed replaces the projected date.
	const [cod] = [request.cod, request.backfeedDate]
		.filter((day) => day !== null)
		.toSorted((a, b) => b.localeCompare(a));
	const daysLate = cod === undefined ? 0 : daysBetween(cod, asOf);
	const overdueEvidence = `projected for ${cod}, and no later report of the plant`;
	if (stage === "construction") {
		if (daysLate > overdueDays) return plantFacts("unknown", "date_only", overdueEvidence);
		return plantFacts("under_construction", basis, filed);
	}
	// With an executed agreement a plant may have been built by its date.
	if (request.studyPhase === "IA Executed" && daysLate > 0) return plantFacts("unknown", "date_only", overdueEvidence);
	return plantFacts("none", basis, null);
}

const plantFacts = (state: PlantState, basis: PlantStateBasis | null, evidence: string | null): PlantFacts => ({
	plantState: state,
	plantStateBasis: basis,
	plantStateEvidence: evidence,
});

function daysBetween(from: string, to: string): number {
	return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}
