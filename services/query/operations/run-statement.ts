import { queryLimits } from "#libs/contract/databases.ts";
import { unavailable } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { describeColumns } from "../describe-columns.ts";
import { KeptResults, type Result } from "../kept-results.ts";
import type { Finished } from "../pool/process.ts";
import type { Resources } from "../resources.ts";
import { unanswered } from "../unanswered.ts";

type Meta = Reply<"runStatement">["meta"];

/** Each is run anew, but for one that may be answered from what was kept: the same statement over the same extracts. */
export function runStatement({ pool, slots, cpu, extracts, now }: Resources): Handler<"runStatement"> {
	const results = new KeptResults(now);
	return async ({ sql, database, format, safe = false, values = [], kept, limited, ...caller }, { signal }) => {
		if (extracts.viewsOf(database) === undefined)
			throw unavailable(`the database ${database} is not loaded yet: try again soon`, 5);
		const key = `${format} ${safe} ${database} ${JSON.stringify(values)} ${sql}`;
		const before = kept === true ? results.get(key, extracts.current) : undefined;
		if (before !== undefined) return { ...before, dataVersion: 0 };
		const limitedAddress = limited === true ? caller.address : undefined;
		if (limitedAddress !== undefined) cpu.check(limitedAddress);
		using _slot = await slots.acquire(caller, signal);
		// Read before the run: extracts that are loaded meanwhile are not those that the statement uses.
		const loaded = extracts.current;
		const { outcome, body, cpuMs } = await pool.run({ sql, database, format, safe, values });
		if (limitedAddress !== undefined) cpu.spend(limitedAddress, cpuMs);
		if (outcome.kind !== "answer") throw unanswered(outcome);
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

/** A file has no place for `meta` but headers. */
const asFile = (body: Finished["body"], meta: Meta): Result => ({
	json: body,
	headers: { "x-row-count": String(meta.rows), "x-truncated": meta.truncated_by ?? "false" },
});
