/** The parameters of a statement: `$name`, as POST /queries takes them. */
import type { Params } from "#libs/contract/index.ts";

export type Parameter = Params<"createSavedQuery">["parameters"][number];

export interface Declared {
	type: Parameter["type"];
	/** As it is typed; empty where a value has to be given. */
	initial: string;
}

export const types = ["text", "number", "date", "boolean"] as const satisfies readonly Parameter["type"][];

/** What is no statement is passed over: text in quotes or between dollars, quoted names, comments. */
const parts = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|(?<![\w$])\$([a-z_]\w*)/gi;

/** The names of a statement's parameters, each once, in their order. The interface checks them again. */
export function namesOf(sql: string): string[] {
	return [...new Set([...sql.matchAll(parts)].flatMap(([, , name]) => name ?? []))];
}

export const undeclared: Declared = { type: "text", initial: "" };

/** What is not of its type is left as text, which the interface refuses by name. */
export function parameterOf(name: string, { type, initial }: Declared): Parameter {
	if (initial === "") return { name, type };
	if (type === "number" && Number.isFinite(Number(initial))) return { name, type, default: Number(initial) };
	if (type === "boolean" && /^(true|false)$/.test(initial)) return { name, type, default: initial === "true" };
	return { name, type, default: initial };
}

/** The address that runs a saved query: what has no default is to be filled in. */
export function addressOf(
	origin: string,
	id: number,
	parameters: readonly Pick<Parameter, "name" | "default">[],
): string {
	const open = parameters.filter((parameter) => parameter.default === undefined).map(({ name }) => `${name}=`);
	return `${origin}/queries/${id}/run${open.length > 0 ? `?${open.join("&")}` : ""}`;
}
