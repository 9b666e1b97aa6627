/** Views whose columns are those of a relation. */
import type { View } from "#libs/parquet/view.ts";

/** A view over the text after `from`: each column by its name, or by its expression in `computed`. */
export function viewOf(
	from: string,
	{ computed = {}, ...view }: Omit<View, "sql"> & { computed?: Readonly<Record<string, string>> },
): View {
	const columns = Object.keys(view.columns).map((name) => (computed[name] ? `${computed[name]} as ${name}` : name));
	return { ...view, sql: `select ${columns.join(", ")}\nfrom ${from}` };
}
