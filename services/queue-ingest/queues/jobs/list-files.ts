/** Finds the operator of list files that are loaded by hand, and defines the outcome that is printed. */
import { basename } from "node:path";
import type { ProjectRegion } from "#libs/contract/vocabulary.ts";
import { readRegularFile } from "#libs/files/read-regular-file.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { sources } from "../sources/index.ts";
import { recogniseAny } from "./files/recognise.ts";
import { type IngestResult, noChanges } from "./record-attempt.ts";

export const exitCodes = { applied: 0, backfilled: 0, unchanged: 0, quarantined: 3, failed: 1 } as const;
export type PrintedResult = Omit<IngestResult<keyof typeof exitCodes>, "region"> & { region: string };

/** Finds the operator that publishes all of the files. If there is none, returns the reason. */
export async function findOwner(
	paths: readonly string[],
): Promise<{ region: ProjectRegion | "LBNL" } | { reason: string }> {
	const owners = new Set<ProjectRegion | "LBNL">();
	for (const path of paths) {
		const file = await readRegularFile(path, Math.max(...sources.map((source) => source.maxBytes)));
		if (file.bytes === undefined) return { reason: `${path}: ${file.reason}` };
		try {
			const source = await recogniseAny({ name: basename(path), bytes: file.bytes });
			if (source === undefined)
				return { reason: `${path}: not recognized as an operator's list: give its --region or --source` };
			owners.add(source.region ?? "LBNL");
		} catch (error) {
			if (error instanceof StructureError) return { reason: error.message };
			throw error;
		}
	}
	const [region, ...others] = owners;
	return region === undefined || others.length > 0
		? { reason: `the files are lists of ${[...owners].join(" and ")}: load the lists of one operator at a time` }
		: { region };
}

/** Returns the outcome of a command that loaded nothing. Nothing is recorded, so no alert is raised. */
export const toRefusedResult = (region: string, asOf: string | null, reason: string): PrintedResult => ({
	region,
	as_of: asOf,
	outcome: "failed",
	...noChanges,
	reason,
});
