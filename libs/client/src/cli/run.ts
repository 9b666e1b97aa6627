/** Runs one command. */
import { readFileSync } from "node:fs";
import { createClient } from "../index.ts";
import type { Command } from "./command.ts";
import { exitCodes, failureOf, UsageError } from "./failures.ts";
import { common, isOn, readFlags } from "./flags.ts";
import { commandHelp, mainHelp } from "./help.ts";
import { nearestWords } from "./nearest.ts";
import { exportFile, logIn, logOut, project, score, sql } from "./others.ts";
import { formatOf, note, write } from "./output.ts";
import { changes, developers, pois, projects, search, watch } from "./rows.ts";
import { settingsOf } from "./settings.ts";

const commands: Readonly<Record<string, Command>> = {
	search,
	project,
	projects,
	score,
	developers,
	pois,
	changes,
	watch,
	sql,
	export: exportFile,
	login: logIn,
	logout: logOut,
};

/** Runs a command and returns the exit code. Errors are written to standard error. */
export async function run([name = "", ...args]: readonly string[]): Promise<number> {
	let url: string | undefined;
	try {
		if (["", "--help", "-h", "help"].includes(name)) {
			await write(mainHelp(commands));
			return name === "" ? exitCodes.usage : 0;
		}
		if (name === "--version") {
			await write(`${version()}\n`);
			return 0;
		}
		const command = commandOf(name);
		const given = readFlags(name, [...command.flags, ...common], args);
		if (isOn(given.flags, "help")) {
			await write(commandHelp(name, command));
			return 0;
		}
		const [minWords, maxWords] = command.takes;
		if (given.words.length < minWords || given.words.length > maxWords)
			throw new UsageError(
				maxWords === 0
					? `eids ${name} takes only flags, not "${given.words[0]}"; eids ${name} --help lists them`
					: `usage: eids ${name} ${command.words}; eids ${name} --help explains it`,
			);
		const settings = settingsOf(given.flags.get("url"), process.env, command.ignoresStored);
		url = settings.url;
		const data = createClient({ baseUrl: url, key: settings.key });
		await command.run({ ...given, settings, data, format: formatOf(given.flags.get("output")) });
		return 0;
	} catch (error) {
		const { text, exitCode } = failureOf(error, url);
		note(`eids: ${text}`);
		return exitCode;
	}
}

function commandOf(name: string): Command {
	const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
	if (command !== undefined) return command;
	const [near] = nearestWords(name, Object.keys(commands));
	throw new UsageError(
		`there is no command "${name}"; ${near === undefined ? "eids --help lists all" : `did you mean ${near}?`}`,
	);
}

function version(): string {
	return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
}
