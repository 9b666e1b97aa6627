/** How programs find the tools for models before they connect: the server card (SEP-2127), and the AI Catalog that names it. */
import { about } from "#libs/contract/about.ts";

/** Where the extension has it, next to the address that tools are asked at. */
export const serverCardPath = "/mcp/server-card";
export const serverCardType = "application/mcp-server-card+json";
/** Where earlier drafts had it, and scanners still look. */
export const earlierServerCardPath = "/.well-known/mcp/server-card.json";
export const aiCatalogPath = "/.well-known/ai-catalog.json";
export const aiCatalogType = "application/ai-catalog+json";

const name = "energy-infrastructure-data";

/** It lists no tools: those are asked for over MCP. The name is that of the host, in reverse; a description has at most 100 characters. */
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

/** What of the host is made for models: one server. */
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
