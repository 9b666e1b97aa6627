/** The guides of the documentation: Markdown in `web/guides`, whose first line is the title and whose first paragraph the lead. */
import { readFileSync } from "node:fs";

export interface Guide {
	/** Name of its file, and the end of its address. */
	name: string;
	title: string;
	lead: string;
}

/** In the order in which they are shown. */
const names = ["feed", "lists", "payment", "agents", "files", "cli", "webhooks", "streams", "past", "sql"];

export const guides: readonly Guide[] = names.map((name) => {
	const text = readFileSync(new URL(`../../../web/guides/${name}.md`, import.meta.url), "utf8");
	const [, title, lead] = /^# (.+)\n\n(.+)\n/.exec(text) ?? [];
	if (title === undefined || lead === undefined) throw new Error(`web/guides/${name}.md has no title and lead`);
	return { name, title, lead };
});
