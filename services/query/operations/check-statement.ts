import type { Handler } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";
import { notLoaded, unanswered } from "../unanswered.ts";

/** In a process of the pool, which it waits for like a statement that is run: to parse one may take as long. */
export function checkStatement({ pool, slots, extracts }: Resources): Handler<"checkStatement"> {
	return async ({ sql, database, parameters, account }, { signal, plan }) => {
		if (extracts.viewsOf(database) === undefined) throw notLoaded(database);
		using _slot = await slots.acquire({ account, plan }, signal);
		const values = parameters.map((name) => ({ name, type: "text" as const, value: null }));
		const { outcome } = await pool.run({ sql, database, format: "json", values, checkOnly: true });
		if (outcome.kind !== "checked") throw unanswered(outcome);
		return { json: "{}", dataVersion: 0 };
	};
}
