/** Documented views of an owner's tables. Each view is a statement on the owner's schema. */
import type { z } from "zod";
import type { Database } from "#libs/contract/databases.ts";
import { noteOnField } from "#libs/contract/documents/field-notes/index.ts";
import { column, type ValueKind } from "#libs/contract/exports/columns.ts";
import type { Attributes } from "#libs/contract/records/field.ts";
import { type ProjectField, projectFields } from "#libs/contract/records/project.ts";

/** DuckDB's type of each kind of value. */
export const duckTypes = {
	string: "VARCHAR",
	double: "DOUBLE",
	int32: "INTEGER",
	int64: "BIGINT",
	boolean: "BOOLEAN",
	date: "DATE",
	timestamp: "TIMESTAMP WITH TIME ZONE",
	list: "VARCHAR[]",
	json: "JSON",
} as const satisfies Record<ValueKind, string>;
export type ColumnType = (typeof duckTypes)[ValueKind];

export interface ViewColumn {
	type: ColumnType;
	/** Meaning of the column, for a reader who knows the field. */
	description: string;
	/** Unit of a quantity: MW, USD, fraction. */
	unit: string | null;
}

export type Columns = Record<string, ViewColumn>;

export interface View {
	name: string;
	description: string;
	/** In the order of the statement's columns. */
	columns: Columns;
	/** Statement on tables of the owner's schema, without a semicolon. */
	sql: string;
	/** Sort columns: region and state first, so that queries can skip parts of a file. */
	order: readonly string[];
}

const createColumnType =
	(type: ColumnType) =>
	(description: string, unit: string | null = null): ViewColumn => ({ type, description, unit });

export const text = createColumnType("VARCHAR");
export const integer = createColumnType("INTEGER");
export const bigint = createColumnType("BIGINT");
export const double = createColumnType("DOUBLE");
export const boolean = createColumnType("BOOLEAN");
export const date = createColumnType("DATE");
/** A point in time, UTC. */
export const moment = createColumnType("TIMESTAMP WITH TIME ZONE");
export const texts = createColumnType("VARCHAR[]");
export const json = createColumnType("JSON");

export type Databases = Partial<Record<Database, readonly View[]>>;

/** Columns for these fields of a request, or for all if none is given. */
export function requestColumns(...names: readonly ProjectField[]): Columns {
	const shown = names.length > 0 ? names : (Object.keys(projectFields) as ProjectField[]);
	const columns = shown.map((name) => {
		const field: Attributes & { schema: z.ZodType } = projectFields[name];
		const { kind, unit, description } = column(name, field.schema);
		const texts = { description: field.column ?? description ?? "", unit: field.unit ?? unit };
		return [name, { type: duckTypes[field.stored ?? kind], ...texts }];
	});
	return Object.fromEntries(columns);
}

/**
 * Columns for these fields of a response's row (all if none is given), described as in OpenAPI. Integers have 32 bits; a view declares a
 * wider column itself.
 */
export function rowColumns<R extends z.ZodObject>(row: R, ...names: readonly (keyof R["shape"] & string)[]): Columns {
	const columns = (names.length > 0 ? names : Object.keys(row.shape)).map((name) => {
		const { kind, unit, values, description } = column(name, row.shape[name]);
		const text = description ?? noteOnField(name) ?? "";
		const allowedValues = values.every((value) => text.includes(String(value))) ? "" : `; one of ${values.join(", ")}`;
		return [name, { type: kind === "int64" ? "INTEGER" : duckTypes[kind], description: text + allowedValues, unit }];
	});
	return Object.fromEntries(columns);
}

/** Creates a view that selects from `from`: each column by its name, or by its expression in `computed`. */
export function viewOf(
	from: string,
	{ computed = {}, ...view }: Omit<View, "sql"> & { computed?: Readonly<Record<string, string>> },
): View {
	const columns = Object.keys(view.columns).map((name) => (computed[name] ? `${computed[name]} as ${name}` : name));
	return { ...view, sql: `select ${columns.join(", ")}\nfrom ${from}` };
}
