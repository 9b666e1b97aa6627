/**
 * The parser of the format's authors, with its regular expressions as they are: `parse_llms_txt` of llms_txt/miniparse.py in
 * AnswerDotAI/llms-txt 0.0.6. It is Python, which not every machine has.
 */

export interface LlmsTxt {
	title: string;
	summary: string | undefined;
	info: string;
	sections: Map<string, Link[]>;
}

export interface Link {
	title: string;
	url: string;
	desc: string | undefined;
}

/** @throws where the original does: a heading that is missing, a line of a section that has no link */
export function parseLlmsTxt(text: string): LlmsTxt {
	const [start = "", ...rest] = text.split(/^##\s*(.*?$)/m);
	const sections = new Map<string, Link[]>();
	for (let place = 0; place < rest.length; place += 2) sections.set(rest[place] ?? "", linksIn(rest[place + 1] ?? ""));
	const head = /^#\s*(?<title>.+?$)\n+(?:^>\s*(?<summary>.+?$)$)?\n+(?<info>.*)/ms.exec(start.trim());
	const { title, summary, info } = groupsOf(head, start);
	return { title: title ?? "", summary, info: info ?? "", sections };
}

const linksIn = (section: string): Link[] =>
	linesOf(section).map((line) => {
		const link = /-\s*\[(?<title>[^\]]+)\]\((?<url>[^)]+)\)(?::\s*(?<desc>.*))?/.exec(line);
		const { title = "", url = "", desc } = groupsOf(link, line);
		return { title, url, desc };
	});

const linesOf = (section: string): string[] =>
	section
		.trim()
		.split(/\n+/)
		.filter((line) => line.trim() !== "");

function groupsOf(found: RegExpExecArray | null, text: string): Record<string, string | undefined> {
	if (found?.groups === undefined) throw new Error(`the parser cannot read ${JSON.stringify(text.slice(0, 200))}`);
	return found.groups;
}
