/** Metadata that describes how assistants get a token for `/mcp`: the protected resource (RFC 9728) and its authorization server (RFC 8414). */
import { about } from "#libs/contract/documents/about.ts";

export const oauthScope = "mcp";

export const oauthPaths = {
	authorization: "/oauth/authorize",
	token: "/oauth/token",
	registration: "/oauth/register",
	revocation: "/oauth/revoke",
	/** The page on which the owner of a key consents. */
	interaction: "/oauth/interaction",
} as const;

export const resourceMetadataPath = "/.well-known/oauth-protected-resource";
export const serverMetadataPath = "/.well-known/oauth-authorization-server";

export const protectedResource = (site: string) => ({
	resource: `${site}/mcp`,
	authorization_servers: [site],
	scopes_supported: [oauthScope],
	bearer_methods_supported: ["header"],
	resource_name: about.name,
	resource_documentation: `${site}/docs/guides/agents`,
});

export const authorizationServer = (site: string) => ({
	issuer: site,
	authorization_endpoint: `${site}${oauthPaths.authorization}`,
	token_endpoint: `${site}${oauthPaths.token}`,
	registration_endpoint: `${site}${oauthPaths.registration}`,
	revocation_endpoint: `${site}${oauthPaths.revocation}`,
	scopes_supported: [oauthScope],
	response_types_supported: ["code"],
	response_modes_supported: ["query"],
	grant_types_supported: ["authorization_code", "refresh_token"],
	token_endpoint_auth_methods_supported: ["none"],
	revocation_endpoint_auth_methods_supported: ["none"],
	code_challenge_methods_supported: ["S256"],
	authorization_response_iss_parameter_supported: true,
	service_documentation: `${site}/docs/guides/agents`,
});

/** `WWW-Authenticate` of a 401 from `/mcp`. */
export const challenge = (site: string, error?: string): string =>
	[
		`Bearer resource_metadata="${site}${resourceMetadataPath}/mcp"`,
		`scope="${oauthScope}"`,
		...(error === undefined ? [] : [`error="${error}"`]),
	].join(", ");
