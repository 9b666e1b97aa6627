/**
 * Classifies headlines by hand, without a running system:
 *
 *   classify FILE               a CSV file with the column `title`, and `url` and `domain` if present; prints
 *                               title,event_type,developer_canonical,match_confidence, several developers separated by ";"
 *   classify --evaluate FILE    with `expected_type` and `expected_developer`; prints accuracy, a confusion table, the precision
 *                               and recall of developers, and each miss
 *
 * Unreadable rows are reported to stderr with their lines. Exit code: 0, or 1 if the file cannot be read.
 */
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { quoteCell } from "#libs/files/csv.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { readSeed } from "#libs/names/seed.ts";
import { readArguments, runProgram, UserError } from "#libs/service/program.ts";
import { classify } from "../headlines/classify.ts";
import { createFinder } from "../headlines/find-developers.ts";
import { formatEvaluation, type JudgedHeadline, readHeadlines } from "./classify/judged-headlines.ts";

async function main(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
	const options = { evaluate: { type: "boolean" } } as const;
	const { values, positionals } = readArguments({ args, allowPositionals: true, options });
	const [file] = positionals;
	if (file === undefined || positionals.length > 1)
		throw new UserError("pass exactly one CSV file, which needs a column named title");
	const path = resolve(env.INIT_CWD ?? process.cwd(), file);
	const bytes = await readFile(path).catch(() => {
		throw new UserError(`cannot read ${path}`);
	});
	const { rows, unreadRows } = readRows(bytes, basename(path), values.evaluate ?? false);
	for (const { line, why } of unreadRows) console.error(`${basename(path)}: line ${line} was not read: ${why}`);
	const finder = createFinder(readSeed().map((developer, id) => ({ id, ...developer })));
	const judged = rows.map((row) => ({ ...row, type: classify(row.title), developers: finder.find(row) }));
	process.stdout.write(`${(values.evaluate ? formatEvaluation(judged) : formatMatches(judged)).join("\n")}\n`);
	return 0;
}

function readRows(bytes: Buffer, name: string, isEvaluation: boolean): ReturnType<typeof readHeadlines> {
	try {
		return readHeadlines(bytes, name, isEvaluation);
	} catch (error) {
		throw error instanceof StructureError ? new UserError(error.message) : error;
	}
}

function formatMatches(judged: readonly JudgedHeadline[]): string[] {
	const rows = judged.map(({ title, type, developers }) => [
		title,
		type,
		developers.map(({ canonical }) => canonical).join(";"),
		developers.map(({ confidence }) => confidence).join(";"),
	]);
	return [["title", "event_type", "developer_canonical", "match_confidence"], ...rows].map((row) =>
		row.map(quoteCell).join(","),
	);
}

await runProgram("classify", main);
