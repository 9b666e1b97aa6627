import { Parser } from "htmlparser2";
import { expect, test } from "vitest";
import { html } from "./html.ts";

const hostile = [
	`"><script>alert(1)</script>`,
	`' autofocus onfocus='alert(1)`,
	"</title><img src=x onerror=alert(1)>",
	"&quot;&lt;script&gt;",
	"<!--",
	"javascript:alert(1)",
];

interface Element {
	tag: string;
	attributes: Record<string, string>;
}

/** The page as a browser sees it. */
function parse(page: string): { elements: Element[]; text: string } {
	const elements: Element[] = [];
	let text = "";
	const parser = new Parser({
		onopentag: (tag, attributes) => void elements.push({ tag, attributes: { ...attributes } }),
		ontext: (piece) => {
			text += piece;
		},
	});
	parser.end(page);
	return { elements, text };
}

test("escapes values in elements and attributes", () => {
	for (const text of hostile) {
		const page = html`<p title="${text}">${text}</p><i title='${text}'></i>`.text;
		const { elements, text: read } = parse(page);
		expect(elements).toEqual([
			{ tag: "p", attributes: { title: text } },
			{ tag: "i", attributes: { title: text } },
		]);
		expect(read).toBe(text);
	}
});

test("does not escape its own output again", () => {
	const rows = ["a", "<b>"].map((text) => html`<li>${text}</li>`);
	expect(html`<ul>${rows}${undefined}${3}</ul>`.text).toBe("<ul><li>a</li><li>&lt;b&gt;</li>3</ul>");
});
