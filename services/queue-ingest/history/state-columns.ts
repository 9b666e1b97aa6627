/**
 * Columns of a request's state: those of `projects` except the id, the version, the text for searches and values that past states lack.
 */
import { fieldsOfProject } from "#libs/contract/records/project.ts";

type Kept = "disappeared_at" | "as_filed" | "key" | "unit" | "row_hash";
type Shown = Exclude<(typeof fieldsOfProject)[number]["name"], "id" | "version">;

export const stateColumns: readonly (Shown | Kept)[] = [
	...fieldsOfProject.flatMap(({ name }) => (name === "id" || name === "version" ? [] : [name])),
	...(["disappeared_at", "as_filed", "key", "unit", "row_hash"] as const),
];
