/** The authorization server (OAuth 2.1) by which assistants connect to `/mcp`. It is oidc-provider without the features of OpenID Connect. */
import { generateKeyPairSync } from "node:crypto";
import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import Provider, { type Configuration, errors } from "oidc-provider";
import type { Logger } from "#libs/service/logger.ts";
import { oauthPaths, oauthScope, protectedResource } from "../authorization/oauth-metadata.ts";
import type { ErrorPage } from "../http/errors.ts";
import type { RequestBilling } from "../payments/billing.ts";
import { oauthStore, storePending } from "./store.ts";

export interface ProviderOptions {
	requestBilling: RequestBilling;
	errorPage: ErrorPage;
	log: Logger;
}

/** oidc-provider requires a signing key, although no token is signed. */
const jwks = { keys: [generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })] };

const day = 86_400;
/** A connection ends when it has not been used for 30 days, and after 180 days at the latest. */
const lifetimesSeconds = {
	AccessToken: 3_600,
	AuthorizationCode: 60,
	Grant: 180 * day,
	Interaction: 600,
	RefreshToken: 30 * day,
	Session: 600,
};

/** Errors of the server, by request. The library would respond to each with 500, even to a 503 while billing is unavailable. */
const failures = new WeakMap<IncomingMessage, unknown>();

/** Lets the provider write the response. @throws errors of the server, such as AppError 503 while billing is unavailable */
export async function answerWith(
	provider: Provider,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	await provider.callback()(request, response);
	if (failures.has(request)) throw failures.get(request);
}

/** `site`: scheme and host under which callers reach the service. It is the issuer. */
export function oauthProvider(site: string, options: ProviderOptions): Provider {
	const provider = new Provider(site, configurationOf(site, options));
	// The provider then reads X-Forwarded-Proto, which `request.ts` sets to the site's scheme, so that cookies are `Secure` if that is https.
	provider.proxy = true;
	provider.on("server_error", ({ req }, error) => failures.set(req, error));
	provider.use(async (context, next) => {
		const { req } = context;
		try {
			await next();
			// Pending writes of a failed request are not stored.
			const isConsistent = failures.has(req) || (await storePending(req, options.requestBilling));
			if (!isConsistent && context.status === 200) {
				const body = { error: "invalid_grant", error_description: "another request used the code or token" };
				Object.assign(context, { status: 400, body });
			}
		} catch (error) {
			failures.set(req, error);
		}
		// `answerWith` throws the error, and the gateway responds.
		if (failures.has(req)) context.respond = false;
	});
	(provider as EventEmitter).on("error", (err) =>
		options.log.debug({ err }, "the response to an OAuth request could not be sent"),
	);
	return provider;
}

function configurationOf(site: string, { requestBilling, errorPage }: ProviderOptions): Configuration {
	const { resource } = protectedResource(site);
	const server = { scope: oauthScope, audience: resource, accessTokenFormat: "opaque" as const };
	return {
		adapter: oauthStore(requestBilling),
		scopes: [oauthScope],
		claims: {},
		responseTypes: ["code"],
		clientAuthMethods: ["none"],
		pkce: { required: () => true },
		rotateRefreshToken: true,
		// Revoking any token revokes its whole grant.
		revokeGrantPolicy: () => true,
		issueRefreshToken: (_context, client) => client.grantTypeAllowed("refresh_token"),
		expiresWithSession: () => false,
		clientBasedCORS: () => true,
		ttl: lifetimesSeconds,
		routes: { ...oauthPaths, jwks: "/oauth/jwks" },
		interactions: { url: (_context, { uid }) => `${oauthPaths.interaction}/${uid}` },
		findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
		features: {
			...disabledFeatures,
			registration: { enabled: true, issueRegistrationAccessToken: false },
			revocation: {
				enabled: true,
				allowedPolicy: (_context, client, token) => token.clientId === client.clientId,
			},
			resourceIndicators: {
				enabled: true,
				defaultResource: () => resource,
				useGrantedResource: () => true,
				getResourceServerInfo: (_context, indicator) => {
					if (indicator !== resource) throw new errors.InvalidTarget();
					return server;
				},
			},
		},
		fetch: () => Promise.reject(new Error("this authorization server does not fetch addresses that clients name")),
		jwks,
		clientDefaults: { id_token_signed_response_alg: "ES256" },
		renderError(context, { error, error_description }) {
			const detail = `${error_description ?? error}: connect again from the assistant`;
			const requestId = String(context.res.getHeader("x-request-id"));
			const { body, policy } = errorPage({ status: context.status, code: "bad_request", detail, requestId });
			context.type = "html";
			context.set("content-security-policy", policy);
			context.body = body;
		},
	};
}

const disabledFeatures = {
	devInteractions: { enabled: false },
	dPoP: { enabled: false },
	pushedAuthorizationRequests: { enabled: false },
	rpInitiatedLogout: { enabled: false },
	userinfo: { enabled: false },
};
