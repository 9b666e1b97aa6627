/** The project as a table with typed columns: what an export holds. */
import { z } from "zod";
import { type Column, chosenColumns, exportTable } from "../../exports/columns.ts";
import { type ExportFormat, shownFields } from "../../exports/files.ts";
import { project } from "../../records/project.ts";
import { scoreOfDay } from "./project.ts";

/**
 * Raised whenever a column is added, removed, moved or changes its meaning; the part before the point where readers of the earlier version
 * would fail. A test holds it against the columns.
 */
export const projectSchemaVersion = "1.5";

export const projectTable = exportTable("projects", projectSchemaVersion, project);
export const projectColumns = projectTable.columns;

interface Exported {
	fields?: readonly string[] | undefined;
	after_seq?: number | undefined;
	as_of?: string | undefined;
	format?: ExportFormat | undefined;
}

/** With `after_seq`, a deleted request has an id and nothing else. With `as_of`, rows say which scores they carry. */
export function exportedColumns({ after_seq, as_of, format, ...asked }: Exported): readonly Column[] {
	const fields = shownFields(asked.fields, format);
	const columns = chosenColumns(projectTable, fields);
	if (as_of !== undefined) return [...columns, ...chosenColumns(scoresOfDay, fields)];
	return after_seq === undefined ? columns : withDeleted(columns);
}

const scoresOfDay = exportTable("scores_of_day", projectSchemaVersion, z.strictObject(scoreOfDay));

const deleted: Column = {
	name: "deleted",
	type: "boolean",
	nullable: false,
	unit: null,
	description: "Permanently removed: only the id of the row is set",
};

const withDeleted = (columns: readonly Column[]): readonly Column[] => [
	...columns.map((column) => (column.name === "id" ? column : { ...column, nullable: true })),
	deleted,
];
