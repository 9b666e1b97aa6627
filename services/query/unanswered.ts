/** The error for a statement without an answer. */
import { AppError } from "#libs/contract/errors.ts";
import type { Outcome } from "./child/frames.ts";

/** What was refused did not run, and is free; what failed by its own doing counts like an answer. */
export function unanswered(outcome: Outcome): Error {
	if (outcome.kind === "refused")
		return new AppError(400, outcome.detail, { counts: false, code: "statement_refused" });
	if (outcome.kind === "failed") return new AppError(400, outcome.detail, { counts: true, code: "statement_failed" });
	return new Error(`a statement could not be run: ${JSON.stringify(outcome)}`);
}
