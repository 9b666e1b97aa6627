/** The interfaces of the service and what describes each, as `/.well-known/api-catalog` has them (RFC 9727, a linkset of RFC 9264). */

const profile = "https://www.rfc-editor.org/info/rfc9727";
export const apiCatalogPath = "/.well-known/api-catalog";
export const apiCatalogType = `application/linkset+json; profile="${profile}"`;

/** Of the catalogue itself (RFC 9727, 2). */
export const catalogLink = `<${apiCatalogPath}>; rel="api-catalog"; type="application/linkset+json"`;
/** Of the answer at `/`: where a program that knows only the host reads on (RFC 9727, 3; RFC 8631). */
export const discoveryLinks = [
	catalogLink,
	'</openapi.json>; rel="service-desc"; type="application/json"',
	'</docs>; rel="service-doc"; type="text/html"',
].join(", ");

interface Target {
	href: string;
	type?: string;
	title?: string;
}
/** Links from `anchor`, by relation. */
type Context = { anchor: string } & { [relation: string]: Target[] | string };

const json = "application/json";
const html = "text/html";
const text = "text/plain";
const markdown = "text/markdown";

/** `site`: where callers reach the service. `sellsCalls`: what single calls cost is at `/.well-known/x402`, too. */
export function apiCatalog(site: string, sellsCalls: boolean): { linkset: Context[] } {
	const to = (path: string, type: string, title?: string): Target => ({
		href: `${site}${path}`,
		type,
		...(title !== undefined && { title }),
	});
	const status = [to("/health", json)];
	const interfaces: Context[] = [
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
				to("/catalog/data", json, "Datasets with their licences"),
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
			// A POST: what another call would cost and answer.
			anchor: `${site}/quote`,
			"service-desc": [to("/openapi.json", json, "OpenAPI")],
			"service-doc": [to("/docs#quote", html, "Quotes")],
			status,
		},
	];
	const catalog = { anchor: `${site}${apiCatalogPath}`, item: interfaces.map(({ anchor }) => ({ href: anchor })) };
	return { linkset: [{ ...catalog, profile: [{ href: profile }] }, ...interfaces] };
}
