/** The guides of /docs, by kind (Diátaxis), read from their Markdown in web/guides. */
import { readFileSync } from "node:fs";
import { type Block, blocksOf, idOf } from "#libs/contract/documents/markdown.ts";

export const guidesPath = "/docs/guides";

export interface Guide {
	name: string;
	path: `/${string}`;
	kind: string;
	title: string;
	lead: string;
	/** Headings, and the terms in the first columns of tables, each with its address. */
	sections: { title: string; address: string; isHeading: boolean }[];
	/** The blocks after title and lead. */
	blocks: Block[];
	markdown: string;
}

/** Guides by kind, in the order of the links "Previous" and "Next". */
const names: Record<string, readonly string[]> = {
	Tutorial: ["start"],
	"How-to": ["cookbook", "lists", "feed", "past", "files", "sql", "cli", "agents", "webhooks", "streams", "payment"],
	Reference: ["glossary"],
	Explanation: ["concepts"],
};

/** Guides that are not below `guidesPath`. */
const ownPaths: Record<string, Guide["path"]> = { glossary: "/docs/glossary" };

export const guides: readonly Guide[] = Object.entries(names).flatMap(([kind, all]) =>
	all.map((name) => readGuide(name, kind)),
);

export const kindsOfGuides = Object.keys(names);

export const markdownOf = ({ markdown }: Guide, site: string): string => markdown.replaceAll("$BASE", site);

function readGuide(name: string, kind: string): Guide {
	const markdown = readFileSync(new URL(`../../../web/guides/${name}.md`, import.meta.url), "utf8");
	const [title, lead, ...blocks] = blocksOf(markdown);
	if (title?.kind !== "heading" || lead?.kind !== "paragraph")
		throw new Error(`web/guides/${name}.md must begin with a heading and a paragraph`);
	const path = ownPaths[name] ?? (`${guidesPath}/${name}` as const);
	const sections = blocks.flatMap((block) =>
		titlesIn(block).map((title) => ({
			title: title.replaceAll("`", ""),
			address: `${path}#${idOf(title)}`,
			isHeading: block.kind === "heading",
		})),
	);
	return { name, path, kind, title: title.text, lead: lead.text.replaceAll("`", ""), sections, blocks, markdown };
}

function titlesIn(block: Block): string[] {
	if (block.kind === "heading") return [block.text];
	return block.kind === "table" ? block.rows.flatMap(([term]) => term ?? []) : [];
}
