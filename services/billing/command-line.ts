/** An operator's command line against the running system's database: what `keys.ts` and `payments.ts` have in common. */
import { AppError, badRequest } from "#libs/contract/errors.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { databaseUrl, exitCodeOf, UserError } from "#libs/service/program.ts";
import { schema } from "./migrate.ts";

/** @returns the text to print. @throws AppError for errors that the operator can correct */
export type Action = (sql: Sql, at: Date) => Promise<string>;

export interface Command {
	usage: string;
	does: string;
	/** Reads the arguments, before any query. @throws AppError 400 for wrong arguments */
	read(args: string[]): Action;
}

export interface Program {
	/** Name of the npm script. */
	name: string;
	commands: Readonly<Record<string, Command>>;
	/** The last lines of the usage text. */
	notes: string;
}

/** Prints the result to stdout and errors to stderr. @returns the exit code */
export function runCommand(program: Program, args: string[], env: NodeJS.ProcessEnv, now: () => Date): Promise<number> {
	const main = async () => {
		console.log(await perform(program, args, env, now).catch(asUserError));
		return 0;
	};
	return exitCodeOf(main, args, env);
}

function asUserError(error: unknown): never {
	throw error instanceof AppError ? new UserError(error.message) : error;
}

async function perform(program: Program, args: string[], env: NodeJS.ProcessEnv, now: () => Date): Promise<string> {
	const { name, commands } = program;
	const [wanted = "", ...rest] = args;
	if (["help", "--help", "-h"].includes(wanted)) return usageOf(program);
	const command = Object.hasOwn(commands, wanted) ? commands[wanted] : undefined;
	if (command === undefined) throw badRequest(usageOf(program));
	const act = readCall(name, command, rest);
	await using sql = connect(databaseUrl(env), { schema, name, max: 1 });
	return await act(sql, now());
}

const usageOf = ({ name, commands, notes }: Program): string => `usage: npm run ${name} -- COMMAND
${Object.values(commands)
	.map(({ usage, does }) => `\n  ${usage}\n      ${does}`)
	.join("")}

${notes}`;

/** Adds the command's usage line to the error of a wrong call. */
function readCall(program: string, { usage: right, read }: Command, args: string[]): Action {
	try {
		return read(args);
	} catch (error) {
		throw error instanceof AppError ? badRequest(`${error.message}\nusage: npm run ${program} -- ${right}`) : error;
	}
}
