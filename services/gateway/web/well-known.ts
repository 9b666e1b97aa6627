/** What crawlers and programs look for at fixed addresses: robots.txt, the site map, a contact for security, the catalogue of the interface. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { about } from "#libs/contract/about.ts";
import { addAsset } from "../documents/asset.ts";
import { html } from "../pages/html.ts";

export interface WellKnownOptions {
	/** With its scheme, without a slash at the end. */
	publicUrl: string | undefined;
	/** The operator's e-mail address. */
	contact: string | undefined;
	/** Addresses of pages. */
	paths: readonly string[];
	now?: Date;
}

const securityDays = 365;
const dayMs = 86_400_000;

export function addWellKnown(app: FastifyInstance, options: WellKnownOptions): void {
	const { contact, paths, now = new Date() } = options;
	// Links are relative to wherever callers are, unless that is configured.
	const { publicUrl = "" } = options;
	const text = (path: string, mediaType: string, body: string) => addAsset(app, path, mediaType, Buffer.from(body));
	// A site map must have whole addresses: where none is configured, those by which it is asked for.
	const siteOf = ({ protocol, host }: FastifyRequest) => publicUrl || `${protocol}://${host}`;
	// The data of pages is the interface's own, which is no page to be found.
	app.get("/robots.txt", async (request, reply) =>
		reply
			.type("text/plain; charset=utf-8")
			.send(`User-agent: *\nDisallow: /web/data/\nSitemap: ${siteOf(request)}/sitemap.xml\n`),
	);
	app.get("/sitemap.xml", async (request, reply) => {
		const urls = paths.map((path) => html`<url><loc>${siteOf(request)}${path}</loc></url>`);
		const map = html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`.text;
		return reply.type("application/xml; charset=utf-8").send(`<?xml version="1.0" encoding="UTF-8"?>\n${map}\n`);
	});
	const catalog = {
		linkset: [
			{
				anchor: `${publicUrl}/`,
				"service-desc": [
					{ href: `${publicUrl}/openapi.json`, type: "application/json" },
					{ href: `${publicUrl}/asyncapi.json`, type: "application/json" },
				],
				"service-doc": [{ href: `${publicUrl}/docs`, type: "text/html" }],
				status: [{ href: `${publicUrl}/health`, type: "application/json" }],
			},
		],
	};
	text("/.well-known/api-catalog", "application/linkset+json", JSON.stringify(catalog));
	app.get("/.well-known/mcp/server-card.json", async (request, reply) =>
		reply.header("cache-control", "public, max-age=3600").send(serverCard(siteOf(request))),
	);
	// Without a contact there is none to name (RFC 9116, 2.5.3).
	if (contact === undefined) return;
	const expires = new Date(now.getTime() + securityDays * dayMs).toISOString();
	text(
		"/.well-known/security.txt",
		"text/plain; charset=utf-8",
		`Contact: mailto:${contact}\nExpires: ${expires}\nPreferred-Languages: en\n`,
	);
}

/** How to connect to the tools for models (SEP-2127). The name is that of the host, in reverse; a description has at most 100 characters. */
function serverCard(site: string) {
	return {
		$schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
		name: `${new URL(site).hostname.split(".").reverse().join(".")}/energy-infrastructure-data`,
		version: about.version,
		title: about.name,
		description: "Interconnection requests of the US grid operators, their changes, developers and scores.",
		remotes: [{ type: "streamable-http", url: `${site}/mcp` }],
	};
}
