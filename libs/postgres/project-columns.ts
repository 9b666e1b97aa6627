/** PostgreSQL columns of the fields of requests. */
import { column, type ValueKind } from "#libs/contract/exports/columns.ts";
import { fieldsOfProject, type ProjectField } from "#libs/contract/records/project.ts";

const types = {
	string: "text",
	double: "float8",
	int32: "integer",
	int64: "bigint",
	boolean: "boolean",
	date: "date",
	timestamp: "timestamptz",
	list: "text[]",
	json: "jsonb",
} as const satisfies Record<ValueKind, string>;
export type ColumnType = (typeof types)[ValueKind];

export const columnTypes = Object.fromEntries(
	fieldsOfProject.map(({ name, schema, stored }) => [name, types[stored ?? column(name, schema).kind]]),
) as Record<ProjectField, ColumnType>;

/** Declares columns for a table or a record set: "name text, state text". */
export const declaredColumns = (names: readonly ProjectField[]): string =>
	names.map((name) => `${name} ${columnTypes[name]}`).join(", ");
