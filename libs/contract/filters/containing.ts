/** A pattern for `ilike`: the text anywhere, in any case, with `%` and `_` escaped. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
