/** The project as a table with typed columns: what an export holds. */
import { type Column, chosenColumns, exportTable } from "../columns.ts";
import { project } from "./project.ts";

/**
 * Raised whenever a column is added, removed, moved or changes its meaning; the part before the point where readers of the earlier version
 * would fail. A test holds it against the columns.
 */
export const projectSchemaVersion = "1.3";

export const projectTable = exportTable("projects", projectSchemaVersion, project);
export const projectColumns = projectTable.columns;

/** Of what changed since: then a request that is gone has an id and nothing else. */
export function exportedColumns(
	fields: readonly string[] | undefined,
	afterSeq: number | undefined,
): readonly Column[] {
	const columns = chosenColumns(projectTable, fields);
	return afterSeq === undefined ? columns : withDeleted(columns);
}

const deleted: Column = {
	name: "deleted",
	type: "boolean",
	nullable: false,
	unit: null,
	description: "Gone for good: the row says nothing but its id",
};

const withDeleted = (columns: readonly Column[]): readonly Column[] => [
	...columns.map((column) => (column.name === "id" ? column : { ...column, nullable: true })),
	deleted,
];
