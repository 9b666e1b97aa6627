/**
 * Characters with which a spreadsheet formula begins, some of them also in their full-width form. It is a part of a regular expression, and
 * PostgreSQL and DuckDB read it alike. This file imports nothing, because every child process of the query service loads it.
 */
export const formulaStart = "[-=+@＝＋－＠\\t\\r\\n]";
