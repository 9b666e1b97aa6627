/** Typed columns of an exported file, derived from the fields of its rows' JSON. */
import { z } from "zod";
import type { JsonSchema } from "../schemas/json-schema.ts";

/** Kind of a value; `json` is written to files as text. */
export type ValueKind = Column["type"] | "json";

export const columnTypes = ["string", "double", "int32", "int64", "boolean", "date", "timestamp", "list"] as const;

export interface Column {
	name: string;
	/** `list` is a list of strings; `timestamp` is in UTC, to the second. */
	type: (typeof columnTypes)[number];
	nullable: boolean;
	unit: string | null;
	description: string | null;
}

export interface ExportTable {
	/** Name of the root of the Parquet schema. */
	name: string;
	/** Version of the columns. A test checks that it is raised when they change. */
	schemaVersion: string;
	/** Columns, in their order in every file. */
	columns(): readonly Column[];
}

/** Declares a table whose columns are computed at the first use, because most processes never use them. */
export function defineExportTable(name: string, schemaVersion: string, row: z.ZodObject): ExportTable {
	let columns: readonly Column[] | undefined;
	return {
		name,
		schemaVersion,
		columns() {
			columns ??= Object.entries(row.shape).map(([name, field]) => {
				const { kind: _, values: __, ...shown } = column(name, field as z.ZodType);
				return shown;
			});
			return columns;
		},
	};
}

/** The fields of a row that a caller selected, in the row's order; all if none are selected. Pure. */
export function onlyFields<R extends object>(row: R, fields: readonly string[] | undefined): Partial<R> {
	if (fields === undefined) return row;
	return Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name))) as Partial<R>;
}

/** The columns that a caller selected, in the selected order; all if none are selected. */
export const chosenColumns = (columns: readonly Column[], fields: readonly string[] | undefined): readonly Column[] =>
	fields === undefined ? columns : fields.flatMap((field) => columns.find(({ name }) => name === field) ?? []);

/** Derives the column of a field. `values` are the allowed values of a coded field; it is empty for other fields. */
export function column(name: string, field: z.ZodType): Column & { kind: ValueKind; values: readonly unknown[] } {
	const parts = flat(z.toJSONSchema(field) as JsonSchema);
	const typed = parts.flatMap((part) => [part.type ?? []].flat().map((type) => ({ ...part, type })));
	const value = typed.find(({ type }) => type !== "null");
	if (value === undefined) throw new Error(`the schema of the field ${name} has no type that a column can have`);
	const annotation = (key: "x-unit" | "description") => parts.find((part) => part[key] !== undefined)?.[key] ?? null;
	const kind = kindOf(value);
	const isCode = typed.every(({ type, enum: values }) => type === "null" || values !== undefined);
	return {
		name,
		kind,
		values: isCode ? typed.flatMap((part) => part.enum ?? []) : [],
		type: kind === "json" ? "string" : kind,
		nullable: typed.some(({ type }) => type === "null"),
		unit: annotation("x-unit"),
		description: annotation("description"),
	};
}

/** A schema, followed by its alternatives. An annotation of an earlier schema takes precedence. */
const flat = (schema: JsonSchema): JsonSchema[] => [schema, ...(schema.anyOf ?? []).flatMap(flat)];

function kindOf({ type, format, items, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema & { type: string }): ValueKind {
	if (type === "number") return "double";
	if (type === "integer") return maximum < 2 ** 31 ? "int32" : "int64";
	if (type === "boolean") return "boolean";
	if (type === "array") return items?.type === "object" ? "json" : "list";
	if (format === "date") return "date";
	return format === "date-time" ? "timestamp" : "string";
}
