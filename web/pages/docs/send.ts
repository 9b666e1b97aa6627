/** Sends a call to the service and reads its answer as far as a page can show it. */
import type { Call } from "#libs/documents/programs.ts";

export interface Sent {
	status: number;
	/** Until the first byte of the answer (ms). */
	ms: number;
	headers: [name: string, value: string][];
	mediaType: string;
	/** Undefined: what was answered is no text. */
	text: string | undefined;
	/** There is more than was read. */
	isCut: boolean;
}

/** Longest text that is read (characters). */
const longest = 200_000;

/** Headers that say something of the call; the others are of the connection. */
const telling = [
	"content-type",
	"content-length",
	"content-disposition",
	"ratelimit",
	"ratelimit-policy",
	"retry-after",
	"etag",
	"cache-control",
	"x-data-version",
	"x-row-count",
	"x-seq",
	"x-truncated",
	"payment-required",
	"www-authenticate",
	"payment-response",
	"payment-receipt",
	"x-request-id",
];

/** `onText` gets what was read so far; aborting keeps it. @throws Error where there is no answer. */
export async function send(
	{ method, address, body, secret }: Call,
	key: string,
	signal: AbortSignal,
	onText: (sent: Sent) => void,
): Promise<Sent> {
	const began = performance.now();
	const response = await fetch(address, {
		method,
		headers: {
			accept: "application/json, */*;q=0.1",
			...(secret === "key" && key !== "" && { "x-api-key": key }),
			...(body !== undefined && { "content-type": "application/json" }),
		},
		...(body !== undefined && { body }),
		signal,
	});
	const mediaType = response.headers.get("content-type") ?? "";
	const sent: Sent = {
		status: response.status,
		ms: Math.round(performance.now() - began),
		headers: telling.flatMap((name) => {
			const value = response.headers.get(name);
			return value === null ? [] : [[name, value]];
		}),
		mediaType,
		text: "",
		isCut: false,
	};
	if (!/json|text|xml/.test(mediaType)) {
		await response.body?.cancel();
		return { ...sent, text: undefined };
	}
	return await readText(response, sent, signal, onText);
}

async function readText(
	response: Response,
	sent: Sent,
	signal: AbortSignal,
	onText: (sent: Sent) => void,
): Promise<Sent> {
	const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
	let text = "";
	try {
		for (;;) {
			const { done, value = "" } = (await reader?.read()) ?? { done: true };
			if (done) return { ...sent, text };
			text += value;
			if (text.length > longest) {
				await reader?.cancel();
				return { ...sent, text: text.slice(0, longest), isCut: true };
			}
			onText({ ...sent, text });
		}
	} catch (error) {
		if (signal.aborted) return { ...sent, text, isCut: true };
		throw error;
	}
}
