/** HTML templates. Inserted values are escaped, unless they are HTML that such a template has produced. */

const isHtml: unique symbol = Symbol("html");

/** HTML that a template has produced, so that no caller's value in it can act as markup. */
export interface Html {
	readonly [isHtml]: true;
	readonly text: string;
}

type Content = string | number | Html | Html[] | undefined;

/** Renders a template; undefined renders as nothing. Attribute values must be quoted in the template, because spaces are not escaped. */
export function html(markup: TemplateStringsArray, ...parts: Content[]): Html {
	const text = markup.reduce((before, after, index) => before + render(parts[index - 1]) + after);
	return { [isHtml]: true, text };
}

/** Renders a value as a JSON-LD script. Browsers do not execute such a script, so the Content-Security-Policy need not permit it. */
export function jsonLd(value: object): Html {
	const json = JSON.stringify(value).replaceAll("<", "\\u003c");
	return { [isHtml]: true, text: `<script type="application/ld+json">${json}</script>` };
}

function render(part: Content): string {
	if (part === undefined) return "";
	if (typeof part === "number") return String(part);
	if (typeof part === "string") return escaped(part);
	return Array.isArray(part) ? part.map((piece) => piece.text).join("") : part.text;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
