/** Reads commands and prints results, for `npm run admin -- keys` and `npm run admin -- payments`. */
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import type { z } from "zod";
import { AppError, badRequest, conflict, notFound } from "#libs/contract/errors.ts";
import { hintOf, isSecret } from "#libs/contract/key.ts";
import { connect, type Sql, type Transaction } from "#libs/postgres/connect.ts";
import { databaseUrl, exitCodeOf, UserError } from "#libs/service/program.ts";
import { schema } from "../../migrate.ts";

/** Runs a command. @returns the text to print. @throws AppError for errors that the operator can correct */
export type Action = (sql: Sql, at: Date) => Promise<string>;

export interface Command {
	usage: string;
	description: string;
	/** Reads the arguments before any query runs. @throws AppError 400 if the arguments are wrong */
	read(args: string[]): Action;
}

interface Program {
	name: string;
	commands: Readonly<Record<string, Command>>;
	notes: string;
}

/** Prints the result to stdout and errors to stderr. @returns the exit code */
export function runCommand(program: Program, args: string[], env: NodeJS.ProcessEnv, now: () => Date): Promise<number> {
	const main = async () => {
		try {
			console.log(await perform(program, args, env, now));
		} catch (error) {
			throw error instanceof AppError ? new UserError(error.message) : error;
		}
		return 0;
	};
	return exitCodeOf(main, args, env);
}

async function perform(program: Program, args: string[], env: NodeJS.ProcessEnv, now: () => Date): Promise<string> {
	const { name, commands } = program;
	const [commandName = "", ...rest] = args;
	if (["help", "--help", "-h"].includes(commandName)) return usageText(program);
	const command = Object.hasOwn(commands, commandName) ? commands[commandName] : undefined;
	if (command === undefined) throw badRequest(usageText(program));
	const action = readCommand(name, command, rest);
	await using sql = connect(databaseUrl(env), { schema, name, max: 1 });
	return await action(sql, now());
}

const usageText = ({ name, commands, notes }: Program): string => `usage: npm run admin -- ${name} COMMAND
${Object.values(commands)
	.map(({ usage, description }) => `\n  ${usage}\n      ${description}`)
	.join("")}

${notes}`;

/** Adds the command's usage line to errors in its arguments. */
function readCommand(program: string, { usage, read }: Command, args: string[]): Action {
	try {
		return read(args);
	} catch (error) {
		throw error instanceof AppError
			? badRequest(`${error.message}\nusage: npm run admin -- ${program} ${usage}`)
			: error;
	}
}

interface ArgumentSpec<O extends string, F extends string> {
	options?: readonly O[];
	flags?: readonly F[];
	/** Name of the positional argument in messages, such as `ID`; absent if the command has none. */
	positional?: string;
}

/** @throws AppError 400 if an option is unknown, or the positional argument is missing or repeated; the message never contains a secret */
export function readArguments<O extends string = never, F extends string = never>(
	args: string[],
	{ options = [], flags = [], positional }: ArgumentSpec<O, F>,
) {
	const config: ParseArgsOptionsConfig = Object.fromEntries([
		...options.map((name) => [name, { type: "string" }] as const),
		...flags.map((name) => [name, { type: "boolean" }] as const),
	]);
	const { values, positionals } = parse(args, config);
	const [argument = "", ...extra] = positionals;
	if (positional === undefined && positionals.length > 0) throw badRequest("this command takes only options (--...)");
	if (positional !== undefined && (argument === "" || extra.length > 0))
		throw badRequest(`pass exactly one ${positional}`);
	const setFlags = flags.filter((name) => values[name] === true);
	return { argument, values: values as Partial<Record<O, string>>, flags: new Set(setFlags) };
}

function parse(args: string[], options: ParseArgsOptionsConfig) {
	try {
		return parseArgs({ args, options, allowPositionals: true });
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		// Drops the rest of the message, in which Node.js gives advice on its syntax.
		const [message = ""] = reason.split(/\.\s|\n/);
		throw badRequest(message.replace(/(pk|cr)_\w+/g, "$1_..."));
	}
}

export function readOption<S extends z.ZodType>(option: string, schema: S, value: string | undefined): z.output<S> {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	throw badRequest(
		`--${option} ${value === undefined ? "is missing" : (parsed.error.issues[0]?.message ?? "is wrong")}`,
	);
}

export const readOptional = <S extends z.ZodType>(option: string, schema: S, value: string | undefined) =>
	value === undefined ? null : readOption(option, schema, value);

const hintedTables = { keys: { prefix: "pk_", what: "key" }, credits: { prefix: "cr_", what: "token" } } as const;

/** Finds a row by its id, its hint (with `...` or `…`) or the whole secret. @throws AppError 404; 409 if several rows have the hint */
export async function findByHint(
	sql: Sql | Transaction,
	table: keyof typeof hintedTables,
	argument: string,
): Promise<number> {
	const { prefix, what } = hintedTables[table];
	const hint = isSecret(argument, prefix) ? hintOf(argument) : argument.replace("...", "…");
	const chosen = isId(argument) ? sql`id = ${Number(argument)}` : sql`hint = ${hint}`;
	const found = await sql<{ id: number }[]>`select id from ${sql(table)} where ${chosen} order by id limit 10`;
	return onlyMatch(found, what, "id or hint");
}

export const isId = (argument: string): boolean => /^\d{1,15}$/.test(argument);

export function onlyMatch(found: readonly { id: number }[], what: string, by: string): number {
	const [first, ...others] = found;
	if (first === undefined) throw notFound(`no ${what} has this ${by}`);
	if (others.length > 0)
		throw conflict(`several ${what}s match: choose one by its id (${found.map(({ id }) => id).join(", ")})`);
	return first.id;
}

type Row = Record<string, unknown>;

export function printTable(columns: readonly string[], rows: readonly Row[]): string {
	const lines = [columns, ...rows.map((row) => columns.map((column) => textOf(row[column])))];
	const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
	const print = (line: readonly string[]) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ");
	return lines.map((line) => print(line).trimEnd()).join("\n");
}

export function printFields(fields: Row): string {
	const shownFields = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
	const width = Math.max(...shownFields.map(([name]) => name.length));
	return shownFields.map(([name, value]) => `${name.padEnd(width)}  ${textOf(value)}`).join("\n");
}

/** Replaces control and direction characters with question marks, so that third parties' text cannot control the terminal. */
const textOf = (value: unknown): string => String(value ?? "").replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");
