/**
 * Characters with which a spreadsheet formula begins, in some languages also in their full-width form: a part of a regular expression, for
 * PostgreSQL too. This file imports nothing, because each process for statements loads it.
 */
export const formulaStart = "[-=+@＝＋－＠\\t\\r\\n]";
