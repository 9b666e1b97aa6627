/** The list shapes of specification 2.1. */
import { z } from "zod";

export const count = () => z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** (a) `{data, meta: {total, page, per_page, pages}}`. */
export const page = <T extends z.ZodType>(row: T) =>
	z.strictObject({
		data: z.array(row),
		meta: z.strictObject({ total: count(), page: count(), per_page: count(), pages: count() }),
	});

const nextCursor = () =>
	z.string().nullable().optional().meta({
		description: "With `cursor` alone: for the next page as of the same moment; null after the last",
	});

/** The same of a list that can be walked with `cursor`. */
export const walkedPage = <T extends z.ZodType>(row: T) =>
	z.strictObject({
		data: z.array(row),
		meta: z.strictObject({
			total: count(),
			page: count(),
			per_page: count(),
			pages: count(),
			next_cursor: nextCursor(),
		}),
	});

/** (b) `/changes`: `{total, page, per_page, data}`; it can be walked with `cursor`. */
export const flatPage = <T extends z.ZodType>(row: T) =>
	z.strictObject({
		total: count(),
		page: count(),
		per_page: count(),
		data: z.array(row),
		next_cursor: nextCursor(),
	});

/** (c) searches: `{query, results}`. */
export const results = <T extends z.ZodType>(row: T) => z.strictObject({ query: z.string(), results: z.array(row) });

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
/** A number that is not a plain count says its unit, for people and for programs (`x-unit`). */
export const quantity = (unit: string, description = unit) => z.number().meta({ description, "x-unit": unit });
export const megawatts = (description?: string) => quantity("MW", description);
export const usd = (description?: string) => quantity("USD", description);
/** A part of a whole, 0 to 1. */
export const share = (description?: string) =>
	z
		.number()
		.min(0)
		.max(1)
		.meta({ ...(description !== undefined && { description }), "x-unit": "fraction" });
