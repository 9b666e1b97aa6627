/** How well headlines were judged, against labels that a person set: lines for a terminal. Pure. */
import type { EventType } from "./classify.ts";
import type { Found } from "./find-developers.ts";

export interface Judged {
	title: string;
	type: EventType;
	developers: readonly Found[];
}

export interface Labelled {
	expectedType: string;
	/** Canonical names, in the order of the headline. */
	expectedDevelopers: readonly string[];
}

export interface Scores {
	/** Share of headlines whose class is right; 1 of none. */
	accuracy: number;
	/** Share of the developers found that are right; 1 when none was found. */
	precision: number;
	/** Share of the expected developers that were found; 1 when none was expected. */
	recall: number;
}

type Row = Judged & Labelled;

const types: readonly EventType[] = ["distress", "litigation", "ma", "financing", "project", "mention"];

export function scoresOf(rows: readonly Row[]): Scores {
	const right = rows.filter(({ type, expectedType }) => type === expectedType).length;
	const hits = sum(
		rows,
		({ developers, expectedDevelopers }) =>
			developers.filter(({ canonical }) => expectedDevelopers.includes(canonical)).length,
	);
	return {
		accuracy: share(right, rows.length),
		precision: share(
			hits,
			sum(rows, ({ developers }) => developers.length),
		),
		recall: share(
			hits,
			sum(rows, ({ expectedDevelopers }) => expectedDevelopers.length),
		),
	};
}

export function evaluationLines(rows: readonly Row[]): string[] {
	const { accuracy, precision, recall } = scoresOf(rows);
	return [
		`${rows.length} headlines: class right ${percent(accuracy)}, developer precision ${percent(precision)}, recall ${percent(recall)}`,
		"",
		["expected \\ found", ...types]
			.map((cell) => cell.padEnd(17))
			.join("")
			.trimEnd(),
		...types.map((expected) => confusionLine(rows, expected)),
		"",
		...rows.flatMap(missLines),
	];
}

function confusionLine(rows: readonly Row[], expected: EventType): string {
	const counts = types.map((found) => rows.filter((row) => row.expectedType === expected && row.type === found).length);
	return [expected, ...counts.map(String)]
		.map((cell) => cell.padEnd(17))
		.join("")
		.trimEnd();
}

function missLines({ title, type, expectedType, developers, expectedDevelopers }: Row): string[] {
	const names = developers.map(({ canonical }) => canonical);
	const lines: string[] = [];
	if (type !== expectedType) lines.push(`class ${type}, expected ${expectedType}: ${title}`);
	for (const { canonical, matchedOn, matchedText } of developers) {
		if (!expectedDevelopers.includes(canonical))
			lines.push(`developer ${canonical} (${matchedOn} "${matchedText}") not expected: ${title}`);
	}
	for (const name of expectedDevelopers.filter((expected) => !names.includes(expected)))
		lines.push(`developer ${name} not found: ${title}`);
	return lines;
}

const sum = (rows: readonly Row[], count: (row: Row) => number): number =>
	rows.reduce((total, row) => total + count(row), 0);
const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);
const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
