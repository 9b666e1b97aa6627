/** `ingest --history`: lists that are older than the newest become a part of the history; the present stays as it is. */
import { basename } from "node:path";
import type { ProjectRegion } from "#libs/contract/vocabulary.ts";
import { readRegularFile } from "#libs/files/read-regular-file.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { UserError } from "#libs/service/program.ts";
import { backfillList } from "../../queues/jobs/backfill-list.ts";
import { exitCodes, ownerOf, type Printed, refused } from "../../queues/jobs/list-files.ts";
import { sourcesOf } from "../../queues/sources/index.ts";

export interface HistoryOptions {
	region: ProjectRegion | "LBNL" | undefined;
	/** ISO moment of the one file; null: the day that each file names. */
	asOf: string | null;
	/** The guards of plausibility are not asked. */
	accept: boolean;
	files: string[];
}

/** Whether these options ask for it. @throws UserError for options that do not go with it */
export function isHistory(
	values: { history?: boolean; source?: string; retract?: boolean; "as-of"?: string },
	files: number,
): boolean {
	if (!values.history) return false;
	if (values.source !== undefined || values.retract) throw new UserError("--history is of operators' lists alone");
	if (values["as-of"] !== undefined && files > 1)
		throw new UserError("--as-of is the day of one list: give one file, or files that name their days");
	return true;
}

/** Each file is a list of its own day; the outcome of each is a line of its own. */
export async function backfillAll(sql: Sql, options: HistoryOptions): Promise<number> {
	let code: number = exitCodes.applied;
	for (const path of options.files) {
		const result = await backfillOne(sql, options, path);
		console.log(JSON.stringify({ file: basename(path), ...result }));
		code = Math.max(code, exitCodes[result.outcome]);
	}
	return code;
}

async function backfillOne(sql: Sql, { region: given, asOf, accept }: HistoryOptions, path: string): Promise<Printed> {
	const owner = given === undefined ? await ownerOf([path]) : { region: given };
	if ("reason" in owner) return refused("unknown", asOf, owner.reason);
	if (owner.region === "LBNL") return refused("LBNL", asOf, "is no operator's list");
	const limit = Math.max(...sourcesOf(owner.region).map((source) => source.maxBytes));
	const read = await readRegularFile(path, limit);
	if (read.bytes === undefined) return refused(owner.region, asOf, `${path}: ${read.reason}`);
	return backfillList(sql, {
		region: owner.region,
		files: [{ name: basename(path), path, bytes: read.bytes }],
		asOf,
		accept,
	});
}
