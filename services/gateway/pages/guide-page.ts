/** The pages of the guides. They need no script. */

import { type Html, html } from "#libs/contract/documents/html.ts";
import { type Block, type Inline, idOf, inlinesOf } from "#libs/contract/documents/markdown.ts";
import { type Token, tokensOf } from "#libs/highlight/highlight.ts";
import { type Guide, guides, kindsOfGuides } from "../documents/guides.ts";

export function guideContent(guide: Guide, site: string): Html {
	const place = guides.indexOf(guide);
	return html`<div class="docs">
<article class="guide">
<p class="soft">${guide.kind}. <a href="${guide.path}.md">This page as Markdown</a> <span id="copy"></span></p>
${guide.blocks.map((block) => renderBlock(block, site))}
<nav class="turns" aria-label="Previous and next">${guideLink("Previous", guides[place - 1])} ${guideLink("Next", guides[place + 1])}</nav>
</article>
${sidebar(guide)}
</div>`;
}

const guideLink = (label: string, guide: Guide | undefined): Html =>
	guide === undefined ? html`<span></span>` : html`<a href="${guide.path}">${label}: ${guide.title}</a>`;

/** Pages of the documentation that are not guides, by kind. */
const others: Record<string, [address: string, title: string][]> = {
	Reference: [
		["/docs#endpoints", "Endpoints"],
		["/docs/events", "Events"],
		["/docs#errors", "Errors"],
		["/docs#changelog", "What changed"],
	],
};

/** The list of guides. It follows the text in the document, so that it does not push the text down on a phone. */
const sidebar = (current: Guide): Html => html`<nav class="contents" aria-label="Documentation">
<div id="search"></div>
${kindsOfGuides.map(
	(kind) => html`<h2>${kind}</h2>
<ul>
${guides.filter((guide) => guide.kind === kind).map((guide) => (guide === current ? currentItem(guide) : itemOf(guide.path, guide.title)))}${(others[kind] ?? []).map(([address, title]) => itemOf(address, title))}</ul>
`,
)}</nav>`;

const itemOf = (address: string, title: string): Html => html`<li><a href="${address}">${title}</a></li>
`;

const currentItem = ({
	path,
	title,
	sections,
}: Guide): Html => html`<li><a href="${path}" aria-current="page">${title}</a>
<ul>
${sections.filter(({ isHeading }) => isHeading).map((section) => itemOf(section.address, section.title))}</ul>
</li>
`;

/** The guides by kind, each with its lead. */
export const guidesIndex: Html = html`${kindsOfGuides.map(
	(kind) => html`<h2>${kind}</h2>
<ul>
${guides
	.filter((guide) => guide.kind === kind)
	.map(
		({ path, title, lead }) => html`<li><a href="${path}">${title}</a>: ${lead}</li>
`,
	)}${(others[kind] ?? []).map(([address, title]) => itemOf(address, title))}</ul>
`,
)}`;

function renderBlock(block: Block, site: string): Html {
	if (block.kind === "heading")
		return html`<h2 id="${idOf(block.text)}">${block.text}</h2>
`;
	if (block.kind === "code")
		return html`<div class="code"><pre><code>${tokensOf(block.text.replaceAll("$BASE", site), block.language).map(renderToken)}</code></pre></div>
`;
	if (block.kind === "list")
		return html`<ul>${block.items.map((text) => html`<li>${renderInlines(text)}</li>`)}</ul>
`;
	if (block.kind === "paragraph")
		return html`<p>${renderInlines(block.text)}</p>
`;
	return html`<table class="stacked">
<thead><tr>${block.head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
<tbody>
${block.rows.map(
	([
		term = "",
		...cells
	]) => html`<tr id="${idOf(term)}"><th scope="row">${renderInlines(term)}</th>${cells.map((text) => html`<td>${renderInlines(text)}</td>`)}</tr>
`,
)}</tbody>
</table>
`;
}

const renderToken = ({ scope, text }: Token): Html =>
	scope === undefined ? html`${text}` : html`<span class="code-${scope}">${text}</span>`;

const renderInlines = (text: string): Html[] => inlinesOf(text).map(renderInline);

function renderInline(inline: Inline): Html {
	if (inline.kind === "link") return html`<a href="${inline.address}">${inline.text}</a>`;
	if (inline.kind === "code") return html`<code>${inline.text}</code>`;
	return inline.kind === "strong" ? html`<b>${inline.text}</b>` : html`${inline.text}`;
}
