import { columnName } from "#libs/files/table.ts";
import type { Layout } from "./reference.ts";

/** @param columns positions, the deciding one first; one that the file does not have is left in its place without a header */
export const layoutOf = (
	sheet: string | null,
	headers: readonly string[],
	columns: readonly (number | undefined)[],
): Layout => ({
	sheet,
	columns: columns.map((at = -1) => ({ column: columnName(Math.max(at, 0), sheet), header: headers[at] ?? null })),
});
