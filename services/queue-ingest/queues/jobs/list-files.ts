/** Files of operators' lists that are loaded by hand: their operator, and the printed outcome. */
import { basename } from "node:path";
import type { ProjectRegion } from "#libs/contract/vocabulary.ts";
import { readRegularFile } from "#libs/files/read-regular-file.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { sources } from "../sources/index.ts";
import { recogniseAny } from "./files/recognise.ts";
import { type IngestResult, noChanges } from "./record-attempt.ts";

export const exitCodes = { applied: 0, backfilled: 0, unchanged: 0, quarantined: 3, failed: 1 } as const;
export type PrintedResult = Omit<IngestResult<keyof typeof exitCodes>, "region"> & { region: string };

/** Finds the operator that publishes all of the files, or the reason why there is none. */
export async function findOwner(
	paths: readonly string[],
): Promise<{ region: ProjectRegion | "LBNL" } | { reason: string }> {
	const owners = new Set<ProjectRegion | "LBNL">();
	for (const path of paths) {
		const read = await readRegularFile(path, Math.max(...sources.map((source) => source.maxBytes)));
		if (read.bytes === undefined) return { reason: `${path}: ${read.reason}` };
		try {
			const source = await recogniseAny({ name: basename(path), bytes: read.bytes });
			if (source === undefined)
				return { reason: `${path}: not recognised as an operator's list: name its --region or --source` };
			owners.add(source.region ?? "LBNL");
		} catch (error) {
			if (error instanceof StructureError) return { reason: error.message };
			throw error;
		}
	}
	const [region, ...others] = owners;
	return region === undefined || others.length > 0
		? { reason: `the files are lists of ${[...owners].join(" and ")}: load one operator's at a time` }
		: { region };
}

/** Outcome of a command that loads nothing. It is not recorded, so it raises no alert. */
export const refusedResult = (region: string, asOf: string | null, reason: string): PrintedResult => ({
	region,
	as_of: asOf,
	outcome: "failed",
	...noChanges,
	reason,
});
