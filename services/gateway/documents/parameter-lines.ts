/** Parameters as lines of a reference; those that mean the same as an earlier endpoint's are referred to. */
import type { Parameter } from "./parameters.ts";

/** Fewer in common are shorter listed than referred to; of all that an endpoint has, than named with it. */
const worthNaming = 12;
const worthReferring = 4;

interface Listed {
	of: string;
	/** Names of parameters by their lines. */
	lines: ReadonlyMap<string, string>;
}

export class ParameterLines {
	readonly #listed: Listed[] = [];

	/** Of the endpoint `of`. */
	of(of: string, parameters: Parameter[]): string[] {
		const lines = new Map(parameters.map((parameter) => [line(parameter), parameter.name]));
		const sharedWith = (listed: Listed) => [...lines.keys()].filter((each) => listed.lines.has(each));
		const [earlier] = this.#listed
			.map((listed) => ({ listed, shared: sharedWith(listed) }))
			.sort((one, other) => other.shared.length - one.shared.length);
		this.#listed.push({ of, lines });
		const reference = earlier && referenceTo(earlier.listed, earlier.shared);
		if (reference === undefined) return [...lines.keys()];
		return [reference, ...[...lines.keys()].filter((each) => !earlier?.shared.includes(each))];
	}
}

/** Undefined where it would be longer than what it stands for. */
function referenceTo({ of, lines }: Listed, shared: readonly string[]): string | undefined {
	const namesOf = (some: readonly string[]) => some.map((each) => `\`${lines.get(each)}\``).join(", ");
	const others = [...lines.keys()].filter((each) => !shared.includes(each));
	if (shared.length >= worthReferring && others.length === 0) return `- all of ${of}`;
	if (shared.length < worthNaming) return undefined;
	return others.length < shared.length / 2
		? `- all of ${of} but ${namesOf(others)}`
		: `- as of ${of}: ${namesOf(shared)}`;
}

function line({ name, in: place, type, required, unit, allowed, default: usual, description }: Parameter): string {
	const traits = [
		place === "path" ? `${type} in the path` : type,
		...(required ? ["required"] : []),
		...(allowed === null ? [] : [allowed]),
		...(usual === null ? [] : [`default ${usual}`]),
	];
	return `- \`${name}\` (${traits.join("; ")})${unit === null ? "" : ` [${unit}]`}: ${description}`;
}
