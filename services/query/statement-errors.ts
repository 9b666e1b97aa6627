/** Errors for statements that have no result. */
import type { Database } from "#libs/contract/databases.ts";
import { AppError, unavailable } from "#libs/contract/errors.ts";
import type { Outcome } from "./child/frames.ts";

export const notLoaded = (database: Database): AppError =>
	unavailable(`the database ${database} is not loaded yet: try again soon`, 5);

/** A refused statement did not run and is free; one that failed through its own fault counts like an answer. */
export function outcomeError(outcome: Outcome): Error {
	if (outcome.kind === "refused")
		return new AppError(400, outcome.detail, { counts: false, code: "statement_refused" });
	if (outcome.kind === "not loaded") return notLoaded(outcome.database);
	if (outcome.kind === "failed") return new AppError(400, outcome.detail, { counts: true, code: "statement_failed" });
	return new Error(`a statement could not be run: ${JSON.stringify(outcome)}`);
}
