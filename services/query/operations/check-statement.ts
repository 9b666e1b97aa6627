import type { Handler } from "#libs/contract/index.ts";
import { isPaidPlan } from "#libs/contract/vocabulary.ts";
import type { Resources } from "../resources.ts";
import { notLoaded, outcomeError } from "../statement-errors.ts";

/** Checks in a process of the pool, under the limits of a run, because planning a statement may take as long as running it. */
export function checkStatement({ pool, slots, cpu, extracts }: Resources): Handler<"checkStatement"> {
	return async ({ sql, database, parameters, account }, { signal, plan }) => {
		if (extracts.viewsOf(database) === undefined) throw notLoaded(database);
		const caller = { account, plan };
		const isPaid = isPaidPlan(plan);
		if (!isPaid) cpu.check(caller);
		using _slot = await slots.acquire(caller, signal);
		const values = parameters.map((name) => ({ name, type: "text" as const, value: null }));
		const { outcome, cpuMs } = await pool.run({ sql, database, format: "json", values, checkOnly: true });
		if (!isPaid) cpu.spend(caller, cpuMs);
		if (outcome.kind !== "checked") throw outcomeError(outcome);
		return { json: "{}", dataVersion: 0 };
	};
}
