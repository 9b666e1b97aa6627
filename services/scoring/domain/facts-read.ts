/** Which fields of a request something is computed from: those that are read meanwhile. Pure. */
import { project } from "#libs/contract/records/project.ts";
import type { ProjectFacts } from "./facts.ts";

/** Facts that are no field of the same name. */
const otherNames = new Map(
	Object.entries<readonly string[]>({
		project_id: [],
		facts_as_of: [],
		located: ["lat", "lon"],
		cod_changes: ["cod"],
	}),
);

/** The names of fields, in the order of the contract. */
export function fieldsRead(facts: ProjectFacts, compute: (facts: ProjectFacts) => unknown): string[] {
	const read = new Set<string>();
	compute(
		new Proxy(facts, {
			get(of, name) {
				if (typeof name === "string") for (const field of otherNames.get(name) ?? [name]) read.add(field);
				return Reflect.get(of, name);
			},
		}),
	);
	return Object.keys(project.shape).filter((field) => read.has(field));
}
