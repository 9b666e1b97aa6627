/** What is written out in a statement and would be too much: long texts, huge numbers, regular expressions, long series. */
import { literalOf, type Node } from "./tree.ts";

export const longestLiteral = 1_000;
const longestPattern = 200;
/** Repetitions multiply the states of a regular expression's automaton, which takes memory while it is made. */
const mostRepetitions = 1_000;
export const mostSeriesRows = 1_000_000;

/** Why a constant is refused, or undefined. `text` without quotes. */
export function constantFault(text: string): string | undefined {
	if ([...text].length > longestLiteral) return `a literal of more than ${longestLiteral} characters`;
	// Of ten characters a number makes 131,000 digits.
	if (/(^|[^0-9a-z.])[-+]?[\d._]+e[-+]?0*[1-9]\d{2,}($|[^0-9a-z])/i.test(text))
		return "a number with an exponent of more than two digits";
	if (/[\d._]{101}|0x[\da-f_]{80}/i.test(text)) return "a number of more than 100 digits";
	return undefined;
}

/** A number with more digits than quantities have. */
export const isLongNumber = (text: string): boolean => text.length > 20 || /e|x/i.test(text);

/** Why a regular expression is refused, or undefined. */
export function patternFault(node: Node | undefined): string | undefined {
	const literal = literalOf(node);
	if (literal === undefined) return "a regular expression that is not written out as a literal";
	const { text } = literal;
	if ([...text].length > longestPattern) return `a regular expression of more than ${longestPattern} characters`;
	// It makes matching exponential.
	if (/(^|[^\\])(\\\\)*\\[1-9]/.test(text)) return "a back reference in a regular expression";
	const bounds = [...text.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) => Number(most || least));
	if (bounds.reduce((product, bound) => product * Math.max(1, bound), 1) > mostRepetitions)
		return `a regular expression with more than ${mostRepetitions} repetitions ({n,m}, multiplied)`;
	return undefined;
}

/** Not less than five minutes: with those a series of ten years has a million rows. */
const stepOf =
	/^-?(\d{1,4} (hour|day|week|month|year)s?|(5|6|10|12|15|20|30|45|60) min(ute)?s?|(0?\d|1\d|2[0-4]):00(:00)?)$/;

/**
 * Why a generate_series is refused, or undefined. The planner takes any bound that it cannot compute for a thousand rows, and before
 * PostgreSQL 18 any of moments: so the bounds are written out.
 */
export function seriesFault(args: Node[]): string | undefined {
	const literals = args.map(literalOf);
	const [from, to, step = { text: "1", isText: false }] = literals;
	const numbers = [from, to, step].map((each) => (each === undefined || each.isText ? Number.NaN : Number(each.text)));
	if (numbers.every((each) => !Number.isNaN(each))) {
		const [first = 0, last = 0, by = 1] = numbers;
		return Math.abs(last - first) / Math.abs(by || 1) > mostSeriesRows
			? `a generate_series of more than ${mostSeriesRows} rows`
			: undefined;
	}
	if (args.length === 3 && step?.isText === true && stepOf.test(step.text.trim().toLowerCase())) return undefined;
	return "a generate_series with other than numbers written out, or moments and a step like '1 day' (of at least 5 minutes)";
}
