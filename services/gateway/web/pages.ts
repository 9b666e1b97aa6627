/** The pages for browsers, by the operation at whose address they are: who prefers HTML gets the page, the others the operation's JSON. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { OperationName } from "#libs/contract/index.ts";
import { about } from "../documents/about.ts";
import { addAsset } from "../documents/asset.ts";
import { sendTagged } from "../http/answer.ts";
import { everyAnswer } from "../http/headers.ts";
import { prefersPage } from "../http/prefers-page.ts";
import { type Html, html } from "../pages/html.ts";
import { pagePolicy, workerPolicy } from "../pages/policy.ts";
import { etagOf } from "../response-cache/response-cache.ts";
import { assetsPath, type Built, type BuiltPage, readBuilt } from "./built.ts";
import { navigation, ownPages, type PageText, pagesOfOperations } from "./page-texts.ts";

export interface Page {
	bytes: Buffer;
	etag: string;
	policy: string;
}

const headers = {
	"content-type": "text/html; charset=utf-8",
	"cache-control": "public, no-cache",
	vary: "Accept",
};

const kept = { "cache-control": "public, max-age=31536000, immutable" };
/** A worker is under the policy of its own script: it may read from here. */
const workerExtension = "mjs";
const ofWorker = {
	...kept,
	"content-security-policy": `${everyAnswer["content-security-policy"]}; connect-src 'self'`,
};

const mediaTypes: Record<string, string> = {
	js: "text/javascript; charset=utf-8",
	css: "text/css; charset=utf-8",
	mjs: "text/javascript; charset=utf-8",
	json: "application/json; charset=utf-8",
};

/** What stands in a page before its script runs, by operation. */
export type PageContents = Partial<Record<OperationName, Html>>;

/** Serves what the pages consist of, whose names change with their content. */
export function addPages(app: FastifyInstance, contents: PageContents, built = readBuilt()): Map<OperationName, Page> {
	for (const [name, bytes] of built.files) {
		const [, extension = ""] = /\.(\w+)$/.exec(name) ?? [];
		const mediaType = mediaTypes[extension];
		if (mediaType === undefined) throw new Error(`a page consists of ${name}, whose media type is unknown`);
		addAsset(app, `${assetsPath}/${name}`, mediaType, bytes, extension === workerExtension ? ofWorker : kept);
	}
	for (const [path, text] of Object.entries(ownPages)) {
		const page = pageOf(text, built);
		app.get(path, async (request, reply) => sendPage(request, reply, page));
	}
	return new Map(
		(Object.entries(pagesOfOperations) as [OperationName, PageText][]).map(([operation, text]) => [
			operation,
			pageOf({ footer: "Programs get JSON at this address.", ...text }, built, contents[operation]),
		]),
	);
}

function pageOf(text: PageText, built: Built, content?: Html): Page {
	const parts = built.pages.get(text.folder);
	if (parts === undefined) throw new Error(`the page ${text.folder} is not built`);
	const bytes = Buffer.from(document(text, parts, content));
	return { bytes, etag: etagOf(bytes), policy: text.hasWorkers ? workerPolicy : pagePolicy };
}

/** Whether this request is answered with the page. */
export const wantsPage = ({ method, headers }: FastifyRequest): boolean =>
	(method === "GET" || method === "HEAD") && prefersPage(headers);

export const sendPage = (request: FastifyRequest, reply: FastifyReply, { bytes, etag, policy }: Page): FastifyReply =>
	sendTagged(request, reply.headers({ ...headers, "content-security-policy": policy }), bytes, etag);

const links = navigation.map(([address, text]) => html` <a href="${address}">${text}</a>`);

const empty = html`<noscript><p>This page needs scripts. The data does not: <a href="/openapi.json">OpenAPI</a>, <a href="/llms-full.txt">the whole reference as text</a>, <a href="/docs/events">events</a>.</p></noscript>`;

/** The frame; what moves is filled in by the page's script. */
function document(
	{ title, heading, lead, footer }: PageText,
	{ script, modules, styles }: BuiltPage,
	content: Html = empty,
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
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
${styles.map(
	(address) => html`<link rel="stylesheet" href="${address}">
`,
)}${modules.map(
	(address) => html`<link rel="modulepreload" href="${address}">
`,
)}<script type="module" src="${script}"></script>
</head>
<body>
<header class="site"><nav aria-label="Site"><a href="/">${about.name}</a>${links}</nav></header>
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
