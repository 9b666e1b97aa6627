/** What statements can name, as the interface describes it. */
import type { Reply } from "#libs/contract/index.ts";

export type Schema = Reply<"getQuerySchema">;
export type DatabaseSchema = Schema["databases"][number];
export type ViewSchema = DatabaseSchema["views"][number];
export type ColumnSchema = ViewSchema["columns"][number];
export type MacroSchema = Schema["macros"][number];
export type DatabaseName = DatabaseSchema["name"];

/** Type and unit of a column. */
export const kindOf = ({ type, unit }: Pick<ColumnSchema, "type" | "unit">): string =>
	unit === null ? type : `${type}, ${unit}`;

/** The word as it has to be written in a statement. */
export const identifier = (name: string): string =>
	/^[a-z_][a-z0-9_]*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
