/** The project as a table with typed columns: what an export holds, derived from the fields of its JSON. */
import { z } from "zod";
import { project } from "./project.ts";

export const columnTypes = ["string", "double", "int32", "int64", "boolean", "date", "timestamp", "list"] as const;

export interface Column {
	name: string;
	/** `list`: of strings. `timestamp`: to the second, UTC. */
	type: (typeof columnTypes)[number];
	nullable: boolean;
	unit: string | null;
	description: string | null;
}

/**
 * Raised whenever a column is added, removed, moved or changes its meaning; the part before the point where readers of the earlier version
 * would fail. A test holds it against the columns.
 */
export const projectSchemaVersion = "1.3";

interface JsonSchema {
	type?: string | string[];
	format?: string;
	maximum?: number;
	description?: string;
	"x-unit"?: string;
	anyOf?: JsonSchema[];
}

let columns: readonly Column[] | undefined;

/** In the order of every file. Computed at the first use: most processes never use it. */
export function projectColumns(): readonly Column[] {
	columns ??= Object.entries(project.shape).map(([name, field]) => column(name, z.toJSONSchema(field) as JsonSchema));
	return columns;
}

/** Those that a caller chose, in the same order; all without a choice. */
export const chosenColumns = (fields: readonly string[] | undefined): readonly Column[] =>
	projectColumns().filter(({ name }) => fields === undefined || fields.includes(name));

function column(name: string, schema: JsonSchema): Column {
	const parts = flat(schema);
	const typed = parts.flatMap((part) => [part.type ?? []].flat().map((type) => ({ ...part, type })));
	const value = typed.find(({ type }) => type !== "null");
	if (value === undefined) throw new Error(`${name} has no type that a column could have`);
	const say = (key: "x-unit" | "description") => parts.find((part) => part[key] !== undefined)?.[key] ?? null;
	return {
		name,
		type: typeOf(value),
		nullable: typed.some(({ type }) => type === "null"),
		unit: say("x-unit"),
		description: say("description"),
	};
}

/** A schema and its alternatives, the outermost first: its own annotations take precedence. */
const flat = (schema: JsonSchema): JsonSchema[] => [schema, ...(schema.anyOf ?? []).flatMap(flat)];

function typeOf({ type, format, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema & { type: string }): Column["type"] {
	if (type === "number") return "double";
	if (type === "integer") return maximum < 2 ** 31 ? "int32" : "int64";
	if (type === "boolean") return "boolean";
	if (type === "array") return "list";
	if (format === "date") return "date";
	return format === "date-time" ? "timestamp" : "string";
}
