/** Downloads files with limits on bytes, time and redirects. Keeps cookies during one download. */
import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf, fetchOnce, redirectTarget, type Validators, validatorsOf } from "#libs/files/download.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { DownloadedFile, Http } from "./source.ts";

const defaultTimeoutMs = 180_000;
const maxRedirects = 10;
/** Pauses (ms) while a site responds with 202, because bot guards such as NYISO's set a cookie first. */
const acceptedPausesMs = [10_000, 20_000, 30_000];
/** Operators' sites refuse programs that do not look like a browser. */
const userAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36";

/** Index pages as this process last read them, by URL. Each operator has at most one. */
const indexPages = new Map<string, DownloadedFile>();

/**
 * Creates the `Http` of one download, with responses up to `maxBytes`. Anything but a 200 (or a 304 to a conditional request) is a
 * `StructureError` that describes the response, because operators refuse programs with a lasting 202 or with a challenge page. If the operator
 * cannot be reached or the response is interrupted, it throws another `Error`.
 */
export function httpClient(
	validators: Validators | undefined,
	signal: AbortSignal,
	maxBytes: number,
	pause: (ms: number, signal: AbortSignal) => Promise<void> = (ms, signal) => sleep(ms, undefined, { signal }),
): Http {
	const cookies = new Map<string, string>();
	return {
		async get(url, options = {}) {
			const deadline = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs)]);
			const page = options.isIndex ? indexPages.get(url) : undefined;
			const known = options.conditional ? validators : page;
			let response = await follow(url, options, known, cookies, deadline);
			for (const ms of acceptedPausesMs) {
				if (response.status !== 202) break;
				await response.body?.cancel();
				await pause(ms, deadline);
				response = await follow(url, options, known, cookies, deadline);
			}
			// If the request has no validator, a 304 is also a refusal.
			if (response.status === 304 && (known?.etag || known?.lastModified)) return page ?? "not-modified";
			if (response.status !== 200) throw new StructureError(`${host(url)} responded with HTTP ${response.status}`);
			const bytes = await bodyOf(response, maxBytes, host(url));
			if (bytes.length === 0) throw new StructureError(`${host(url)} returned an empty body`);
			const file = toDownloadedFile(response, url, bytes);
			if (options.isIndex) indexPages.set(url, file);
			return file;
		},
	};
}

async function follow(
	url: string,
	options: NonNullable<Parameters<Http["get"]>[1]>,
	validators: Validators | undefined,
	cookies: Map<string, string>,
	signal: AbortSignal,
): Promise<Response> {
	let target = new URL(url);
	let method = options.method ?? "GET";
	for (let hop = 0; hop <= maxRedirects; hop++) {
		const headers: Record<string, string> = { "user-agent": userAgent, accept: "*/*", ...options.headers };
		if (cookies.size > 0) headers.cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
		const content = method === "POST" ? { body: options.body ?? "" } : {};
		const response = await fetchOnce(target, { method, headers, validators, signal, ...content }, target.host);
		for (const cookie of response.headers.getSetCookie()) storeCookie(cookies, cookie);
		const next = redirectTarget(response, target, host(url));
		if (next === undefined) return response;
		await response.body?.cancel();
		target = next;
		if (response.status !== 307 && response.status !== 308) method = "GET";
	}
	throw new StructureError(`${host(url)} redirects more than ${maxRedirects} times`);
}

function storeCookie(cookies: Map<string, string>, header: string): void {
	const pair = header.split(";")[0] ?? "";
	const at = pair.indexOf("=");
	if (at > 0) cookies.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim());
}

function toDownloadedFile(response: Response, url: string, bytes: Uint8Array): DownloadedFile {
	return {
		name: new URL(url).pathname.split("/").at(-1) || "index",
		bytes,
		url,
		...validatorsOf(response),
	};
}

const host = (url: string): string => new URL(url).host;
