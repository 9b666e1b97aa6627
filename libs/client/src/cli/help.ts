/** The text of `--help`. */
import type { Command } from "./command.ts";
import { common } from "./flags.ts";
import type { Parameter } from "./parameter.ts";

const lineWidth = 100;

export const mainHelp = (commands: Readonly<Record<string, Command>>): string => `\
eids: US interconnection queues, their changes, scores and files, on a command line.

Usage: eids COMMAND [flags]

${inColumns(Object.entries(commands).map(([name, { words, summary }]) => [words ? `${name} ${words}` : name, summary]))}

eids COMMAND --help has the flags of each; eids --version says which this is.

The service is at --url, EIDS_URL or where eids login was given it, else at http://127.0.0.1:8080.
The key is EIDS_API_KEY, or what eids login kept. Rows are a table on a terminal and lines of JSON elsewhere.

Exit codes: 0 done, 1 failed, 2 wrong command or parameter, 3 key, quota or payment, 4 not found,
5 the service is away or overloaded (try again).
`;

export const commandHelp = (name: string, { words, summary, more, examples, flags }: Command): string => `\
${wrapped(`${summary}.`, "")}

Usage: eids ${name} ${words === undefined ? "" : `${words} `}[flags]
${more === undefined ? "" : `\n${wrapped(more, "")}\n`}
Examples:
${examples.map((each) => `  ${each}`).join("\n")}

Flags:
${inColumns([...flags, ...common].map((each) => [flagText(each), each.note]))}
`;

const flagText = ({ name, isSwitch }: Parameter): string => {
	const flag = name.replaceAll("_", "-");
	return isSwitch ? `--${flag}` : `--${flag} ${name === "out" ? "FILE" : "…"}`;
};

function inColumns(rows: readonly (readonly [string, string])[]): string {
	const width = Math.min(30, Math.max(...rows.map(([left]) => left.length)));
	const indent = " ".repeat(width + 4);
	return rows
		.map(([left, right]) => {
			const text = wrapped(right, indent);
			return left.length > width ? `  ${left}\n${indent}${text}` : `  ${left.padEnd(width)}  ${text}`;
		})
		.join("\n");
}

/** Lines of at most a screen's width, but for the first all with the indent. */
function wrapped(text: string, indent: string): string {
	const lines = [""];
	for (const word of text.split(" ")) {
		const last = lines.at(-1) ?? "";
		if (last !== "" && indent.length + last.length + 1 + word.length > lineWidth) lines.push(word);
		else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
	}
	return lines.join(`\n${indent}`);
}
