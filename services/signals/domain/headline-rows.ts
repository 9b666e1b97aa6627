/** Headlines out of a CSV file, with a person's labels where it has them. Pure. */
import { readCsv } from "#libs/files/csv.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Labelled } from "./evaluate.ts";
import type { Findable } from "./find-developers.ts";

export type HeadlineRow = Findable & Labelled;

const labels = ["expected_type", "expected_developer"];

/** Columns by name: `title`, and `url` and `domain` where present. Throws `StructureError` when one is missing, or labels are and `labelled`. */
export function readHeadlines(bytes: Uint8Array, name: string, labelled: boolean): HeadlineRow[] {
	const [header = [], ...records] = readCsv(bytes, name).rows;
	const at = (column: string): number => header.findIndex((cell) => String(cell).trim().toLowerCase() === column);
	const missing = ["title", ...(labelled ? labels : [])].filter((column) => at(column) < 0);
	if (missing.length > 0) throw new StructureError(`${name}: has no column ${missing.join(", ")}`);
	return records.map((record) => {
		const cell = (column: string): string => String(record[at(column)] ?? "");
		return {
			title: cell("title"),
			url: cell("url"),
			domain: cell("domain"),
			organizations: [],
			snippet: null,
			expectedType: cell("expected_type"),
			expectedDevelopers: cell("expected_developer")
				.split(";")
				.map((developer) => developer.trim())
				.filter((developer) => developer !== ""),
		};
	});
}
