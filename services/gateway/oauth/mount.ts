/** The endpoints of the authorization server, and its consent page. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type Provider from "oidc-provider";
import { AppError, badRequest, forbidden } from "#libs/contract/errors.ts";
import type { ApiKeyCache } from "../authorization/api-key-cache.ts";
import { oauthPaths, oauthScope, protectedResource } from "../authorization/oauth-metadata.ts";
import { clientAddress } from "../callers/addresses.ts";
import { siteOf } from "../http/links.ts";
import type { AbuseThrottle } from "../limiter/abuse-throttle.ts";
import { type Consent, consentPage, consentPolicy, returnPage } from "./consent-page.ts";
import { answerWith, oauthProvider, type ProviderOptions } from "./provider.ts";
import { providerRequest } from "./request.ts";

export interface OauthOptions extends ProviderOptions {
	publicUrl: string | undefined;
	keys: Pick<ApiKeyCache, "callerOf">;
	abuseThrottle: AbuseThrottle;
	/** Counts a registration of a client by this address. @throws AppError 429 */
	limitClients(address: string): Promise<void>;
	/** Style sheets of the page. */
	styles: readonly string[];
}

/** Maximum cached authorization servers: one for each site (scheme and host), which depends on the request if PUBLIC_URL is not set. */
const maxSites = 8;

export function addOauth(app: FastifyInstance, options: OauthOptions): void {
	const { publicUrl, limitClients } = options;
	const providers = new LRUCache<string, Provider>({
		max: maxSites,
		memoMethod: (site) => oauthProvider(site, options),
	});
	// A popup must keep the reference to its opener, which waits for the popup.
	app.addHook("onRequest", (request, reply, done) => {
		if (request.routeOptions.url?.startsWith("/oauth/")) reply.header("cross-origin-opener-policy", "unsafe-none");
		done();
	});
	const siteFor = (request: FastifyRequest) => siteOf(publicUrl, request);
	const delegate = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
		const site = siteFor(request);
		if (request.routeOptions.url === oauthPaths.registration) await limitClients(clientAddress(request.ip).address);
		const incoming = providerRequest(request, site);
		const provider = providers.memo(site);
		reply.header("cache-control", "no-store");
		for (const [name, value] of Object.entries(reply.getHeaders()))
			if (value !== undefined) reply.raw.setHeader(name, value);
		await answerWith(provider, incoming, reply.raw);
		return reply.hijack();
	};
	app.get(oauthPaths.authorization, delegate);
	app.get(`${oauthPaths.authorization}/:uid`, delegate);
	for (const path of [oauthPaths.token, oauthPaths.registration, oauthPaths.revocation]) app.post(path, delegate);
	const details = (request: FastifyRequest, reply: FastifyReply) =>
		interactionOf(providers.memo(siteFor(request)), request, reply);
	app.get(`${oauthPaths.interaction}/:uid`, async (request, reply) =>
		sendConsent(reply, await details(request, reply), options),
	);
	app.post(`${oauthPaths.interaction}/:uid`, async (request, reply) => {
		const site = siteFor(request);
		refuseOtherSites(request, site);
		const interaction = await details(request, reply);
		const form = new URLSearchParams(String(request.body ?? ""));
		let result: Parameters<Provider["interactionResult"]>[2] = {
			error: "access_denied",
			error_description: "the owner of the key cancelled",
		};
		if (form.get("decision") === "connect") {
			let keyId: number;
			try {
				keyId = await readKeyId(form.get("api_key")?.trim() ?? "", request, options);
			} catch (error) {
				if (!(error instanceof AppError) || error.status !== 403) throw error;
				return sendConsent(reply.code(403), { ...interaction, fault: error.message }, options);
			}
			result = await grantConsent(interaction, String(keyId), site);
		}
		const next = await interaction.provider.interactionResult(request.raw, reply.raw, result, {
			mergeWithLastSubmission: false,
		});
		return sendPage(
			reply.header("refresh", `0; url=${next}`),
			returnPage({ ...interaction, styles: options.styles }, next),
		);
	});
}

interface Pending extends Omit<Consent, "styles"> {
	provider: Provider;
	clientId: string;
}

/** Finds the authorization request that waits for consent, by the cookie of the browser that began it. @throws AppError 400 if there is none */
async function interactionOf(provider: Provider, request: FastifyRequest, reply: FastifyReply): Promise<Pending> {
	const ended = badRequest("this request for access has ended or began in another browser: connect again");
	const interaction = await provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
		throw (error as Error).name === "SessionNotFound" ? ended : error;
	});
	const { uid } = request.params as { uid: string };
	if (interaction.uid !== uid) throw ended;
	const { client_id: clientId, redirect_uri: redirectUri } = interaction.params as Record<string, string>;
	const client = clientId === undefined ? undefined : await provider.Client.find(clientId);
	if (client === undefined || clientId === undefined || redirectUri === undefined) throw ended;
	return { provider, path: `${oauthPaths.interaction}/${uid}`, clientId, clientName: client.clientName, redirectUri };
}

const sendConsent = (reply: FastifyReply, pending: Pending, { styles }: OauthOptions): FastifyReply =>
	sendPage(reply, consentPage({ ...pending, styles }));

const sendPage = (reply: FastifyReply, page: string): FastifyReply =>
	reply
		.headers({
			"content-type": "text/html; charset=utf-8",
			"cache-control": "no-store",
			"content-security-policy": consentPolicy,
			// With `no-referrer`, browsers would send the form with `Origin: null`.
			"referrer-policy": "same-origin",
		})
		.send(page);

/** Refuses a form that another site sends. Such a form would also lack the cookie, which is `SameSite=Lax`. */
function refuseOtherSites({ headers }: FastifyRequest, site: string): void {
	const { origin, "sec-fetch-site": fetchSite = "same-origin" } = headers;
	if (fetchSite !== "same-origin" || (origin !== undefined && origin !== new URL(site).origin))
		throw forbidden("this form can be sent only from a page of this service");
}

/** Returns the id of a valid key. @throws AppError 403 if it is invalid, 429 if the address has sent too many invalid keys */
async function readKeyId(key: string, { ip }: FastifyRequest, { keys, abuseThrottle }: OauthOptions): Promise<number> {
	const { address } = clientAddress(ip);
	try {
		return (await keys.callerOf(key, () => abuseThrottle.check("key", address))).keyId;
	} catch (error) {
		if (error instanceof AppError && error.status === 403) await abuseThrottle.count("key", address);
		throw error;
	}
}

async function grantConsent({ provider, clientId }: Pending, accountId: string, site: string) {
	const grant = new provider.Grant({ accountId, clientId });
	grant.addOIDCScope(oauthScope);
	grant.addResourceScope(protectedResource(site).resource, oauthScope);
	return { login: { accountId, remember: false }, consent: { grantId: await grant.save() } };
}
