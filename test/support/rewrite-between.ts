/** The parts of documents that programs write: what stands between two marks, which are lines of their own. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Replaces what stands between the marks by what `make` makes of it. */
export function rewriteBetween(
	path: string,
	[begin, end]: readonly [string, string],
	make: (old: string) => string,
): void {
	if (!existsSync(path)) throw new Error(`${path} is missing`);
	const [before, rest] = cut(readFileSync(path, "utf8"), begin);
	const [old, after] = cut(rest, end);
	writeFileSync(path, `${before}${begin}\n${make(old)}\n${end}${after}`);
}

function cut(text: string, mark: string): [string, string] {
	const at = text.indexOf(mark);
	if (at < 0) throw new Error(`the document has no line ${mark}`);
	return [text.slice(0, at), text.slice(at + mark.length)];
}
