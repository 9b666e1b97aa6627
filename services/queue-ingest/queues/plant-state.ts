/** Derives the state of a request's site from its operator's row; status-evidence.ts adds other publishers' evidence. Pure. */
import type { DerivedField } from "#libs/contract/records/project.ts";
import type { ConstructionStage, PlantState, PlantStateBasis } from "#libs/contract/vocabulary.ts";
import type { FieldValues, FiledRequest } from "../sources/source.ts";

type PlantFacts = FieldValues<Extract<DerivedField, `plant_state${string}`>>;

/** A projected date this long past no longer counts for a plant that is still listed as under construction (days). */
const overdueDays = 365;

/** `asOf`: ISO time of the list, against which dates are past. */
export function plantStateOf(request: FiledRequest, stage: ConstructionStage, asOf: string): PlantFacts {
	const { evidence, status, energizedDate, actualCod } = request;
	const source = evidence.byUpdateSheet ? "operator_update_sheet" : "operator";
	const basis = evidence.basis === "lbnl" ? "lbnl" : source;
	const filed = status === null ? null : `status ${status}`;
	if (request.statusStd === "Unknown") return facts("unknown", null, null);
	if (request.statusFlag === "retired") return facts("retired", basis, filed);
	if (stage === "operational") {
		if (evidence.partly)
			return facts("partially_operating", basis, `${filed}, ${request.operatingMw ?? "unknown"} MW in service`);
		return facts("operating", basis, actualCod === null ? filed : `in operation since ${actualCod}`);
	}
	if (stage === "withdrawn") return facts("none", basis, null);
	if (energizedDate !== null)
		return facts("energized", basis, `approved to energise or synchronise on ${energizedDate}`);
	// An operator that calls a request suspended states that nothing was built by its date (PJM's Ocean Wind).
	if (stage === "suspended") return facts("none", basis, null);
	// No plant operates before it can take power from the grid: a later day of backfeed supersedes the projected one.
	const [cod] = [request.cod, request.backfeedDate]
		.filter((day) => day !== null)
		.toSorted((a, b) => b.localeCompare(a));
	const daysLate = cod === undefined ? 0 : (Date.parse(asOf) - Date.parse(cod)) / 86_400_000;
	const passed = `projected for ${cod}, and no later report of the plant`;
	if (stage === "construction") {
		if (daysLate > overdueDays) return facts("unknown", "date_only", passed);
		return facts("under_construction", basis, filed);
	}
	// With an executed agreement a plant may have been built by its date.
	if (request.studyPhase === "IA Executed" && daysLate > 0) return facts("unknown", "date_only", passed);
	return facts("none", basis, null);
}

const facts = (state: PlantState, basis: PlantStateBasis | null, evidence: string | null): PlantFacts => ({
	plantState: state,
	plantStateBasis: basis,
	plantStateEvidence: evidence,
});
