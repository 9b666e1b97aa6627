/** Why a request is no plant to be built and invested in, whatever its stage. Pure. */
import { existingRights } from "#libs/contract/vocabulary.ts";
import type { ProjectFacts } from "../facts.ts";

/**
 * `energized`, `operating`: an outcome already; `void_window`: void by the operator's process; `existing_rights`: it uses rights of an
 * existing plant, or asks for rights alone.
 */
export type Exclusion = "energized" | "operating" | "void_window" | "existing_rights";

const built: ReadonlySet<string> = new Set(["operating", "partially_operating", "retired"]);
const existing: ReadonlySet<string> = new Set(existingRights);

/** An excluded request has no score, no chance and no credit. */
export function exclusionOf({
	plant_state,
	status_flag,
	request_class,
}: Pick<ProjectFacts, "plant_state" | "status_flag" | "request_class">): Exclusion | null {
	if (plant_state === "energized") return "energized";
	if (built.has(plant_state)) return "operating";
	if (status_flag === "void_window") return "void_window";
	return existing.has(request_class) ? "existing_rights" : null;
}
