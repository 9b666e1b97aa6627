/** The schema that statements can use. */
import type { Reply } from "#libs/contract/index.ts";

export type Schema = Reply<"getQuerySchema">;
export type DatabaseSchema = Schema["databases"][number];
export type ViewSchema = DatabaseSchema["views"][number];
export type ColumnSchema = ViewSchema["columns"][number];
export type MacroSchema = Schema["macros"][number];
export type DatabaseName = DatabaseSchema["name"];

export const kindOf = ({ type, unit }: Pick<ColumnSchema, "type" | "unit">): string =>
	unit === null ? type : `${type}, ${unit}`;

export const identifier = (name: string): string =>
	/^[a-z_][a-z0-9_]*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
