import { useEffect, useRef, useState } from "preact/hooks";

import type { Call } from "#libs/contract/documents/programs.ts";
import { count } from "../../lib/text/format.ts";

import { LongText } from "./call.tsx";
import type { Endpoint } from "./document.ts";
import { jsonText } from "./document.ts";

export function TryIt({ endpoint, call, visitorsKey }: { endpoint: Endpoint; call: Call; visitorsKey: string }) {
	const [sent, setSent] = useState<Sent>();
	const [failure, setFailure] = useState<string>();
	const [isRunning, setIsRunning] = useState(false);
	const stop = useRef<AbortController>(undefined);
	useEffect(() => () => stop.current?.abort(), []);
	async function run() {
		const own = new AbortController();
		stop.current?.abort();
		stop.current = own;
		setFailure(undefined);
		setSent(undefined);
		setIsRunning(true);
		try {
			const answer = await sendCall(call, visitorsKey, own.signal, setSent);
			if (stop.current === own) setSent(answer);
		} catch {
			if (!own.signal.aborted) setFailure("The service does not respond.");
		} finally {
			if (stop.current === own) setIsRunning(false);
		}
	}
	const withKey = call.secret === "key" && visitorsKey !== "";
	return (
		<div class="try">
			<p>
				<button type="button" onClick={run}>
					Try it
				</button>{" "}
				{isRunning && (
					<button type="button" class="small" onClick={() => stop.current?.abort()}>
						Stop
					</button>
				)}{" "}
				<span class="soft">
					{call.secret === "key" && (
						<>
							Sent {withKey ? "with" : "without"} <a href="#key">your key</a>, and counted.{" "}
						</>
					)}
					{changesData(endpoint) && <b>This call changes data.</b>}
				</span>
			</p>
			<div aria-live="polite">
				{failure !== undefined && <p class="failure">{failure}</p>}
				{sent && <Answer sent={sent} />}
			</div>
		</div>
	);
}

/** Operations that only read, but by POST, because their parameters may be too long for a URL. */
const postedReads = new Set(["runQuery", "compareDays"]);
const changesData = ({ id, method }: Endpoint): boolean => method !== "GET" && !postedReads.has(id);

function Answer({ sent: { status, ms, headers, mediaType, text, isCut } }: { sent: Sent }) {
	return (
		<>
			<p>
				<b data-sent="status">{status}</b> <span class="soft">after {count(ms)} ms</span>
			</p>
			<dl class="headers">
				{headers.map(([name, value]) => (
					<div key={name}>
						<dt>{name}</dt>
						<dd>{value}</dd>
					</div>
				))}
			</dl>
			{text === undefined ? (
				<p>
					This is a file of type {mediaType}: the command above saves it with <code>-o</code>.
				</p>
			) : (
				text !== "" && <LongText text={indented(text, mediaType, isCut)} name="the response" />
			)}
			{isCut && <p class="soft">The response is longer than shown here.</p>}
		</>
	);
}

function indented(text: string, mediaType: string, isCut: boolean): string {
	if (isCut || !mediaType.includes("json")) return text;
	try {
		return jsonText(JSON.parse(text));
	} catch {
		return text;
	}
}

interface Sent {
	status: number;
	/** Time to the first byte (ms). */
	ms: number;
	headers: [name: string, value: string][];
	mediaType: string;
	/** Undefined if the body is not text. */
	text: string | undefined;
	isCut: boolean;
}

const maxShownCharacters = 200_000;

/** Headers that concern the call; the others concern the connection and are not shown. */
const shownHeaders = [
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

/**
 * Sends the call. `onText` receives the text as it arrives; after an abort, the text received so far is returned.
 * @throws Error if there is no response
 */
async function sendCall(
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
		headers: shownHeaders.flatMap((name) => {
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
			if (text.length > maxShownCharacters) {
				await reader?.cancel();
				return { ...sent, text: text.slice(0, maxShownCharacters), isCut: true };
			}
			onText({ ...sent, text });
		}
	} catch (error) {
		if (signal.aborted) return { ...sent, text, isCut: true };
		throw error;
	}
}
