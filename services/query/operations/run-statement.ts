import { queryLimits } from "#libs/contract/databases.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { describeColumns } from "../describe-columns.ts";
import type { Finished } from "../pool/process.ts";
import type { Resources } from "../resources.ts";
import { type Result, ResultCache } from "../result-cache.ts";
import { notLoaded, outcomeError } from "../statement-errors.ts";

type Meta = Reply<"runStatement">["meta"];

/** Runs each statement anew, unless the caller accepts a cached result of the same statement over the same extracts. */
export function runStatement({ pool, slots, cpu, extracts, now }: Resources): Handler<"runStatement"> {
	const results = new ResultCache(now);
	return async (
		{ sql, database, format, safe = false, values = [], kept, limited, account, address },
		{ signal, plan },
	) => {
		if (extracts.viewsOf(database) === undefined) throw notLoaded(database);
		const key = `${format} ${safe} ${database} ${JSON.stringify(values)} ${sql}`;
		const cached = kept === true ? results.get(key, extracts.current) : undefined;
		if (cached !== undefined) return { ...cached, dataVersion: 0 };
		const caller = { account, address, plan };
		if (limited !== undefined) cpu.check(caller);
		using _slot = await slots.acquire(caller, signal);
		// Read before the run, because newer extracts may be loaded meanwhile.
		const loaded = extracts.current;
		const { outcome, body, cpuMs } = await pool.run({ sql, database, format, safe, values });
		// `limited` is false for a statement that is paid for: its CPU time counts only if it fails and so is not charged.
		if (limited === true || (limited === false && outcome.kind !== "answer")) cpu.spend(caller, cpuMs);
		if (outcome.kind !== "answer") throw outcomeError(outcome);
		const meta: Meta = {
			database,
			columns: describeColumns(outcome, loaded),
			rows: outcome.rows,
			truncated: outcome.truncatedBy !== null,
			truncated_by: outcome.truncatedBy,
			row_limit: queryLimits.rows,
			byte_limit: queryLimits.bytes,
			views: outcome.views.map(({ database: owner, name }) => {
				const view = loaded.views.find((each) => each.database === owner && each.name === name);
				return { view: `${owner}.${name}`, data_version: view?.data_version ?? 0, as_of: view?.as_of ?? "" };
			}),
		};
		const result = format === "json" ? asJson(body, meta) : asFile(body, meta);
		if (kept === true) results.set(key, result, loaded);
		return { ...result, dataVersion: 0 };
	};
}

const asJson = (body: Finished["body"], meta: Meta): Result => ({
	json: Buffer.concat([Buffer.from('{"data":['), body, Buffer.from(`],"meta":${JSON.stringify(meta)}}`)]),
});

/** A file can have `meta` only in headers. */
const asFile = (body: Finished["body"], meta: Meta): Result => ({
	json: body,
	headers: { "x-row-count": String(meta.rows), "x-truncated": meta.truncated_by ?? "false" },
});
