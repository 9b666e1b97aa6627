/**
 * Classifies headlines by hand, without a running system:
 *
 *   classify FILE               a CSV file with the column `title` (`url` and `domain` are used where present); prints
 *                               title,event_type,developer_canonical,match_confidence - several developers parted by ";"
 *   classify --evaluate FILE    with `expected_type` and `expected_developer`: accuracy, a confusion table, precision and recall
 *                               of the developers, and each miss
 *
 * Rows that cannot be read are left out and told on stderr with their line.
 *
 * Exit code: 0 done, 1 the file cannot be read.
 */
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { StructureError } from "#libs/files/structure-error.ts";
import { readSeed } from "#libs/names/seed.ts";
import { classify } from "./domain/classify.ts";
import { evaluationLines, type Judged } from "./domain/evaluate.ts";
import { createFinder } from "./domain/find-developers.ts";
import { readHeadlines } from "./domain/headline-rows.ts";

class Usage extends Error {}

async function main(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
	const { values, positionals } = readOptions(args);
	const [file] = positionals;
	if (file === undefined || positionals.length > 1) throw new Usage("name one CSV file with the column title");
	const path = resolve(env.INIT_CWD ?? process.cwd(), file);
	const bytes = await readFile(path).catch(() => {
		throw new Usage(`${path}: cannot be read`);
	});
	const { rows, unread } = readHeadlines(bytes, basename(path), values.evaluate ?? false);
	for (const { line, why } of unread) console.error(`${basename(path)}: line ${line} left out: ${why}`);
	const finder = createFinder(readSeed().map((developer, id) => ({ id, ...developer })));
	const judged = rows.map((row) => ({ ...row, type: classify(row.title), developers: finder.find(row) }));
	process.stdout.write(`${(values.evaluate ? evaluationLines(judged) : listLines(judged)).join("\n")}\n`);
}

function readOptions(args: string[]) {
	try {
		return parseArgs({ args, allowPositionals: true, options: { evaluate: { type: "boolean" } } });
	} catch (error) {
		throw new Usage(error instanceof Error ? error.message : String(error));
	}
}

function listLines(judged: readonly Judged[]): string[] {
	const rows = judged.map(({ title, type, developers }) => [
		title,
		type,
		developers.map(({ canonical }) => canonical).join(";"),
		developers.map(({ confidence }) => confidence).join(";"),
	]);
	return [["title", "event_type", "developer_canonical", "match_confidence"], ...rows].map((row) =>
		row.map(quoted).join(","),
	);
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

try {
	await main(process.argv.slice(2), process.env);
} catch (error) {
	console.error(error instanceof Usage || error instanceof StructureError ? error.message : error);
	process.exitCode = 1;
}
