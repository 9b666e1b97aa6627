/** One attempt over HTTP: to the very address that was checked, without redirects, within a time and a number of bytes. */
import { lookup as lookupName } from "node:dns/promises";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { type RequestOptions, request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { codeOf } from "#libs/contract/errors.ts";
import { within } from "#libs/contract/within.ts";
import { type AddressPolicy, faultOf, readTarget } from "../domain/addresses.ts";

export interface SenderOptions {
	policy: AddressPolicy;
	timeoutMs: number;
	/** The addresses of a name (the system's resolver, when absent). */
	resolve?: (host: string) => Promise<Resolved[]>;
}

export interface Resolved {
	address: string;
	family: number;
}

export interface Outcome {
	delivered: boolean;
	/** HTTP status; null where no answer came. */
	status: number | null;
	/** First bytes of the answer. */
	start: string | null;
	latencyMs: number;
	/** Why it was not delivered. */
	error: string | null;
}

/** Of the body of an answer. */
const answerBytes = 1_000;

export class Sender {
	readonly #policy: AddressPolicy;
	readonly #timeoutMs: number;
	readonly #resolve: (host: string) => Promise<Resolved[]>;

	constructor({ policy, timeoutMs, resolve = (host) => lookupName(host, { all: true }) }: SenderOptions) {
		this.#policy = policy;
		this.#timeoutMs = timeoutMs;
		this.#resolve = resolve;
	}

	/** What is wrong with the address of a webhook, as it is said of the field `url`; undefined for nothing. */
	async faultOf(text: string): Promise<string | undefined> {
		const target = readTarget(text, this.#policy);
		if (typeof target === "string") return target;
		if (target.isAddress || this.#policy.allowPrivate) return undefined;
		const resolved = await within(
			this.#resolve(target.host).catch(() => []),
			this.#timeoutMs,
		);
		const addresses = (resolved?.value ?? []).map(({ address }) => address);
		return faultOf(target.host, addresses, this.#policy);
	}

	/** Posts `body`. Never rejects, except when `signal` fires. */
	async send(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Outcome> {
		const started = performance.now();
		const outcome = (rest: Partial<Outcome>): Outcome => ({
			...{ delivered: false, status: null, start: null, error: null, ...rest },
			latencyMs: Math.round(performance.now() - started),
		});
		const target = readTarget(url, this.#policy);
		if (typeof target === "string") return outcome({ error: `the address ${target}` });
		const timeout = AbortSignal.timeout(this.#timeoutMs);
		try {
			const response = await this.#post(target.url, headers, body, AbortSignal.any([signal, timeout]));
			const status = response.statusCode ?? 0;
			const start = await startOf(response);
			return outcome({ status, start, ...judge(status) });
		} catch (error) {
			signal.throwIfAborted();
			return outcome({ error: timeout.aborted ? `no answer in ${this.#timeoutMs} ms` : reasonOf(error) });
		}
	}

	#post(url: URL, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<IncomingMessage> {
		const options: RequestOptions = {
			method: "POST",
			headers: {
				"content-type": "application/json",
				"content-length": Buffer.byteLength(body),
				"user-agent": "energy-infrastructure-data-service",
				...headers,
			},
			// A connection of its own: one that is kept would go to an address that was checked long ago.
			agent: false,
			lookup: this.#lookup,
			signal,
		};
		return new Promise((resolve, reject) => {
			const send = url.protocol === "https:" ? requestHttps : requestHttp;
			send(url, options, resolve).on("error", reject).end(body);
		});
	}

	/** What the socket connects to: resolved once, and checked. */
	readonly #lookup: LookupFunction = (host, options, callback) => {
		this.#resolve(host).then(
			(resolved) => {
				const fault = faultOf(
					host,
					resolved.map(({ address }) => address),
					this.#policy,
				);
				const [first] = resolved;
				if (fault !== undefined || first === undefined) callback(new Error(fault ?? `${host} has no address`), "", 4);
				else if (options.all) callback(null, resolved);
				else callback(null, first.address, first.family);
			},
			(error: NodeJS.ErrnoException) => callback(error, "", 4),
		);
	};
}

function judge(status: number): Pick<Outcome, "delivered" | "error"> {
	if (status >= 200 && status < 300) return { delivered: true, error: null };
	const redirects = status >= 300 && status < 400 ? ", a redirect, which is not followed" : "";
	return { delivered: false, error: `it answered ${status}${redirects}` };
}

/** As text that PostgreSQL stores. What the answer's body fails of does not undo its status. */
async function startOf(response: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	try {
		for await (const chunk of response as AsyncIterable<Buffer>) {
			chunks.push(chunk);
			bytes += chunk.length;
			if (bytes >= answerBytes) break;
		}
	} catch {
		// Broken off: the beginning is there.
	}
	response.destroy();
	const text = Buffer.concat(chunks).subarray(0, answerBytes).toString("utf8");
	return text.replaceAll("\u0000", "\ufffd");
}

function reasonOf(error: unknown): string {
	const { message, cause } = error as Error;
	const inner = error instanceof AggregateError ? error.errors[0] : (cause ?? error);
	const text = inner instanceof Error ? inner.message : message;
	return (text || codeOf(inner) || "the connection failed").slice(0, 300);
}
