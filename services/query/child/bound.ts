/** Values of parameters as DuckDB binds them to a prepared statement, each of the type that was declared. */
import { BOOLEAN, DATE, DOUBLE, DuckDBDateValue, type DuckDBType, type DuckDBValue, VARCHAR } from "@duckdb/node-api";
import type { BoundValue, ParameterType } from "#libs/contract/operations/query/saved-query-values.ts";

const types: Record<ParameterType, DuckDBType> = { text: VARCHAR, number: DOUBLE, date: DATE, boolean: BOOLEAN };
const dayMs = 86_400_000;

/** The values and their types, by name. */
export function bindValues(values: readonly BoundValue[]): [Record<string, DuckDBValue>, Record<string, DuckDBType>] {
	return [
		Object.fromEntries(values.map(({ name, type, value }) => [name, type === "date" ? dayOf(value) : value])),
		Object.fromEntries(values.map(({ name, type }) => [name, types[type]])),
	];
}

const dayOf = (value: BoundValue["value"]): DuckDBValue =>
	value === null ? null : new DuckDBDateValue(Date.parse(`${value}T00:00:00Z`) / dayMs);
