/** What deal_cleanliness loses points for. Changes of developer, point of interconnection or capacity cost nothing: a living project has them (queues.md 7.1). Pure. */
import type { DeductionKind, ScoreInputs } from "./tables.ts";

/** A projected date that had passed on the day of the list, of a plant that is not being built. */
export const isOverdue = ({ cod_position, milestone }: Pick<ScoreInputs, "cod_position" | "milestone">): boolean =>
	cod_position === "past" && milestone !== "construction";

/** In the order of the table. */
export function deductionsOf(inputs: ScoreInputs): DeductionKind[] {
	const found: DeductionKind[] = [];
	if (inputs.cod_slip === "12_months_or_more") found.push("cod_slipped");
	if (isOverdue(inputs)) found.push("cod_past");
	if (!inputs.has_ia && inputs.queue_age === "over_4_years") found.push("queued_over_4_years");
	if (!inputs.has_ia && inputs.queue_age === "2_to_4_years") found.push("queued_2_to_4_years");
	if (!inputs.poi) found.push("no_poi");
	if (!inputs.located) found.push("not_located");
	if (inputs.cod_position === "none") found.push("no_cod");
	if (inputs.high_ic_cost === true) found.push("high_ic_cost");
	if (inputs.duplicate) found.push("duplicate");
	if (inputs.distress === "High") found.push("distress_high");
	if (inputs.distress === "Elevated") found.push("distress_elevated");
	return found;
}
