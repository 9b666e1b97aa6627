/**
 * Documents that describe the service to a program that knows only the host: the API catalog, the MCP server card, resources sold by x402.
 */
import { about } from "#libs/contract/documents/about.ts";
import { unavailable } from "#libs/contract/errors.ts";
import { priceMicroUsd } from "#libs/contract/vocabulary.ts";
import type { Rail } from "../payments/rails/rail.ts";
import { mediaTypeOf } from "../payments/rails/x402/extensions.ts";
import { type HttpOperation, httpOperations, isSold } from "../registry/bindings.ts";

const profile = "https://www.rfc-editor.org/info/rfc9727";
export const apiCatalogPath = "/.well-known/api-catalog";
export const apiCatalogType = `application/linkset+json; profile="${profile}"`;

export const catalogLink = `<${apiCatalogPath}>; rel="api-catalog"; type="application/linkset+json"`;
/** The `Link` header of the response at `/` (RFC 9727, section 3; RFC 8631). */
export const discoveryLinks = [
	catalogLink,
	'</openapi.json>; rel="service-desc"; type="application/json"',
	'</docs>; rel="service-doc"; type="text/html"',
].join(", ");

const json = "application/json";
const html = "text/html";
const text = "text/plain";
const markdown = "text/markdown";

/** The linkset of RFC 9727. `sellsCalls`: x402 payments are accepted, so the linkset includes `/.well-known/x402`. */
export function apiCatalog(site: string, sellsCalls: boolean): object {
	const to = (path: string, type: string, title?: string) => ({
		href: `${site}${path}`,
		type,
		...(title !== undefined && { title }),
	});
	const status = [to("/health", json)];
	const interfaces = [
		{
			anchor: `${site}/`,
			"service-desc": [to("/openapi.json", json, "OpenAPI"), to("/asyncapi.json", json, "AsyncAPI")],
			"service-doc": [
				to("/docs", html, "Documentation"),
				to("/docs/events", html, "Events"),
				to("/llms.txt", text, "Orientation for language models"),
				to("/llms-full.txt", markdown, "Reference for language models"),
			],
			"service-meta": [
				to("/catalog", json, "Endpoints with their prices"),
				to("/catalog/data", json, "Datasets with their licenses"),
				to("/pricing-info", json, "What a call costs"),
				to("/plans", json, "What a key allows"),
				...(sellsCalls ? [to("/.well-known/x402", json, "What can be paid for by x402")] : []),
			],
			status,
		},
		{
			anchor: `${site}/mcp`,
			"service-desc": [to("/mcp/server-card", "application/mcp-server-card+json", "MCP server card")],
			"service-doc": [to("/docs/guides/agents", html, "Guide")],
			status,
		},
		{
			// POST /quote returns the price and size of another call.
			anchor: `${site}/quote`,
			"service-desc": [to("/openapi.json", json, "OpenAPI")],
			"service-doc": [to("/docs#quote", html, "Quotes")],
			status,
		},
	];
	const catalog = { anchor: `${site}${apiCatalogPath}`, item: interfaces.map(({ anchor }) => ({ href: anchor })) };
	return { linkset: [{ ...catalog, profile: [{ href: profile }] }, ...interfaces] };
}

/** The path that the MCP extension for server cards prescribes, next to `/mcp`. */
export const serverCardPath = "/mcp/server-card";
export const serverCardType = "application/mcp-server-card+json";
/** The path of earlier drafts, which scanners still request. */
export const earlierServerCardPath = "/.well-known/mcp/server-card.json";
export const aiCatalogPath = "/.well-known/ai-catalog.json";
export const aiCatalogType = "application/ai-catalog+json";

const name = "energy-infrastructure-data";

/**
 * The card lists no tools: clients request those over MCP. Its name is the host in reverse, and its description has at most 100 characters.
 */
export function serverCard(site: string): object {
	const host = new URL(site).hostname.replace(/[^a-zA-Z0-9.-]/g, "-");
	return {
		$schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
		name: `${host.split(".").reverse().join(".")}/${name}`,
		version: about.version,
		title: about.name,
		description: "Interconnection requests of the US grid operators, their changes, developers and scores.",
		websiteUrl: `${site}/docs/guides/agents`,
		remotes: [
			{
				type: "streamable-http",
				url: `${site}/mcp`,
				headers: [
					{ name: "X-API-Key", description: "A key; a free one is at /register", isRequired: false, isSecret: true },
				],
			},
		],
	};
}

export const aiCatalog = (site: string): object => ({
	specVersion: "1.0",
	host: { displayName: about.name, documentationUrl: `${site}/docs` },
	entries: [
		{
			identifier: `urn:air:${new URL(site).hostname}:mcp:${name}`,
			displayName: about.name,
			type: serverCardType,
			url: `${site}${serverCardPath}`,
		},
	],
});

export const x402Path = "/.well-known/x402";

/** @throws AppError 503 while the rail cannot make an offer */
export async function x402Resources(site: string, rail: Pick<Rail, "offer">): Promise<object> {
	const items = await Promise.all(
		httpOperations()
			.filter(({ http }) => isSold(http))
			.map((declared) => itemOf(site, declared, rail)),
	);
	return {
		version: 1,
		x402Version: 2,
		resources: items.map(({ resource }) => resource),
		instructions: `${site}/openapi.json describes every parameter and response, ${site}/llms.txt gives an overview. A call without a payment returns 402 with the same terms; the free POST ${site}/quote returns the price of a call and the size of its response.`,
		items,
	};
}

async function itemOf(site: string, { name, operation, http }: HttpOperation, rail: Pick<Rail, "offer">) {
	const resource = `${site}${http.path}`;
	const { method, path: route, price } = http;
	const { summary: description } = operation;
	const charge = { operation: name, method, route, url: resource, amountMicroUsd: priceMicroUsd[price], description };
	const offer = await rail.offer(charge);
	if (offer?.body === undefined) throw unavailable("no facilitator has answered yet: x402 is not offered", 5);
	const { accepts } = offer.body;
	return { type: "http", resource, method, description, mimeType: mediaTypeOf(name), x402Version: 2, accepts };
}
