/**
 * Characters with which a spreadsheet formula begins, some of them also in their full-width form. This is part of a regular expression that means
 * the same in JavaScript, PostgreSQL and DuckDB. This file imports nothing, because every child process of the query service loads it.
 */
export const formulaStart = "[-=+@＝＋－＠\\t\\r\\n]";
