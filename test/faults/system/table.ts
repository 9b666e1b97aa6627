/** The table of docs/reliability.md: a row for each fault, written between two marks by the program that has tried it. */
import { rewriteBetween } from "../../support/rewrite-between.ts";
import { faults, fullDisks, oneOfThree } from "./faults.ts";
import type { Result } from "./trial.ts";

const marks = ["<!-- table: npm run faults -->", "<!-- end of the table -->"] as const;

const head = `| Fault | Load held, requests/s | Refused during it, of how many asked | Slowest answer | Answers well again after | Nothing behind after | Lost | Doubled |
|---|---|---|---|---|---|---|---|`;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** One line of the table. What must not have been stands in it in bold. */
export function rowOf({
	fault,
	rate,
	asked,
	refused,
	slowestMs,
	recoveryMs,
	settledMs,
	findings,
	violations,
}: Result): string {
	const how = Object.entries(refused).map(([name, count]) => `${count} ${name}`);
	const cells = [
		[fault, ...violations.map((sentence) => `**${sentence}**`)].join("; "),
		String(rate),
		how.length === 0 ? `none of ${asked}` : `${how.join(", ")} of ${asked}`,
		seconds(slowestMs),
		seconds(recoveryMs),
		seconds(settledMs),
		findings.lost.length === 0 ? "0" : `**${findings.lost.join("; ")}**`,
		findings.doubled.length === 0 ? "0" : `**${findings.doubled.join("; ")}**`,
	];
	return `| ${cells.map((cell) => cell.replaceAll("|", "/")).join(" | ")} |`;
}

/** Whether the fault did nothing that it must not. */
export const isGood = ({ violations, findings }: Result): boolean =>
	violations.length + findings.lost.length + findings.doubled.length === 0;

/** Lines above the table that say where its rows are from. */
const maxNotes = 6;

/**
 * Puts the rows into the document, in the order in which faults are tried; rows of faults that were not tried now stay. With `isPart` the
 * notes on where those are from stay, too.
 */
export function writeTable(path: string, results: readonly Result[], note: string, isPart: boolean): void {
	rewriteBetween(path, marks, (table) => {
		const notes = isPart ? [...notesIn(table), `${note} (${results.length} rows)`] : [note];
		return `${notes.slice(-maxNotes).join("\n")}\n\n${head}\n${orderedRows(table, results)}`;
	});
}

const notesIn = (table: string): string[] => table.split("\n").filter((line) => line !== "" && !line.startsWith("|"));

function orderedRows(table: string, results: readonly Result[]): string {
	const rows = new Map(
		table
			.split("\n")
			.filter((line) => line.startsWith("| "))
			.map((line) => [nameIn(line), line] as const),
	);
	for (const result of results) rows.set(result.fault, rowOf(result));
	return [...faults, ...oneOfThree, ...fullDisks].flatMap(({ name }) => rows.get(name) ?? []).join("\n");
}

const nameIn = (line: string): string => line.slice(2).split(/ \||; \*\*/, 1)[0] ?? "";
