/** Reads the API key of a request. No key may reach a log, a trace or an error. */
import type { IncomingHttpHeaders } from "node:http";
import { keyInvalid } from "#libs/contract/errors.ts";
import { isSecret } from "#libs/contract/key.ts";
import { readQuery } from "../registry/params.ts";

/**
 * The API key of a request: `X-API-Key`, `api_key` in the query or `Authorization: Bearer`; undefined if there is none. A bearer token
 * `cr_...` is prepaid credits, not a key. A repeated key counts as one. @throws AppError 403 for different keys, 400 for a query that cannot
 * be decoded
 */
export function readKey(headers: IncomingHttpHeaders, query: string): string | undefined {
	const given = [...headerKeys(headers), ...queryKeys(query)];
	const [key, ...others] = given;
	if (others.some((other) => other !== key)) throw keyInvalid("the request carries more than one API key");
	return key;
}

function headerKeys(headers: IncomingHttpHeaders): string[] {
	const { "x-api-key": apiKey, authorization } = headers;
	const keys = apiKey === undefined ? [] : [apiKey].flat();
	const bearer = authorization === undefined ? undefined : bearerOf(authorization);
	if (bearer !== undefined && !bearer.startsWith("cr_")) keys.push(bearer);
	// Without this error the request would be treated as one without a key: not counted for its account, or charged.
	if (bearer === undefined && /(^|\s)pk_\w/.test(authorization ?? "")) throw misplaced();
	return keys;
}

/** The token of `Authorization: Bearer`; undefined for any other scheme. */
export function bearerOf(authorization: string): string | undefined {
	const match = /^bearer(?: +(.*))?$/i.exec(authorization.trim());
	return match === null ? undefined : (match[1] ?? "").trim();
}

function queryKeys(query: string): string[] {
	// Most queries contain no key, and decoding takes longer than this test. `%` is included because a key may be percent-encoded.
	if (!/api_key|pk_|%/.test(query)) return [];
	return readQuery(query).flatMap(([name, value]) => {
		if (name === "api_key") return [value];
		if (isSecret(value, "pk_")) throw misplaced();
		return [];
	});
}

const misplaced = () =>
	keyInvalid(
		"the API key is in the wrong place: send it as X-API-Key, Authorization: Bearer, or query parameter api_key",
	);

/** The URL of a request without its key, for display, signatures and storage. */
export function withoutKey(url: string): string {
	const queryStart = url.indexOf("?");
	if (queryStart === -1) return url;
	const path = url.slice(0, queryStart);
	const rest = url
		.slice(queryStart + 1)
		.split("&")
		.filter((part) => part !== "" && decodedName(part) !== "api_key");
	return rest.length === 0 ? path : `${path}?${rest.join("&")}`;
}

function decodedName(part: string): string {
	const name = part.split("=", 1)[0] ?? "";
	try {
		return decodeURIComponent(name.replaceAll("+", " "));
	} catch {
		return name;
	}
}
