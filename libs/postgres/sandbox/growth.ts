/**
 * How long a value can become. No setting of PostgreSQL limits what one expression takes: ten joins of a text with itself in a row
 * of subqueries make a thousand texts of one, and an array of all rows is held in memory whole. So each part of a statement has a
 * growth, worked out from its text alone: how many times longer than what is stored a value of it can be.
 *
 * - A column or any function that shortens: 1. A literal: 0, as all literals together are at most the statement; what makes a text
 *   n times as long makes a literal n times as long, too.
 * - `a || b`, `concat(a, b)`, `array[a, b]`, `a * b` (its digits): the sum.
 * - What inserts a text of n bytes at every place (`replace`): n + 1 times. What quotes: twice.
 * - A subquery in FROM hands its growth on: an expression over its columns is multiplied by it.
 *
 * A value that is stored has some hundred bytes and the longest number that can be made 147,000: 256 times are 38 MB at the very
 * worst. The columns of a row become one text, so their sum is bounded, too. What collects rows (`string_agg`, `array(select)`) is
 * multiplied by rows, which the plan estimates (plan.ts): there the growth is at most 16, once, and not of what is collected already.
 */
export interface Growth {
	/** Of the longest value. */
	factor: number;
	/** Of all columns of a row together. */
	row: number;
	/** Collections inside each other: 0 none, 1 one. */
	collects: number;
	/** Of the digits of an exact number: PostgreSQL does not look up while it computes with two of them. */
	digits: number;
}

export const limits = { factor: 256, row: 2048, collectedFactor: 16, collects: 1, digits: 16 } as const;

export const column: Growth = { factor: 1, row: 1, collects: 0, digits: 1 };

/** One of them, nobody knows which. */
export const either = (parts: Growth[]): Growth => ({
	factor: Math.max(0, ...parts.map(({ factor }) => factor)),
	row: Math.max(0, ...parts.map(({ row }) => row)),
	collects: Math.max(0, ...parts.map(({ collects }) => collects)),
	digits: Math.max(0, ...parts.map(({ digits }) => digits)),
});

/** All of them in one value. */
export const joined = (parts: Growth[]): Growth => ({
	...either(parts),
	factor: parts.reduce((sum, { factor }) => sum + factor, 0),
});

/** Numbers that are multiplied or divided: the digits of all of them. */
export const multiplied = (parts: Growth[]): Growth => ({
	...joined(parts),
	digits: parts.reduce((sum, { digits }) => sum + digits, 0),
});

/** A literal grows like anything else: it has 0 only as long as nothing is made of it. */
export const times = (growth: Growth, factor: number): Growth => ({
	...growth,
	factor: Math.max(1, growth.factor) * factor,
});

/** A number to a power. */
export const raised = (growth: Growth, power: number): Growth => ({
	...times(growth, power),
	digits: Math.max(1, growth.digits) * power,
});

export const collected = (growth: Growth): Growth => ({ ...growth, collects: growth.collects + 1 });

/** `inner` is computed first, and `outer` over it. */
export const over = (inner: Growth, outer: Growth): Growth => ({
	factor: Math.max(1, inner.factor) * Math.max(1, outer.factor),
	row: Math.max(1, inner.factor) * Math.max(1, outer.row),
	collects: inner.collects + outer.collects,
	digits: Math.max(1, inner.digits) * Math.max(1, outer.digits),
});

/** Side by side in FROM; a LATERAL item is computed over those before it. */
export function sources(items: { growth: Growth; lateral: boolean }[]): Growth {
	const first = either(items.filter(({ lateral }) => !lateral).map(({ growth }) => growth));
	return items.filter(({ lateral }) => lateral).reduce((inner, { growth }) => over(inner, growth), first);
}

/** Why the statement is refused, or undefined. */
export function tooLong({ factor, row, collects, digits }: Growth): string | undefined {
	if (digits > limits.digits)
		return `multiplying, dividing or raising exact numbers of as many digits as ${limits.digits} columns together (cast to float8)`;
	if (collects > limits.collects) return "rows that are collected (string_agg, array_agg, json_agg) twice over";
	if (collects > 0 && factor > limits.collectedFactor)
		return `text that is put together more than ${limits.collectedFactor} times over and collected from rows`;
	if (factor > limits.factor) return `text that is put together more than ${limits.factor} times over`;
	if (row > limits.row) return "a row of so many long columns";
	return undefined;
}
