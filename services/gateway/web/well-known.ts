/** What crawlers and programs look for at fixed addresses: robots.txt, the site map, a contact for security, the catalogue of the interface. */
import type { FastifyInstance } from "fastify";
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
	// Links are relative to wherever callers are, unless that is configured; in a site map they must not be.
	const { publicUrl = "" } = options;
	const site = publicUrl || "http://localhost";
	const text = (path: string, mediaType: string, body: string) => addAsset(app, path, mediaType, Buffer.from(body));
	// The data of pages is the interface's own, which is no page to be found.
	text(
		"/robots.txt",
		"text/plain; charset=utf-8",
		`User-agent: *\nDisallow: /web/data/\nSitemap: ${site}/sitemap.xml\n`,
	);
	const urls = paths.map((path) => html`<url><loc>${site}${path}</loc></url>`);
	text(
		"/sitemap.xml",
		"application/xml; charset=utf-8",
		`<?xml version="1.0" encoding="UTF-8"?>\n${html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`.text}\n`,
	);
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
	// Without a contact there is none to name (RFC 9116, 2.5.3).
	if (contact === undefined) return;
	const expires = new Date(now.getTime() + securityDays * dayMs).toISOString();
	text(
		"/.well-known/security.txt",
		"text/plain; charset=utf-8",
		`Contact: mailto:${contact}\nExpires: ${expires}\nPreferred-Languages: en\n`,
	);
}
