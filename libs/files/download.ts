/** Functions for all downloads: conditional requests, redirects, and bodies of limited size. Their errors name the `publisher`. */
import { StructureError } from "./structure-error.ts";

/** Validators of a file, which a later request sends to find out whether the file has changed. */
export interface Validators {
	etag: string | null;
	lastModified: string | null;
}

export interface DownloadRequest extends Omit<RequestInit, "headers" | "redirect"> {
	headers: Record<string, string>;
	/** Validators of the last valid download of this address. */
	validators?: Validators | undefined;
}

/** Sends the request, and does not follow redirects. @throws Error if the publisher cannot be reached */
export function fetchOnce(url: URL, request: DownloadRequest, publisher: string): Promise<Response> {
	const { validators, headers, ...init } = request;
	const conditions = {
		...(validators?.etag && { "if-none-match": validators.etag }),
		...(validators?.lastModified && { "if-modified-since": validators.lastModified }),
	};
	return fetch(url, { ...init, headers: { ...headers, ...conditions }, redirect: "manual" }).catch((cause) => {
		throw new Error(`${publisher} could not be reached`, { cause });
	});
}

/** Returns the target of a redirect; undefined for other responses. @throws StructureError if the target is not http or https */
export function redirectTarget({ status, headers }: Response, from: URL, publisher: string): URL | undefined {
	const location = headers.get("location");
	if (![301, 302, 303, 307, 308].includes(status) || location === null) return undefined;
	const target = URL.parse(location, from.href);
	if (target?.protocol === "https:" || target?.protocol === "http:") return target;
	throw new StructureError(`${publisher} redirects to an address that is not http or https`);
}

export const validatorsOf = ({ headers }: Response): Validators => ({
	etag: headers.get("etag"),
	lastModified: headers.get("last-modified"),
});

/** Reads at most `maxBytes`, regardless of the headers. @throws StructureError if the body is longer, Error if it is interrupted */
export async function bodyOf(response: Response, maxBytes: number, publisher: string): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	try {
		for await (const chunk of response.body ?? []) {
			size += chunk.length;
			if (size > maxBytes) throw new StructureError(`${publisher} answered with more than ${maxBytes} bytes`);
			chunks.push(chunk);
		}
	} catch (cause) {
		if (cause instanceof StructureError) throw cause;
		throw new Error(`the download from ${publisher} was interrupted after ${size} bytes`, { cause });
	}
	return Buffer.concat(chunks);
}
