/**
 * Schemas of parameters, which parse the same values from query strings, from the JSON of agents' tool calls and on the bus. zod's coercions are
 * unsuitable: they read "false" as true, "" as 0 and "0x10" as 16.
 */
import { z } from "zod";
import { didYouMean } from "./did-you-mean.ts";
import { stateNames } from "./vocabulary.ts";

/** Schema for no parameters or for an empty reply. */
export const none = z.strictObject({});

const largestInteger = 2_147_483_647;

/** Returns the parameters except those with the given names. */
export function without<S extends object, const N extends keyof S>(shape: S, ...names: N[]): Omit<S, N> {
	return Object.fromEntries(Object.entries(shape).filter(([name]) => !names.includes(name as N))) as Omit<S, N>;
}

/** A whole number in [min, max]; as text it must be decimal digits. */
export function integer(min: number, max = largestInteger) {
	return z.preprocess(
		(value) => (typeof value === "string" && /^[+-]?\d{1,16}$/.test(value) ? Number(value) : value),
		z.int({ error: "must be a whole number" }).min(min, `must be at least ${min}`).max(max, `must be at most ${max}`),
	);
}

export function oneOf<const N extends readonly number[]>(numbers: N) {
	return integer(Math.min(...numbers), Math.max(...numbers)).refine(
		(value) => numbers.includes(value),
		`must be one of ${numbers.join(", ")}`,
	);
}

/** A decimal number in [min, max], with a documented unit. NaN, hexadecimal numbers and exponents beyond a double are refused. */
export function decimal(min: number, max: number, unit?: string) {
	return z.preprocess(
		(value) =>
			typeof value === "string" && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(value) ? Number(value) : value,
		z
			.number({ error: "must be a number" })
			.min(min, `must be at least ${min}`)
			.max(max, `must be at most ${max}`)
			.meta(unit === undefined ? {} : { "x-unit": unit }),
	);
}

/** `true`, `false`, 1 or 0. */
export function flag() {
	return z.preprocess(
		(value) => {
			if (typeof value !== "string") return value;
			const lower = value.toLowerCase();
			if (lower === "true" || lower === "1") return true;
			return lower === "false" || lower === "0" ? false : value;
		},
		z.boolean({ error: "must be true or false" }),
	);
}

/** An existing day, `YYYY-MM-DD`. */
export function isoDate() {
	return z
		.string({ error: "must be a date, YYYY-MM-DD" })
		.regex(/^\d{4}-\d{2}-\d{2}$/, "must be a date, YYYY-MM-DD")
		.refine((value) => isDay(value), "is not a day of the calendar")
		.meta({ format: "date" });
}

/** One of the values, in upper or lower case; the parsed value is spelled as declared. */
export function choice<const T extends readonly [string, ...string[]]>(words: T) {
	const known = new Map(words.map((word) => [word.toLowerCase(), word]));
	return z.preprocess(
		(value) => (typeof value === "string" ? (known.get(value.trim().toLowerCase()) ?? value) : value),
		z.enum(words, { error: ({ input }) => `must be one of ${words.join(", ")}${didYouMean(input, words)}` }),
	);
}

/**
 * Up to `maxValues` values of a filter: separated by commas, repeated, or as an array in JSON. The parsed list contains each value once, in the
 * given order.
 */
export function several<T extends z.ZodType>(value: T, maxValues = 50) {
	return z.preprocess(
		(given) =>
			typeof given === "string" || typeof given === "number" || Array.isArray(given)
				? [given].flat().flatMap((one: unknown) => (typeof one === "string" ? one.split(",") : one))
				: given,
		z
			.array(value, { error: "must be a value, or several separated by commas" })
			.min(1, "must have a value")
			.max(maxValues, `must have at most ${maxValues} values`)
			.overwrite((values) => [...new Set(values)]),
	);
}

/**
 * The fields of a row to show; all when absent. The parsed list is in the caller's order. Fields that are always shown but were not selected come
 * first.
 */
export function fields(row: z.ZodObject, always: readonly string[]) {
	const names = Object.keys(row.shape);
	const known = (name: unknown) => (typeof name === "string" ? name.trim() : name);
	const field = z.preprocess(
		known,
		z.enum(names, {
			error: ({ input }) => `"${String(input).slice(0, 60)}" is not a field of the response${didYouMean(input, names)}`,
		}),
	);
	return several(field, names.length)
		.overwrite((chosen) => [...always.filter((name) => !chosen.includes(name)), ...chosen])
		.optional()
		.describe(
			`Fields to show, by comma or repetition; all when absent. ${always.join(" and ")} always included. Rows then lack the others, which their schema requires`,
		);
}

/** Text that PostgreSQL can store, both as text and in JSON. */
export const storable = (text: z.ZodString) =>
	text
		.refine((value) => !value.includes("\u0000"), "must not contain NUL")
		.refine((value) => value.isWellFormed(), "must be well-formed Unicode");

