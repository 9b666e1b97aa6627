/** Converts requests for the authorization server: keeps only the parameters and metadata that it needs, and removes cookies of earlier connections. */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { badRequest } from "#libs/contract/errors.ts";
import { oauthPaths, oauthScope } from "../authorization/oauth-metadata.ts";

const authorizationParameters = [
	...["response_type", "client_id", "redirect_uri", "state"],
	...["code_challenge", "code_challenge_method", "resource"],
];
/** Cookies of one connection. The session cookie is removed, so that no browser stays signed in. */
const interactionCookies = /^_interaction(_resume)?=/;

/** Copies the request for the provider, with the body, because the gateway has already read that under its limits. */
export function providerRequest(request: FastifyRequest, site: string): IncomingMessage {
	const { raw, headers } = request;
	const body = request.routeOptions.url === oauthPaths.registration ? registrationOf(request) : bodyOf(request);
	const cookie = (headers.cookie ?? "").split(/;\s*/).filter((each) => interactionCookies.test(each));
	const { "transfer-encoding": _, "x-forwarded-host": __, ":authority": ___, ...others } = headers;
	return Object.assign(Readable.from(body.length === 0 ? [] : [body], { objectMode: false }), {
		method: raw.method,
		url: request.routeOptions.url === oauthPaths.authorization ? authorizationUrl(request) : raw.url,
		headers: {
			...others,
			// The provider derives its addresses from this header.
			host: new URL(site).host,
			cookie: cookie.join("; "),
			"content-length": String(body.length),
			"x-forwarded-proto": new URL(site).protocol.slice(0, -1),
		},
		httpVersion: raw.httpVersion,
		httpVersionMajor: raw.httpVersionMajor,
		socket: raw.socket,
	}) as unknown as IncomingMessage;
}

const bodyOf = ({ body }: FastifyRequest): Buffer => (body as Buffer | undefined) ?? Buffer.alloc(0);

/** The URL with only the accepted parameters. The only scope replaces the requested one. The provider refuses repeated parameters. */
function authorizationUrl(request: FastifyRequest): string {
	const { text } = request.query as { text: string };
	const accepted = [...new URLSearchParams(text)].filter(([name]) => authorizationParameters.includes(name));
	refuseUnstorable(accepted.map(([, value]) => value));
	return `${oauthPaths.authorization}?${new URLSearchParams([...accepted, ["scope", oauthScope]])}`;
}

const maxValueCharacters = 2_000;

/** Refuses values that are too long, and NUL and lone surrogates, which PostgreSQL cannot store. @throws AppError 400 */
function refuseUnstorable(values: readonly unknown[]): void {
	for (const value of values)
		if (
			typeof value === "string" &&
			(value.length > maxValueCharacters || value.includes("\0") || !value.isWellFormed())
		)
			throw badRequest(`a value is longer than ${maxValueCharacters} characters, or contains NUL or invalid Unicode`);
}

const maxNameCharacters = 100;
const maxRedirectUris = 10;

/**
 * The body of a client's registration. Every client is registered as public and native: it cannot keep a secret, and may listen on any port of
 * the user's machine. @throws AppError 400
 */
function registrationOf(request: FastifyRequest): Buffer {
	const { client_name, redirect_uris } = parseObject(bodyOf(request));
	const uris = Array.isArray(redirect_uris) ? redirect_uris.slice(0, maxRedirectUris) : redirect_uris;
	if (Array.isArray(uris)) refuseUnstorable(uris);
	const metadata = {
		...(typeof client_name === "string" && {
			client_name: client_name.slice(0, maxNameCharacters).replaceAll("\0", "").toWellFormed(),
		}),
		redirect_uris: uris,
		application_type: "native",
		token_endpoint_auth_method: "none",
		grant_types: ["authorization_code", "refresh_token"],
		response_types: ["code"],
	};
	return Buffer.from(JSON.stringify(metadata));
}

function parseObject(body: Buffer): Record<string, unknown> {
	try {
		const parsed: unknown = JSON.parse(body.toString());
		if (typeof parsed === "object" && parsed !== null) return parsed as Record<string, unknown>;
	} catch {
		// Invalid JSON is refused below.
	}
	throw badRequest("the body must be a JSON object: the metadata of a client (RFC 7591)");
}
