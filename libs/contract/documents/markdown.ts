/** A parser for the subset of Markdown that the guides use: headings, paragraphs, lists, tables, fenced code, and inline marks. */

export type Block =
	| { kind: "heading"; text: string }
	| { kind: "paragraph"; text: string }
	| { kind: "list"; items: string[] }
	| { kind: "table"; head: string[]; rows: string[][] }
	| { kind: "code"; language: string; text: string };

export type Inline =
	| { kind: "text" | "code" | "strong"; text: string }
	| { kind: "link"; text: string; address: string };

/** Parses Markdown into blocks. @throws Error if a code block is not closed */
export function blocksOf(markdown: string): Block[] {
	const blocks: Block[] = [];
	const lines = markdown.split("\n");
	while (lines.length > 0) {
		const line = lines.shift() ?? "";
		if (line.trim() === "") continue;
		if (line.startsWith("```")) {
			const end = lines.indexOf("```");
			if (end === -1) throw new Error(`the code block that starts with "${line}" is not terminated`);
			blocks.push({ kind: "code", language: line.slice(3).trim(), text: lines.splice(0, end).join("\n") });
			lines.shift();
		} else if (/^##? /.test(line)) blocks.push({ kind: "heading", text: line.replace(/^#+ /, "") });
		else if (line.startsWith("- "))
			blocks.push({ kind: "list", items: [line, ...takeWhile(lines, "- ")].map(stripBullet) });
		else if (line.startsWith("| ")) {
			const [, ...rows] = takeWhile(lines, "|").map(cells);
			blocks.push({ kind: "table", head: cells(line), rows });
		} else blocks.push({ kind: "paragraph", text: [line, ...takeParagraph(lines)].join(" ") });
	}
	return blocks;
}

const stripBullet = (line: string): string => line.slice(2);

const cells = (line: string): string[] =>
	line
		.slice(1, -1)
		.split("|")
		.map((cell) => cell.trim());

function takeWhile(lines: string[], start: string): string[] {
	const end = lines.findIndex((line) => !line.startsWith(start));
	return lines.splice(0, end === -1 ? lines.length : end);
}

function takeParagraph(lines: string[]): string[] {
	const end = lines.findIndex((line) => line.trim() === "" || /^(```|##? |- |\| )/.test(line));
	return lines.splice(0, end === -1 ? lines.length : end);
}

/** Parses inline marks. Links may lead to paths of the service or to https addresses; any other link remains text. */
export function inlinesOf(text: string): Inline[] {
	const parts = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(((?:\/|#|https:\/\/)[^)\s]*)\)/g;
	const inlines: Inline[] = [];
	let at = 0;
	for (const match of text.matchAll(parts)) {
		const [whole, code, strong, link, address = ""] = match;
		if (match.index > at) inlines.push({ kind: "text", text: text.slice(at, match.index) });
		if (code !== undefined) inlines.push({ kind: "code", text: code });
		else if (strong !== undefined) inlines.push({ kind: "strong", text: strong });
		else inlines.push({ kind: "link", text: link ?? "", address });
		at = match.index + whole.length;
	}
	if (at < text.length) inlines.push({ kind: "text", text: text.slice(at) });
	return inlines;
}

/** The URL fragment that identifies a heading or a term. */
export const idOf = (text: string): string =>
	text
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^-|-$/g, "");