/** Free text of 1 (or `min`) to `max` characters, trimmed. */
export function words(min = 1, max = 200) {
	return storable(
		z
			.string({ error: "must be text" })
			.trim()
			.min(min, `must have at least ${min} character${min === 1 ? "" : "s"}`)
			.max(max, `must have at most ${max} characters`),
	);
}

const codesByName = new Map(Object.entries(stateNames).map(([code, name]) => [name.toLowerCase(), code]));
const notAState = ({ input }: { input?: unknown }) =>
	`must be a two-letter state code, or a state's name${didYouMean(input, Object.values(stateNames))}`;

/** A US state or territory by its two letters or its name, in upper or lower case. The parsed value is the two letters. */
export function stateCode() {
	return z.preprocess(
		(value) => (typeof value === "string" ? (codesByName.get(value.trim().toLowerCase()) ?? value) : value),
		z
			.string({ error: notAState })
			.trim()
			.regex(/^[A-Za-z]{2}$/, { error: notAState })
			.transform((value) => value.toUpperCase())
			.pipe(z.string().length(2).meta({ pattern: "^[A-Za-z]{2}$" })),
	);
}

/** Refuses a parameter for a reason that the schema of the parameter cannot check, such as a contradiction to another parameter. */
export const refuse = (context: z.RefinementCtx, parameter: string, message: string): void =>
	context.addIssue({ code: "custom", path: [parameter], message });

interface Span {
	since?: string | undefined;
	until?: string | undefined;
}

/** Refuses a span of days whose ends are swapped: the list would be empty without an explanation. */
export function refuseSwappedRange({ since, until }: Span, context: z.RefinementCtx): void {
	if (since !== undefined && until !== undefined && since > until) refuse(context, "until", "must not be before since");
}

/** Refuses a span of days combined with a number of days (the parameter `days`). */
export function refuseTwoSpans<const D extends string>(
	params: Span & { readonly [N in D]?: number | undefined },
	days: D,
	context: z.RefinementCtx,
): void {
	for (const end of ["since", "until"] as const)
		if (params[days] !== undefined && params[end] !== undefined)
			refuse(context, end, `cannot be combined with ${days}`);
	refuseSwappedRange(params, context);
}

/** Whether the text is an existing day, `YYYY-MM-DD`. */
export function isDay(value: string): boolean {
	const parsed = new Date(`${value}T00:00:00Z`);
	// PostgreSQL has no year 0.
	return (
		/^\d{4}-\d{2}-\d{2}$/.test(value) &&
		!value.startsWith("0000") &&
		!Number.isNaN(parsed.getTime()) &&
		parsed.toISOString().startsWith(value)
	);
}

const pageNumber = () => integer(1).default(1).describe("Page");

/** Maximum length of a cursor (characters), which contains values of columns as filed. */
const maxCursorCharacters = 4_000;
const notACursor = "must be * or the next_cursor of a response";

/** Sort parameters of a list. The default is the first column, in `direction`. */
export const sortParams = <const C extends readonly [string, ...string[]]>(columns: C, direction: "asc" | "desc") => ({
	sort: choice(columns)
		.default(columns[0] as never)
		.describe("Column to sort by; unknown values come last"),
	order: choice(["asc", "desc"]).default(direction).describe("Direction"),
});

/**
 * Parameters of a list: those in `shape`, and `page`, `per_page` and `cursor`.
 * @param maxRows maximum rows of a page
 * @param defaultRows rows of a page by default
 */
export function listParams<const S extends Record<string, z.ZodType>>(shape: S, maxRows: number, defaultRows = 50) {
	return z
		.strictObject({
			...shape,
			page: pageNumber(),
			per_page: integer(1, maxRows).default(defaultRows).describe("Rows a page"),
			cursor: z
				.string()
				// The length is checked separately: some regular expression engines do not support such a long repetition.
				.max(maxCursorCharacters, notACursor)
				.regex(/^(\*|[A-Za-z0-9_-]{8,})$/, notACursor)
				.meta({ examples: ["*"] })
				.optional()
				.describe("`*`, then each `next_cursor` with the same filters and order. Cannot be combined with page"),
		})
		.superRefine((params, context) => {
			const { cursor, page } = params as { cursor?: string | undefined; page: number };
			if (cursor !== undefined && page !== 1) refuse(context, "page", "cannot be combined with cursor");
		});
}

/** Parameters of a list in whose first release the page size was named `limit`. That name is still accepted. */
export function limitedListParams<const S extends Record<string, z.ZodType>>(
	shape: S,
	maxRows: number,
	defaultRows = 50,
) {
	const limit = integer(1, maxRows).optional().describe("Alias of per_page");
	// `limit` is an alias of `per_page` and must not contradict it.
	return listParams({ ...shape, page: pageNumber(), limit }, maxRows, defaultRows).superRefine((params, context) => {
		const { limit, per_page } = params as { limit?: number | undefined; per_page: number };
		if (limit !== undefined && per_page !== defaultRows && per_page !== limit)
			refuse(context, "limit", `contradicts per_page (${limit}, ${per_page})`);
	});
}
