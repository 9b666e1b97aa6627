/** Reads the arguments of the operator's commands. What is wrong is a 400 of one sentence, which never repeats a secret. */
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import type { z } from "zod";
import { badRequest } from "#libs/contract/errors.ts";

export interface Wanted<O extends string, F extends string> {
	/** Options with a value. */
	options?: readonly O[];
	/** Options without one. */
	flags?: readonly F[];
	/** What is to be named without an option: `ID`. */
	named?: string;
}

export interface Arguments<O extends string, F extends string> {
	named: string;
	values: Partial<Record<O, string>>;
	flags: ReadonlySet<F>;
}

/** @throws AppError 400 for an option that the command does not have, and for too much or too little besides. */
export function readArguments<O extends string = never, F extends string = never>(
	args: string[],
	{ options = [], flags = [], named: wants }: Wanted<O, F>,
): Arguments<O, F> {
	const config: ParseArgsOptionsConfig = Object.fromEntries([
		...options.map((name) => [name, { type: "string" }] as const),
		...flags.map((name) => [name, { type: "boolean" }] as const),
	]);
	const { values, positionals } = parse(args, config);
	const [named = "", ...more] = positionals;
	if (wants === undefined && positionals.length > 0)
		throw badRequest("every argument of this command is an option (--...)");
	if (wants !== undefined && (named === "" || more.length > 0)) throw badRequest(`name one ${wants}`);
	const given = flags.filter((name) => values[name] === true);
	return { named, values: values as Partial<Record<O, string>>, flags: new Set(given) };
}

function parse(args: string[], options: ParseArgsOptionsConfig) {
	try {
		return parseArgs({ args, options, allowPositionals: true });
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		// What follows the first sentence is advice of Node.js on its own ways of writing.
		const [said = ""] = reason.split(/\.\s|\n/);
		throw badRequest(said.replace(/(pk|cr)_\w+/g, "$1_..."));
	}
}

/** The value of an option, read. @throws AppError 400 */
export function readOption<S extends z.ZodType>(option: string, schema: S, value: string | undefined): z.output<S> {
	const read = schema.safeParse(value);
	if (read.success) return read.data;
	throw badRequest(`--${option} ${value === undefined ? "is missing" : (read.error.issues[0]?.message ?? "is wrong")}`);
}
