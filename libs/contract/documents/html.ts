/** HTML by template: inserted values are escaped, unless this template made them. */

const made: unique symbol = Symbol("html");

/** HTML in which no value of a caller is markup. */
export interface Html {
	readonly [made]: true;
	readonly text: string;
}

type Content = string | number | Html | Html[] | undefined;

/** Undefined renders as nothing. Attribute values must be quoted in the template, because spaces are not escaped. */
export function html(markup: TemplateStringsArray, ...parts: Content[]): Html {
	const text = markup.reduce((before, after, place) => before + render(parts[place - 1]) + after);
	return { [made]: true, text };
}

/** A value as JSON-LD. Browsers do not run such a block, so the Content-Security-Policy need not permit it. */
export function jsonLd(value: object): Html {
	const json = JSON.stringify(value).replaceAll("<", "\\u003c");
	return { [made]: true, text: `<script type="application/ld+json">${json}</script>` };
}

function render(part: Content): string {
	if (part === undefined) return "";
	if (typeof part === "number") return String(part);
	if (typeof part === "string") return escaped(part);
	return Array.isArray(part) ? part.map((piece) => piece.text).join("") : part.text;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
