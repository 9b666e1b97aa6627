/**
 * Documents at fixed addresses: robots.txt, site map, security contact, API catalog, MCP server card, x402 resources. Links begin with the
 * configured address or, without one, the address of the request.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { html } from "#libs/contract/documents/html.ts";
import {
	authorizationServer,
	protectedResource,
	resourceMetadataPath,
	serverMetadataPath,
} from "../authorization/oauth-metadata.ts";
import {
	aiCatalog,
	aiCatalogPath,
	aiCatalogType,
	apiCatalog,
	apiCatalogPath,
	apiCatalogType,
	catalogLink,
	discoveryLinks,
	earlierServerCardPath,
	serverCard,
	serverCardPath,
	serverCardType,
	x402Path,
	x402Resources,
} from "../documents/discovery.ts";
import { sendTagged } from "../http/answer.ts";
import { siteOf } from "../http/links.ts";
import type { Rail } from "../payments/rails/rail.ts";
import { etagOf } from "../response-cache/response-cache.ts";
import { addAsset } from "./assets.ts";

export interface WellKnownOptions {
	publicUrl: string | undefined;
	contact: string | undefined;
	/** Addresses of pages, for the site map. */
	paths: readonly string[];
	/** The rail x402, if single calls can be paid with it. */
	x402: Pick<Rail, "offer"> | undefined;
}

const securityTxtDays = 365;
const dayMs = 86_400_000;

export function addWellKnown(app: FastifyInstance, options: WellKnownOptions): void {
	const { publicUrl, contact, paths, x402 } = options;
	const site = (request: FastifyRequest) => siteOf(publicUrl, request);
	// Shared caches distinguish responses by URL, which lacks the scheme that a proxy reports, so it is in `vary`.
	const shared = { "cache-control": "public, max-age=3600", vary: "X-Forwarded-Proto" };
	// Crawlers should index the pages, but not the data that the pages read.
	app.get("/robots.txt", async (request, reply) =>
		reply
			.type("text/plain; charset=utf-8")
			.header("vary", shared.vary)
			.send(`User-agent: *\nDisallow: /web/data/\nSitemap: ${site(request)}/sitemap.xml\n`),
	);
	app.get("/sitemap.xml", async (request, reply) => {
		const urls = paths.map((path) => html`<url><loc>${site(request)}${path}</loc></url>`);
		const map = html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`.text;
		return reply
			.type("application/xml; charset=utf-8")
			.header("vary", shared.vary)
			.send(`<?xml version="1.0" encoding="UTF-8"?>\n${map}\n`);
	});
	/** Serves JSON that contains the address of the service, valid for an hour. */
	const serve = (path: string, mediaType: string, make: (site: string) => object, more: Record<string, string> = {}) =>
		app.get(path, async (request, reply) => {
			const bytes = Buffer.from(JSON.stringify(await make(site(request))));
			reply.headers({ "content-type": mediaType, ...shared, ...more });
			return sendTagged(request, reply, bytes, etagOf(bytes));
		});
	app.addHook("onRequest", linkFromRoot);
	serve(apiCatalogPath, apiCatalogType, (at) => apiCatalog(at, x402 !== undefined), { link: catalogLink });
	serve(serverCardPath, serverCardType, serverCard, forBrowsers);
	serve(earlierServerCardPath, serverCardType, serverCard, forBrowsers);
	serve(aiCatalogPath, aiCatalogType, aiCatalog, forBrowsers);
	for (const path of [resourceMetadataPath, `${resourceMetadataPath}/mcp`])
		serve(path, "application/json; charset=utf-8", protectedResource, forBrowsers);
	serve(serverMetadataPath, "application/json; charset=utf-8", authorizationServer, forBrowsers);
	if (x402 !== undefined) serve(x402Path, "application/json; charset=utf-8", (at) => x402Resources(at, x402));
	// RFC 9116 (2.5.3) requires a contact.
	if (contact === undefined) return;
	const expires = new Date(Date.now() + securityTxtDays * dayMs).toISOString();
	const body = `Contact: mailto:${contact}\nExpires: ${expires}\nPreferred-Languages: en\n`;
	addAsset(app, "/.well-known/security.txt", "text/plain; charset=utf-8", Buffer.from(body));
}

/** Headers that SEP-2127 requires for an MCP server card. */
const forBrowsers = {
	"access-control-allow-methods": "GET",
	"access-control-allow-headers": "Content-Type, If-None-Match",
};

/** Adds links to the response at `/`, for programs that know only the host. */
function linkFromRoot(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
	if (request.routeOptions.url === "/") reply.header("link", discoveryLinks);
	done();
}
