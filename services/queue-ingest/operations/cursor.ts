/** What a caller holds of a walk between two pages. No secret: who alters it reads another page of public data, or none. */
import { hash } from "node:crypto";
import { z } from "zod";
import { invalid } from "#libs/contract/errors.ts";
import type { Moment } from "./moments.ts";

export interface Cursor extends Moment {
	/** The next. */
	page: number;
	/** The id after which it begins; null where the order is not by id. */
	after: string | null;
	/** Rows of the whole walk. */
	total: number;
}

const schema = z.tuple([
	z.string(),
	z.string(),
	z.int().min(0),
	z.int().min(1),
	z
		.string()
		.refine((id) => !id.includes("\u0000"))
		.nullable(),
	z.int().min(0),
]);

/** `question`: filters, order and size of a page, as text. */
export function writeCursor(question: string, { snapshot, dataVersion, page, after, total }: Cursor): string {
	const fields: z.input<typeof schema> = [digest(question), snapshot, dataVersion, page, after, total];
	return Buffer.from(JSON.stringify(fields)).toString("base64url");
}

/** Throws 422 for what is none, or is another question's. */
export function readCursor(question: string, text: string): Cursor {
	const parsed = schema.safeParse(parse(Buffer.from(text, "base64url").toString()));
	if (!parsed.success) throw refused("is not one that was handed out");
	const [asked, snapshot, dataVersion, page, after, total] = parsed.data;
	if (asked !== digest(question)) throw refused("is of another question: send the same filters, order and per_page");
	return { snapshot, dataVersion, page, after, total };
}

const refused = (msg: string) => invalid([{ loc: ["query", "cursor"], msg }]);

const digest = (question: string): string => hash("sha256", question, "base64url").slice(0, 12);

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
