import type { Handler } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";
import { notLoaded, outcomeError } from "../unanswered.ts";

/** Waits for a process of the pool, like a statement that is run, because parsing may take as long. */
export function checkStatement({ pool, slots, extracts }: Resources): Handler<"checkStatement"> {
	return async ({ sql, database, parameters, account }, { signal, plan }) => {
		if (extracts.viewsOf(database) === undefined) throw notLoaded(database);
		using _slot = await slots.acquire({ account, plan }, signal);
		const values = parameters.map((name) => ({ name, type: "text" as const, value: null }));
		const { outcome } = await pool.run({ sql, database, format: "json", values, checkOnly: true });
		if (outcome.kind !== "checked") throw outcomeError(outcome);
		return { json: "{}", dataVersion: 0 };
	};
}
