/**
 * Lists values of the operators' newest lists that no adapter knows, and maps them to known values, in the running system's database:
 *
 *   vocabulary [--source FEED]                                   unknown values, then mapped ones
 *   vocabulary --source FEED --map "WORD=KNOWN" --author NAME [--column FIELD]
 *   vocabulary --withdraw MAPPING --author NAME
 *
 * KNOWN is a value of the same column that the adapter knows or, for a fuel or type, a standard technology ("Solar", "Solar + Storage"). A mapping
 * applies from the next list that is loaded. Exit code: 0, or 1 if the arguments are invalid or the command fails.
 */
import type { Sql } from "#libs/postgres/connect.ts";
import { readArguments, runProgram, UserError } from "#libs/service/program.ts";
import { parseNumber, requireLine, toPlainLine } from "../quality/disputes/waiting.ts";
import { sources } from "../queues/sources/index.ts";
import { mapWord, readUnknownWords, withdrawWord } from "../queues/words/unknown-words.ts";
import { readMappedWords } from "../sources/vocabulary.ts";
import { connectAs } from "./shared/connect.ts";

const text = { type: "string" } as const;
const options = { source: text, map: text, column: text, withdraw: text, author: text } as const;

export async function vocabulary(args: string[], env: NodeJS.ProcessEnv, now = () => new Date()): Promise<number> {
	const { values } = readArguments({ args, options });
	if (values.map !== undefined && values.withdraw !== undefined)
		throw new UserError("--map and --withdraw cannot be combined");
	const feeds = sources.map(({ feed }) => feed);
	if (values.source !== undefined && !feeds.includes(values.source))
		throw new UserError(`--source: "${values.source}" is not one of ${feeds.join(", ")}`);
	await using sql = connectAs("vocabulary", env, 2);
	for (const line of await runCommand(sql, values, now)) console.log(line);
	return 0;
}

type Values = ReturnType<typeof readArguments<{ args: string[]; options: typeof options }>>["values"];

async function runCommand(sql: Sql, values: Values, now: () => Date): Promise<string[]> {
	const authorship = () => ({ author: requireLine("author", values.author, 100), at: now() });
	if (values.withdraw !== undefined) {
		await withdrawWord(sql, parseNumber("withdraw", values.withdraw), authorship());
		return [`mapping ${values.withdraw} withdrawn: from the next list on the word is unknown again`];
	}
	if (values.map !== undefined) {
		if (values.source === undefined)
			throw new UserError("--map also requires --source, the list that contains the word");
		const at = values.map.lastIndexOf("=");
		if (at < 1) throw new UserError('--map must have the form "WORD=KNOWN"');
		const word = requireLine("map", values.map.slice(0, at), 200);
		const target = requireLine("map", values.map.slice(at + 1), 200);
		const { id, field } = await mapWord(
			sql,
			{ feed: values.source, word, means: target, field: values.column },
			authorship(),
		);
		return [
			`mapping ${id}: ${field} "${toPlainLine(word)}" of ${values.source} is read as "${toPlainLine(target)}" from the next list on`,
		];
	}
	return [...(await formatUnknownWords(sql, values.source)), ...(await formatMappings(sql, values.source))];
}

async function formatUnknownWords(sql: Sql, feed: string | undefined): Promise<string[]> {
	const words = (await readUnknownWords(sql, feed)).filter(({ means }) => means === null);
	if (words.length === 0) return ["No unknown words."];
	return words.map(
		({ word, rows, column, example, firstSeen, ...one }) =>
			`${one.feed}, ${one.field}${column === null ? "" : ` (column "${toPlainLine(column, 80)}")`}: "${toPlainLine(word, 100)}", since ${firstSeen}, ${rows} ${rows === 1 ? "row" : "rows"}${example === null ? "" : `, as ${toPlainLine(example, 40)}`}`,
	);
}

async function formatMappings(sql: Sql, feed: string | undefined): Promise<string[]> {
	const all = await Promise.all(
		sources
			.filter((source) => feed === undefined || source.feed === feed)
			.map(async (source) => (await readMappedWords(sql, source.feed)).map((one) => ({ ...one, feed: source.feed }))),
	);
	const lines = all
		.flat()
		.map(
			(one) =>
				`${one.id} ${one.feed}, ${one.field}: "${toPlainLine(one.word, 100)}" = "${toPlainLine(one.means, 100)}", by ${toPlainLine(one.author, 100)} on ${one.on}`,
		);
	return lines.length === 0 ? [] : ["Mapped", ...lines];
}

if (import.meta.main) await runProgram("vocabulary", vocabulary);
