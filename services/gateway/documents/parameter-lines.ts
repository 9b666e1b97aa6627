/** Parameters as lines of a reference; those that mean the same as an earlier endpoint's are referred to. */
import type { Parameter } from "./parameters.ts";

/** Fewer in common are shorter listed than referred to. */
const worthReferring = 12;

export class ParameterLines {
	readonly #listed: { of: string; lines: ReadonlySet<string> }[] = [];

	/** Of the endpoint `of`. */
	of(of: string, parameters: Parameter[]): string[] {
		const lines = new Map(parameters.map((parameter) => [line(parameter), parameter.name]));
		const shared = ({ lines: theirs }: { lines: ReadonlySet<string> }) =>
			[...lines.keys()].filter((each) => theirs.has(each));
		const earlier = this.#listed.find((listed) => shared(listed).length >= worthReferring);
		this.#listed.push({ of, lines: new Set(lines.keys()) });
		if (earlier === undefined) return [...lines.keys()];
		const same = shared(earlier);
		const names = same.map((each) => `\`${lines.get(each)}\``).join(", ");
		return [`- as of ${earlier.of}: ${names}`, ...[...lines.keys()].filter((each) => !same.includes(each))];
	}
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
