/** Quotes values and names for DuckDB. This file imports nothing, because every child process of the query service loads it. */

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
