/** The typed columns of exported projects. */
import { z } from "zod";
import { type Column, chosenColumns, defineExportTable } from "../../exports/columns.ts";
import { type ExportFormat, shownFields } from "../../exports/files.ts";
import { project } from "../../records/project.ts";
import { scoreOfDay } from "./project.ts";

/**
 * Version of the columns. Raise it when a column is added, removed or moved, or changes its meaning; raise the major version if programs for the
 * earlier version would fail. A test compares it with the columns.
 */
export const projectSchemaVersion = "1.7";

export const projectTable = defineExportTable("projects", projectSchemaVersion, project);
export const projectColumns = projectTable.columns;

interface Exported {
	fields?: readonly string[] | undefined;
	after_seq?: number | undefined;
	as_of?: string | undefined;
	format?: ExportFormat | undefined;
}

/**
 * The exported columns. With `after_seq`, all columns except the ID can be null, because a deleted request has only an ID. With `as_of`, additional
 * columns state which scores the rows contain.
 */
export function exportedColumns({ after_seq, as_of, format, ...requested }: Exported): readonly Column[] {
	const fields = shownFields(requested.fields, format);
	if (as_of !== undefined) return chosenColumns([...projectColumns(), ...scoresOfDay.columns()], fields);
	const columns = chosenColumns(projectColumns(), fields);
	return after_seq === undefined ? columns : withDeleted(columns);
}

const scoresOfDay = defineExportTable("scores_of_day", projectSchemaVersion, z.strictObject(scoreOfDay));

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
