/** A pattern for `ilike`: the text anywhere, in any case. The caller's `%` and `_` are themselves. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
