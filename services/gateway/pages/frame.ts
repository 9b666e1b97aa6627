/** The HTML around the content of every page: head, navigation, footer. */
import { about } from "#libs/contract/documents/about.ts";
import { type Html, html, jsonLd } from "#libs/contract/documents/html.ts";
import { currentDatasetLd } from "../documents/dataset-ld.ts";
import type { BuiltPage } from "./assets.ts";
import type { PageText } from "./page-texts.ts";

/** The preview image of links to a page. */
export const cardPath = "/card.jpg";
const cardSize = { width: 1_200, height: 630 };

const picture = (publicUrl: string): Html => html`<meta property="og:image" content="${publicUrl}${cardPath}">
<meta property="og:image:width" content="${cardSize.width}">
<meta property="og:image:height" content="${cardSize.height}">
<meta property="og:image:alt" content="The landing page: what is in the queues, and a search">
<meta name="twitter:card" content="summary_large_image">
`;

/** Content that a page shows in browsers without scripts. */
export const needsScript = html`<noscript><p>This page needs scripts. The data does not: <a href="/openapi.json">OpenAPI</a>, <a href="/llms-full.txt">the whole reference as text</a>, <a href="/docs/events">events</a>. A key: <code>POST /register</code> with an <code>email</code>.</p></noscript>`;

export interface FrameOptions {
	/** Address of the page; undefined for an error page. */
	path?: string | undefined;
	/** Content of the page before its script runs. */
	content?: Html | undefined;
	publicUrl?: string | undefined;
}

export function frameOf(
	{ title, heading, lead, footer, feed, describesData }: PageText,
	{ script, modules, styles }: BuiltPage,
	{ path, content = needsScript, publicUrl }: FrameOptions,
): string {
	return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${lead}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${lead}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${about.name}">
${publicUrl && picture(publicUrl)}<link rel="icon" type="image/svg+xml" href="/favicon.svg">
${
	feed &&
	html`<link rel="alternate" type="application/atom+xml" href="${feed}">
`
}${styles.map(
	(address) => html`<link rel="stylesheet" href="${address}">
`,
)}${modules.map(
	(address) => html`<link rel="modulepreload" href="${address}">
`,
)}<script type="module" src="${script}"></script>
${
	describesData &&
	html`${jsonLd(currentDatasetLd(publicUrl ?? ""))}
`
}</head>
<body>
${siteHeader(about.name, path)}
<main>
<h1>${heading}</h1>
<p class="lead">${lead}</p>
<div id="page">${content}</div>
</main>
<footer>Open data of the grid operators, from their own lists.${footer && ` ${footer}`}</footer>
</body>
</html>
`.text;
}

type Link = [address: string, text: string];

/** The entries of the navigation. An entry with several links is a menu. */
const entries: (Link | { menu: string; links: Link[] })[] = [
	["/explore", "Explore"],
	["/changes", "Changes"],
	["/developers", "Developers"],
	["/investable", "Investable"],
	{
		menu: "Data",
		links: [
			["/datacenters", "Data centers"],
			["/market/prices", "Prices"],
			["/grid/plants", "Power plants"],
			["/pois", "Points of interconnection"],
			["/events", "News"],
			["/deals/itc", "Tax credits"],
			["/capital/leaderboard", "Capital"],
			["/scores", "Scores"],
			["/reconciliation", "Reconciliation"],
			["/status", "Status"],
			["/sql", "SQL"],
		],
	},
	["/docs", "Docs"],
	["/account", "Account"],
];

export const navigation: Link[] = entries.flatMap((entry) => ("menu" in entry ? entry.links : [entry]));

export const siteHeader = (name: string, path: string | undefined): Html =>
	html`<a class="skip" href="#page">Skip to the content</a>
<header class="site"><nav aria-label="Site"><a href="/"${path === "/" ? html` aria-current="page"` : undefined}>${name}</a>${linksOf(path)}</nav></header>`;

/** The links, of which the one to this page, or else to its parent page, is marked. A menu is a popover, which needs no script. */
function linksOf(path: string | undefined): Html[] {
	const addresses = navigation.map(([address]) => address);
	const exact = addresses.find((address) => address === path);
	const current = exact ?? addresses.find((address) => path?.startsWith(`${address}/`));
	const linkOf = ([address, text]: Link): Html => {
		const mark = address !== current ? undefined : html` aria-current="${exact === undefined ? "true" : "page"}"`;
		return html` <a href="${address}"${mark}>${text}</a>`;
	};
	return entries.map((entry) => {
		if (!("menu" in entry)) return linkOf(entry);
		const isCurrent = entry.links.some(([address]) => address === current);
		return html` <button type="button" class="menu" popovertarget="menu"${isCurrent ? html` data-current` : undefined}>${entry.menu}</button><div id="menu" popover>${entry.links.map(linkOf)}</div>`;
	});
}
