/** The list shapes of specification 2.1. */
import { z } from "zod";

export const count = () => z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** (a) `{data, meta: {total, page, per_page, pages}}`. */
export const page = <T extends z.ZodType>(row: T) =>
	z.strictObject({
		data: z.array(row),
		meta: z.strictObject({ total: count(), page: count(), per_page: count(), pages: count() }),
	});

/** (b) `/changes`: `{total, page, per_page, data}`. */
export const flatPage = <T extends z.ZodType>(row: T) =>
	z.strictObject({ total: count(), page: count(), per_page: count(), data: z.array(row) });

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
export const megawatts = () => z.number().meta({ description: "MW" });
export const share = () => z.number().min(0).max(1);
