/** Reads the arguments of the operator's commands. A wrong argument is a 400 with one sentence, which never repeats a secret. */
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import type { z } from "zod";
import { badRequest } from "#libs/contract/errors.ts";

export interface Wanted<O extends string, F extends string> {
	/** Options with a value. */
	options?: readonly O[];
	/** Options without one. */
	flags?: readonly F[];
	/** Name of the positional argument in messages: `ID`. */
	named?: string;
}

export interface Arguments<O extends string, F extends string> {
	named: string;
	values: Partial<Record<O, string>>;
	flags: ReadonlySet<F>;
}

/** @throws AppError 400 for an unknown option and for a missing or extra positional argument. */
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
		// After the first sentence Node.js adds advice on its own notation.
		const [message = ""] = reason.split(/\.\s|\n/);
		throw badRequest(message.replace(/(pk|cr)_\w+/g, "$1_..."));
	}
}

/** Parses the value of an option. @throws AppError 400 */
export function readOption<S extends z.ZodType>(option: string, schema: S, value: string | undefined): z.output<S> {
	const read = schema.safeParse(value);
	if (read.success) return read.data;
	throw badRequest(`--${option} ${value === undefined ? "is missing" : (read.error.issues[0]?.message ?? "is wrong")}`);
}
