/**
 * A cursor is a position in a list: the values of the sort columns in the last row read. A digest binds it to the list's filters and order. It
 * needs no protection: an altered cursor reads a different page of public data, or is refused with 422.
 */
import { hash } from "node:crypto";
import { z } from "zod";
import { type AppError, invalid } from "#libs/contract/errors.ts";

export interface Position {
	/** Number of pages read so far. */
	pages: number;
	/** Values of the last row read, one for each column that the list is sorted by, as JSON. */
	values: readonly (string | number | null)[];
}

const fields = z.tuple([
	z.string(),
	z.int().min(1).max(Number.MAX_SAFE_INTEGER),
	z.array(z.union([z.string().regex(/^[^\0]*$/), z.number(), z.null()])),
]);

/** Encodes a cursor. `list` identifies the filters and the order, as any JSON value. */
export const writeCursor = (list: unknown, { pages, values }: Position): string =>
	Buffer.from(JSON.stringify([digest(list), pages, values])).toString("base64url");

/** Decodes a cursor. @throws AppError 422 if `text` is not a cursor of this list */
export function readCursor(list: unknown, text: string, columns: number): Position {
	const parsed = fields.safeParse(parse(Buffer.from(text, "base64url").toString()));
	if (!parsed.success) throw notACursor();
	const [listDigest, pages, values] = parsed.data;
	if (listDigest !== digest(list)) throw cursorError("belongs to another list: send the same filters and order");
	if (values.length !== columns) throw notACursor();
	return { pages, values };
}

export const notACursor = (): AppError => cursorError("is not a cursor from a response");
const cursorError = (msg: string) => invalid([{ loc: ["query", "cursor"], msg }]);

const digest = (list: unknown): string => hash("sha256", JSON.stringify(list), "base64url").slice(0, 12);

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
