/** Writes the Parquet files of extracts and of the archive with DuckDB. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { constants, setPriority } from "node:os";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { CopyTask } from "./copy.ts";
import { identifier, literal } from "./quote.ts";
import type { ColumnType } from "./view.ts";

export interface EncodeTask {
	csv: string;
	parquet: string;
	columns: { name: string; type: ColumnType }[];
	metadata: Record<string, string>;
}

/** Row groups of 20,000 rows compress well, and let a query about one state skip most of a file. */
const parquet = "format parquet, compression zstd, row_group_size 20000";
/** Maximum size of a CSV row (bytes). The limit is large because a row can contain everything that an operator filed for a request. */
const maxLineBytes = 64 * 1024 * 1024;

/** Converts CSV files to Parquet, all in one process. Returns the number of rows of each file. */
export const encode = (tasks: readonly EncodeTask[], signal: AbortSignal): Promise<number[]> =>
	copyAll({ statements: tasks.map(encodeStatement), scratch: "" }, signal);

/** Runs the statements and returns the number of rows that each copied. @throws Error that contains the process's standard error output */
export async function copyAll(copies: CopyTask, signal: AbortSignal): Promise<number[]> {
	if (copies.statements.length === 0) return [];
	const program = fileURLToPath(new URL("./copy.ts", import.meta.url));
	const limits = { env: {}, signal, killSignal: "SIGKILL" } as const;
	const ended = promisify(execFile)(process.execPath, ["--no-warnings", program], limits);
	const { pid, stdin } = ended.child;
	if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
	stdin?.on("error", () => {}).end(JSON.stringify(copies));
	return JSON.parse((await ended).stdout) as number[];
}

function encodeStatement({ csv, parquet: path, columns, metadata }: EncodeTask): string {
	// In the CSV file, lists are written as JSON.
	const csvColumns = columns.map(
		({ name, type }) => `${literal(name)}: ${literal(type === "VARCHAR[]" ? "JSON" : type)}`,
	);
	const cells = columns.map(({ name, type }) => {
		const column = identifier(name);
		return type === "VARCHAR[]" ? `from_json(${column}, '["VARCHAR"]') as ${column}` : column;
	});
	const pairs = Object.entries(metadata).map(([key, value]) => `${identifier(key)}: ${literal(value)}`);
	return buildCopyStatement(
		path,
		`select ${cells.join(", ")} from read_csv(${literal(csv)}, columns = {${csvColumns.join(", ")}}, header = false,
			auto_detect = false, delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false,
			max_line_size = ${maxLineBytes}, buffer_size = ${2 * maxLineBytes}, parallel = false)`,
		`, kv_metadata {${pairs.join(", ")}}`,
	);
}

export const buildCopyStatement = (path: string, select: string, options = ""): string =>
	`copy (${select}) to ${literal(path)} (${parquet}${options})`;

/** SHA-256 of a file, in hexadecimal. */
export async function hashOf(path: string): Promise<string> {
	const hash = createHash("sha256");
	await pipeline(createReadStream(path), hash);
	return hash.digest("hex");
}
