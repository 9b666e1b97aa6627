/** Quotes values and names for DuckDB. This file imports nothing, because each process for statements loads it. */

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
