/** The pages for browsers. At the address of an operation, a caller that prefers HTML gets the page, and any other the JSON. */
import { readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { PlainName } from "#libs/bus/requests/request.ts";
import { about } from "#libs/contract/documents/about.ts";
import { changelog } from "#libs/contract/documents/changelog.ts";
import { type Html, html } from "#libs/contract/documents/html.ts";
import { errorCodes } from "#libs/contract/error-codes.ts";
import { AppError } from "#libs/contract/errors.ts";
import {
	operations as declared,
	type OperationName,
	type OperationShape,
	type ParamsInput,
} from "#libs/contract/index.ts";
import { untilAborted } from "#libs/contract/within.ts";
import type { PageTokens } from "../authorization/page-tokens.ts";
import { newCall, type Transport } from "../calls/call.ts";
import type { AcquireCallSlot } from "../calls/call-slots.ts";
import { type Guide, guides, guidesPath, markdownOf } from "../documents/guides.ts";
import { sendTagged } from "../http/answer.ts";
import { commonHeaders, pagePolicy, workerPolicy } from "../http/headers.ts";
import { siteOf } from "../http/links.ts";
import { CodedBytes } from "../http/negotiation.ts";
import { type HttpOperation, pathParameters } from "../registry/bindings.ts";
import { jsonSchema } from "../registry/json-schema.ts";
import { paramsReader } from "../registry/params.ts";
import { etagOf, type ResponseCache } from "../response-cache/response-cache.ts";
import { addAsset, assetsPath, type Built, pageOf as builtPage, sendEncoded } from "./assets.ts";
import { cardPath, frameOf, needsScript } from "./frame.ts";
import { guideContent, guidesIndex } from "./guide-page.ts";
import { pageReads } from "./page-reads.ts";
import {
	listPages,
	ownPages,
	type PageText,
	pagesOfOperations,
	type SubjectText,
	subjectTexts,
	textOfGuide,
} from "./page-texts.ts";

export interface Page {
	coded: CodedBytes;
	etag: string;
	policy: string;
	/** The same page with another title, heading and lead. */
	withText(text: SubjectText): Page;
}

const headers = {
	"content-type": "text/html; charset=utf-8",
	// Private, because each response sets a cookie for the caller's network.
	"cache-control": "private, no-cache",
	vary: "Accept, Accept-Encoding",
};

const operations: Record<string, OperationShape> = declared;

const immutable = { "cache-control": "public, max-age=31536000, immutable" };
/** Workers get the Content-Security-Policy of their script's response, which must allow them to read from this service. */
const workerExtension = "mjs";
const workerHeaders = {
	...immutable,
	"content-security-policy": `${commonHeaders["content-security-policy"]}; connect-src 'self'`,
};

const mediaTypes: Record<string, string> = {
	js: "text/javascript; charset=utf-8",
	css: "text/css; charset=utf-8",
	mjs: "text/javascript; charset=utf-8",
	json: "application/json; charset=utf-8",
};

interface PagesOptions {
	tokens: PageTokens;
	/** Content of the page about events. */
	eventDocs: Html;
	publicUrl: string | undefined;
	built: Built;
}

/** Registers pages and their files, whose names change with their content. */
export function addPages(
	app: FastifyInstance,
	{ tokens, eventDocs, publicUrl, built }: PagesOptions,
): Map<OperationName, Page> {
	const pageOf = (path: string, text: PageText, content?: Html): Page => {
		const bytes = Buffer.from(frameOf(text, builtPage(built, text.folder), { path, content, publicUrl }));
		const policy = text.hasWorkers ? workerPolicy : pagePolicy;
		const withText = ({ heading, lead }: SubjectText) =>
			pageOf(path, { ...text, title: `${heading} - ${about.name}`, heading, lead }, content);
		return { coded: new CodedBytes(bytes), etag: etagOf(bytes), policy, withText };
	};
	addAsset(app, cardPath, "image/jpeg", readFileSync(new URL("card.jpg", import.meta.url)));
	for (const [name, bytes] of built.files) {
		const [, extension = ""] = /\.(\w+)$/.exec(name) ?? [];
		const mediaType = mediaTypes[extension];
		if (mediaType === undefined) throw new Error(`the built file ${name} has an extension without a media type`);
		addAsset(app, `${assetsPath}/${name}`, mediaType, bytes, extension === workerExtension ? workerHeaders : immutable);
	}
	for (const [path, text] of Object.entries(ownPages)) {
		const page = pageOf(path, text, path === guidesPath ? guidesIndex : undefined);
		app.get(path, async (request, reply) => sendPage(request, reply, page, tokens));
	}
	// Mail programs unsubscribe with a POST to this address (RFC 8058). Opening the link shows a page whose button does the same.
	app.get("/unsubscribe/:token", async (request, reply) => {
		const { token } = request.params as { token: string };
		return reply.redirect(`/account#stop=${encodeURIComponent(token)}`, 303);
	});
	for (const guide of guides)
		addGuide(
			app,
			guide,
			publicUrl,
			(site) => pageOf(guide.path, textOfGuide(guide), guideContent(guide, site)),
			tokens,
		);
	const contents: Partial<Record<OperationName, Html>> = {
		...Object.fromEntries(Object.keys(listPages).map((name) => [name, listContent(name)])),
		getDocs: guidesIndex,
		getEventDocs: eventDocs,
	};
	return new Map(
		(Object.entries(pagesOfOperations) as [OperationName, PageText][]).map(([operation, text]) => [
			operation,
			pageOf(
				operations[operation]?.http?.path ?? "",
				{ footer: "Programs get JSON at this address.", ...text },
				contents[operation],
			),
		]),
	);
}

/** Parameters that the form of a list page omits: parameters of paging, parameters that choose the response's fields, and deprecated ones. */
const hiddenParameters = new Set(["per_page", "cursor", "fields", "limit", "iso"]);

/** The content of a list page contains the declaration of its operation, from which the script generates the form and the table. */
function listContent(name: string): Html {
	const { http, params, reply } = operations[name] as OperationShape;
	const shown = {
		path: http?.path,
		params: Object.fromEntries(
			Object.entries(jsonSchema(params).properties ?? {}).filter(([parameter]) => !hiddenParameters.has(parameter)),
		),
		row: jsonSchema(reply).properties?.data?.items?.properties,
	};
	return html`${needsScript}<data id="registry" value="${JSON.stringify(shown)}"></data>`;
}

/** Maximum sites (scheme and host) for which the page of a guide is cached. Guides contain the address of the service, so they differ by site. */
const maxSites = 8;

/** Serves a guide as a page, and as Markdown at the same path with the extension `.md`. */
function addGuide(
	app: FastifyInstance,
	guide: Guide,
	publicUrl: string | undefined,
	make: (site: string) => Page,
	tokens: PageTokens,
): void {
	const pages = new LRUCache<string, Page>({ max: maxSites, memoMethod: make });
	app.get(guide.path, async (request, reply) =>
		sendPage(request, reply, pages.memo(siteOf(publicUrl, request)), tokens),
	);
	app.get(`${guide.path}.md`, async (request, reply) => {
		const bytes = Buffer.from(markdownOf(guide, siteOf(publicUrl, request)));
		reply.headers({ "content-type": "text/markdown; charset=utf-8", "cache-control": "no-cache" });
		return sendTagged(request, reply, bytes, etagOf(bytes));
	});
}

export async function sendPage(
	request: FastifyRequest,
	reply: FastifyReply,
	{ coded, etag, policy }: Page,
	tokens: PageTokens,
): Promise<FastifyReply> {
	reply.header("set-cookie", tokens.cookieFor(request.ip, request.protocol === "https"));
	reply.headers({ ...headers, "content-security-policy": policy });
	return sendEncoded(request, reply, coded, etag);
}

export function addDocumentation(app: FastifyInstance): void {
	const content = {
		reads: pageReads().map(({ name }) => name),
		guides: guides.map(({ kind, path, title, lead, sections }) => ({
			...{ kind, path, title, lead },
			sections: sections.map(({ title, address }) => ({ title, address })),
		})),
		errors: Object.entries(errorCodes).map(([code, note]) => ({ code, ...note })),
		changelog,
	};
	addAsset(app, "/web/documentation.json", "application/json; charset=utf-8", Buffer.from(JSON.stringify(content)));
}

export interface SubjectOptions {
	responseCache: ResponseCache;
	acquireSlot: AcquireCallSlot;
}

/** After this time, the page is sent without the check. */
const maxCheckMs = 1_000;

/**
 * @returns a function that checks whether the subject of a page exists, and returns texts about it. It requests the response that the page will
 * read, which is then cached. It throws AppError 4xx if there is no such subject, and returns undefined if the owner does not respond in time
 */
export function subjectCheck(operation: HttpOperation, { responseCache, acquireSlot }: SubjectOptions) {
	const { name, http } = operation;
	if (pathParameters(http.path).length === 0) return async () => undefined;
	const read = paramsReader(name);
	return async (transport: Transport): Promise<SubjectText | undefined> => {
		const params = read(transport.path, dayIn(transport.query)) as ParamsInput<PlainName>;
		const call = newCall(operation, transport);
		const reading = responseCache.get(name as PlainName, params, () => acquireSlot(call));
		try {
			const { bytes } = await untilAborted(reading, AbortSignal.timeout(maxCheckMs));
			return subjectTexts[name]?.(bytes.toString());
		} catch (error) {
			if (error instanceof AppError && error.status < 500 && error.status !== 429) throw error;
			return undefined;
		}
	};
}

/** The part of a page's query that names a day (`as_of`). Other parameters, such as those of marketing campaigns, are ignored. */
function dayIn(query: string): string {
	const as_of = new URLSearchParams(query).get("as_of");
	return as_of === null ? "" : new URLSearchParams({ as_of }).toString();
}
