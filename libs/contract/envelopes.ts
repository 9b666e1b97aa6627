/** Schemas of lists, and of values that responses share. */
import { z } from "zod";

export const count = () => z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const nextCursor = () =>
	z.string().nullable().optional().describe("With `cursor` only: the cursor of the next page; null on the last page");

/** An object schema that documents of the interface refer to by a name (`id`). */
export const named = <const T extends z.ZodRawShape>(id: string, shape: T) => z.strictObject(shape).meta({ id });

/** An object schema with these names as keys, whose values all have the same schema. */
export const keyed = <const N extends readonly string[], S extends z.ZodType>(names: N, value: S) =>
	z.strictObject(Object.fromEntries(names.map((name) => [name, value])) as Record<N[number], S>);

/** The metadata of every list. */
export const pageMeta = {
	total: count(),
	page: count().describe("With `cursor`: pages read so far, including this one"),
	per_page: count().describe("Rows a page"),
	pages: count().describe("Pages in all"),
	next_cursor: nextCursor(),
};

/** `meta.coverage` of responses with filters by day, for each value of `of`. `until` does not limit it. */
export const coverage = (of = "dataset") =>
	z
		.record(z.string(), day().nullable())
		.optional()
		.describe(`With filters by day: day of the newest row of each ${of} (null: none)`);

/** A list: `{data, meta: {total, page, per_page, pages}}`. */
export const page = <T extends z.ZodType>(row: T) =>
	z.strictObject({ data: z.array(row), meta: z.strictObject(pageMeta) });

/** A list with filters by day. */
export const datedPage = <T extends z.ZodType>(row: T, of?: string) =>
	page(row).extend({ meta: z.strictObject({ ...pageMeta, coverage: coverage(of) }) });

/** `/changes`: `{total, page, per_page, data}`. */
export const flatPage = <T extends z.ZodType>(row: T) => {
	const { pages, next_cursor, ...meta } = pageMeta;
	return z.strictObject({ ...meta, data: z.array(row), next_cursor });
};

/** The change feed after a `seq`, oldest first. */
export const logPage = <T extends z.ZodType>(row: T) =>
	z.strictObject({
		data: z.array(row),
		next: count().describe("`after` of the next request; of an empty page the `after` that was sent"),
	});

/** Searches: `{query, results}`. */
export const results = <T extends z.ZodType>(row: T) => z.strictObject({ query: z.string(), results: z.array(row) });

/** SHA-256 in hexadecimal. */
export const sha256 = () => z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in hexadecimal");

/** Timestamps are ISO 8601 in UTC with a `Z`; dates are `YYYY-MM-DD`. */
export const timestamp = () =>
	z
		.string()
		.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/)
		.meta({ format: "date-time" });
export const day = () =>
	z
		.string()
		.regex(/^\d{4}-\d{2}-\d{2}$/)
		.meta({ format: "date" });
/** A number with its unit, for people and for programs (`x-unit`). */
export const quantity = (unit: string, description?: string) =>
	z.number().meta({ ...(description !== undefined && { description }), "x-unit": unit });
export const megawatts = (description?: string) => quantity("MW", description);
export const usd = (description?: string) => quantity("USD", description);
/** A fraction, 0 to 1. */
export const share = (description?: string) => quantity("fraction", description).min(0).max(1);

/** Publisher, license and update frequency of a source. */
export const sourceNote = z.strictObject({
	title: z.string(),
	publisher: z.string(),
	url: z.string().nullable(),
	licence: z.string(),
	attribution: z.string().describe("Credit to show with works that use the data"),
	cadence: z.string().describe("How often the publisher renews it"),
});
export type SourceNote = z.infer<typeof sourceNote>;

/** A provision of tax law. */
export const citation = () =>
	z.strictObject({
		rule: z.string(),
		citation: z.string(),
		valid_from: day().nullable(),
		valid_to: day().nullable(),
	});
