/** Parameters of statements (`$name`), in the form that POST /queries accepts. */
import type { Params } from "#libs/contract/index.ts";

export type Parameter = Params<"createSavedQuery">["parameters"][number];

export interface Declared {
	type: Parameter["type"];
	/** The default as entered; empty if there is none. */
	initial: string;
}

export const types = ["text", "number", "date", "boolean"] as const satisfies readonly Parameter["type"][];

/** Matches strings, quoted names and comments before parameters, so that no parameter is found inside them. */
const parts = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|(?<![\w$])\$([a-z_]\w*)/gi;

export function namesOf(sql: string): string[] {
	return [...new Set([...sql.matchAll(parts)].flatMap(([, , name]) => name ?? []))];
}

export const undeclared: Declared = { type: "text", initial: "" };

/** Creates a parameter. A default that cannot be converted to its type remains a text, so that the API refuses it with an explanation. */
export function parameterOf(name: string, { type, initial }: Declared): Parameter {
	if (initial === "") return { name, type };
	if (type === "number" && Number.isFinite(Number(initial))) return { name, type, default: Number(initial) };
	if (type === "boolean" && /^(true|false)$/.test(initial)) return { name, type, default: initial === "true" };
	return { name, type, default: initial };
}

/** The URL that runs a saved query, with an empty value for each parameter that has no default. */
export function savedQueryAddress(
	origin: string,
	id: number,
	parameters: readonly Pick<Parameter, "name" | "default">[],
): string {
	const open = parameters.filter((parameter) => parameter.default === undefined).map(({ name }) => `${name}=`);
	return `${origin}/queries/${id}/run${open.length > 0 ? `?${open.join("&")}` : ""}`;
}
