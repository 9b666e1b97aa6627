/**
 * Finds the developer in the bundled register for each name, without a database or a running system:
 *
 *   resolve FILE              one name a line ("-": standard input) -> CSV, one row a line, in the same order:
 *                             raw_name,canonical_name,method,confidence; the last three are empty if no link is accepted
 *   resolve --evaluate FILE   a CSV with raw_name, expected_canonical (empty: none) and optionally kind -> precision and recall
 */
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { parse } from "csv-parse/sync";
import { quoteCell } from "#libs/files/csv.ts";
import { createResolver, type Resolver } from "#libs/names/resolve.ts";
import { readSeed } from "#libs/names/seed.ts";
import { readArguments, runProgram, UserError } from "#libs/service/program.ts";

const maxInputBytes = 64 * 1024 * 1024;
const rowsPerWrite = 1000;

async function main(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
	const { file, isEvaluation } = readOptions(args);
	const input = file === "-" ? process.stdin : createReadStream(resolve(env.INIT_CWD ?? process.cwd(), file));
	const text = await readText(input, file);
	const resolver = createResolver(readSeed().map((developer, at) => ({ id: at + 1, ...developer })));
	const lines = isEvaluation ? evaluate(resolver, text) : formatLinks(resolver, text);
	let batch: string[] = [];
	const flush = () =>
		new Promise((written) => process.stdout.write(batch.map((line) => `${line}\n`).join(""), written));
	for (const line of lines) {
		if (batch.push(line) < rowsPerWrite) continue;
		await flush();
		batch = [];
	}
	await flush();
	return 0;
}

function readOptions(args: string[]): { file: string; isEvaluation: boolean } {
	const options = { evaluate: { type: "string" } } as const;
	const { values, positionals } = readArguments({ args, options, allowPositionals: true });
	const [file, ...extraFiles] = values.evaluate === undefined ? positionals : [values.evaluate, ...positionals];
	if (file !== undefined && extraFiles.length === 0) return { file, isEvaluation: values.evaluate !== undefined };
	throw new UserError("name one file of names (- for standard input), or --evaluate FILE");
}

async function readText(input: Readable, file: string): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	try {
		for await (const chunk of input) {
			size += chunk.length;
			if (size > maxInputBytes) throw new UserError(`${file} is longer than ${maxInputBytes} bytes`);
			chunks.push(chunk);
		}
	} catch (error) {
		throw error instanceof UserError ? error : new UserError(`${file} cannot be read: ${String(error)}`);
	}
	return new TextDecoder().decode(Buffer.concat(chunks));
}

function* formatLinks(resolver: Resolver, text: string): Generator<string> {
	yield "raw_name,canonical_name,method,confidence";
	const lines = text.split(/\r?\n/);
	if (lines.at(-1) === "") lines.pop();
	for (const line of lines) {
		const found = resolver.resolve(line);
		const cells = found.kind === "matched" ? [found.canonical, found.method, String(found.confidence)] : ["", "", ""];
		yield [line, ...cells].map(quoteCell).join(",");
	}
}

/** `isWrong`: linked to the wrong developer, or to any developer if none is expected. An expected developer then also counts as missing. */
function* evaluate(resolver: Resolver, text: string): Generator<string> {
	const judged = readLabels(text).map(({ name, expected, kind }) => {
		const found = resolver.resolve(name);
		const actual = found.kind === "matched" ? found.canonical : "";
		const outcome = found.kind === "matched" ? `${actual} (${found.method})` : found.kind;
		const line = `${actual === "" ? "missing" : "wrong"}  ${kind}: ${name} -> ${outcome}, expected ${expected || "none"}`;
		const isSame = actual === expected;
		const verdict = {
			isRight: isSame && actual !== "",
			isWrong: !isSame && actual !== "",
			isMissing: !isSame && expected !== "",
		};
		return { kind, line, isSame, ...verdict };
	});
	for (const { isSame, line } of judged) if (!isSame) yield line;
	for (const [kind, own] of Map.groupBy(judged, ({ kind }) => kind)) yield `${kind}: ${summarize(own)}`;
	yield `all: ${summarize(judged)}`;
}

function readLabels(text: string): { name: string; expected: string; kind: string }[] {
	let rows: string[][];
	try {
		rows = parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true });
	} catch (error) {
		throw new UserError(`the file is not valid CSV: ${error instanceof Error ? error.message : String(error)}`);
	}
	const [header = [], ...body] = rows;
	const [name, expected, kind] = ["raw_name", "expected_canonical", "kind"].map((column) => header.indexOf(column));
	if (name === undefined || name < 0 || expected === undefined || expected < 0)
		throw new UserError("the CSV needs the columns raw_name and expected_canonical");
	return body.map((row) => ({
		name: row[name] ?? "",
		expected: row[expected] ?? "",
		kind: row[kind ?? -1] ?? "names",
	}));
}

function summarize(judged: readonly { isRight: boolean; isWrong: boolean; isMissing: boolean }[]): string {
	const count = (verdict: "isRight" | "isWrong" | "isMissing") => judged.filter((one) => one[verdict]).length;
	const [right, wrong, missing] = [count("isRight"), count("isWrong"), count("isMissing")];
	const share = (whole: number) => (whole === 0 ? "-" : (right / whole).toFixed(3));
	const figures = `precision ${share(right + wrong)}, recall ${share(right + missing)}`;
	return `${judged.length} names, ${right} right, ${wrong} wrong, ${missing} missing: ${figures}`;
}

// The reader may close the pipe early (`| head`); that is not an error.
process.stdout.on("error", () => process.exit(0));
await runProgram("resolve", main);
