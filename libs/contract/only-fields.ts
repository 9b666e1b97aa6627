/** The fields of a row that a caller chose, in the row's order; without a choice the row itself. Pure. */
export function onlyFields<R extends object>(row: R, fields: readonly string[] | undefined): Partial<R> {
	if (fields === undefined) return row;
	return Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name))) as Partial<R>;
}
