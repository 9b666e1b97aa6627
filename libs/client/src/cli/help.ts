import type { Command } from "./command.ts";
import { common } from "./flags.ts";
import type { Parameter } from "./parameter.ts";

const lineWidth = 100;

export const mainHelp = (commands: Readonly<Record<string, Command>>): string => `\
eids: US interconnection queues, their changes, scores and files, on a command line.

Usage: eids COMMAND [flags]

${alignColumns(Object.entries(commands).map(([name, { words, summary }]) => [words ? `${name} ${words}` : name, summary]))}

eids COMMAND --help lists the flags of a command; eids --version prints the version.

The service address is --url, EIDS_URL or that of eids login, else http://127.0.0.1:8080.
The key is EIDS_API_KEY or that of eids login. Rows are printed as a table on a terminal, else as lines of JSON.

Exit codes: 0 done, 1 failed, 2 wrong command or parameter, 3 key, quota or payment, 4 not found,
5 the service is unavailable or overloaded (try again).
`;

export const commandHelp = (name: string, { words, summary, more, examples, flags }: Command): string => `\
${wrapLines(`${summary}.`, "")}

Usage: eids ${name} ${words === undefined ? "" : `${words} `}[flags]
${more === undefined ? "" : `\n${wrapLines(more, "")}\n`}
Examples:
${examples.map((each) => `  ${each}`).join("\n")}

Flags:
${alignColumns([...flags, ...common].map((each) => [flagText(each), each.note]))}
`;

const flagText = ({ name, isSwitch }: Parameter): string => {
	const flag = name.replaceAll("_", "-");
	return isSwitch ? `--${flag}` : `--${flag} ${name === "out" ? "FILE" : "…"}`;
};

function alignColumns(rows: readonly (readonly [string, string])[]): string {
	const width = Math.min(30, Math.max(...rows.map(([left]) => left.length)));
	const indent = " ".repeat(width + 4);
	return rows
		.map(([left, right]) => {
			const text = wrapLines(right, indent);
			return left.length > width ? `  ${left}\n${indent}${text}` : `  ${left.padEnd(width)}  ${text}`;
		})
		.join("\n");
}

/** Wraps the text into lines of at most `lineWidth` characters, and indents all but the first. */
function wrapLines(text: string, indent: string): string {
	const lines = [""];
	for (const word of text.split(" ")) {
		const last = lines.at(-1) ?? "";
		if (last !== "" && indent.length + last.length + 1 + word.length > lineWidth) lines.push(word);
		else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
	}
	return lines.join(`\n${indent}`);
}
