/** The authorization server (OAuth 2.1) with which assistants connect to `/mcp`: oidc-provider without the additions of OpenID Connect. */
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

/** oidc-provider requires a key, although no token is signed. */
const jwks = { keys: [generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })] };

const day = 86_400;
/** Lifetimes (s). A connection ends when it has not been used for 30 days, and after 180 days. */
const lives = {
	AccessToken: 3_600,
	AuthorizationCode: 60,
	Grant: 180 * day,
	Interaction: 600,
	RefreshToken: 30 * day,
	Session: 600,
};

/** Failures that are not the client's fault, by request. The library would answer each with 500, also while billing is down. */
const failures = new WeakMap<IncomingMessage, unknown>();

/** Answers a request. @throws AppError 503 while billing is down */
export async function answerWith(
	provider: Provider,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	await provider.callback()(request, response);
	if (failures.has(request)) throw failures.get(request);
}

/** `site`: scheme and host under which callers reach the service, which is the issuer. */
export function oauthProvider(site: string, options: ProviderOptions): Provider {
	const provider = new Provider(site, configurationOf(site, options));
	// Trusts X-Forwarded-Proto, which `request.ts` sets by the site, so that cookies are secure if the site is https.
	provider.proxy = true;
	provider.on("server_error", ({ req }, error) => failures.set(req, error));
	provider.use(async (context, next) => {
		const { req } = context;
		try {
			await next();
			// Nothing is written for a request that failed half-way.
			const isStored = failures.has(req) || (await storePending(req, options.requestBilling));
			if (!isStored && context.status === 200) {
				const body = { error: "invalid_grant", error_description: "another request used the code or token" };
				Object.assign(context, { status: 400, body });
			}
		} catch (error) {
			failures.set(req, error);
		}
		// The gateway answers.
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
		ttl: lives,
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
		fetch: () => Promise.reject(new Error("this authorization server fetches no addresses of clients")),
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
