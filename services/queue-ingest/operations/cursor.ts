/** What a caller holds of a walk between two pages. No secret: who alters it reads another page of public data, or none. */
import { hash } from "node:crypto";
import { z } from "zod";
import { invalid } from "#libs/contract/errors.ts";

/** `question`: filters, order and size of a page, as text. `fields`: what the list's own shape reads again. */
export function writeCursor(question: string, fields: readonly unknown[]): string {
	return Buffer.from(JSON.stringify([digest(question), ...fields])).toString("base64url");
}

/** Throws 422 for what is none, or is another question's. */
export function readCursor<T>(question: string, text: string, fields: z.ZodType<T>): T {
	const parsed = z.tuple([z.string()], z.unknown()).safeParse(parse(Buffer.from(text, "base64url").toString()));
	if (!parsed.success) throw isNone();
	const [asked, ...rest] = parsed.data;
	const read = fields.safeParse(rest);
	if (!read.success) throw isNone();
	if (asked !== digest(question)) throw refused("is of another question: send the same filters, order and per_page");
	return read.data;
}

const isNone = () => refused("is not one that was handed out");
const refused = (msg: string) => invalid([{ loc: ["query", "cursor"], msg }]);

const digest = (question: string): string => hash("sha256", question, "base64url").slice(0, 12);

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
