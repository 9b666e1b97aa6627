/** Documented views of an owner's tables, each a statement over its own schema. */
import type { Database } from "#libs/contract/databases.ts";
import type { ValueKind } from "#libs/contract/exports/columns.ts";

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
	/** Its meaning, for a reader who knows the field. */
	description: string;
	/** Unit of a quantity: MW, USD, fraction. */
	unit: string | null;
}

export interface View {
	name: string;
	description: string;
	/** In the order of the statement's columns. */
	columns: Record<string, ViewColumn>;
	/** Over tables of the owner's schema, without a semicolon. */
	sql: string;
	/** Sort columns: region and state first, so that a reader can skip parts of a file. */
	order: readonly string[];
}

const column =
	(type: ColumnType) =>
	(description: string, unit: string | null = null): ViewColumn => ({ type, description, unit });

export const text = column("VARCHAR");
export const integer = column("INTEGER");
export const bigint = column("BIGINT");
export const double = column("DOUBLE");
export const boolean = column("BOOLEAN");
export const date = column("DATE");
/** A point in time, UTC. */
export const moment = column("TIMESTAMP WITH TIME ZONE");
export const texts = column("VARCHAR[]");
export const json = column("JSON");

export type Databases = Partial<Record<Database, readonly View[]>>;
