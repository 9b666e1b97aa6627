/** Posts a delivery to the address that was checked, without redirects, within limits of time and bytes. */

import { lookup, Resolver } from "node:dns/promises";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { type RequestOptions, request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { codeOf } from "#libs/contract/errors.ts";
import { within } from "#libs/contract/within.ts";
import { type AddressPolicy, findAddressFault, readTarget } from "../domain/addresses.ts";

interface SenderOptions {
	policy: AddressPolicy;
	timeoutMs: number;
	resolve?: Resolve;
}

export interface Outcome {
	delivered: boolean;
	/** HTTP status; null without a response. */
	status: number | null;
	start: string | null;
	latencyMs: number;
	error: string | null;
}

interface Sent {
	headers: Record<string, string>;
	body: string;
}

interface Received {
	status: number | null;
	start: Buffer;
}

/** Bytes of a response that are recorded. */
const recordedBytes = 1_000;

export class Sender {
	readonly #policy: AddressPolicy;
	readonly #timeoutMs: number;
	readonly #resolve: Resolve;

	constructor({ policy, timeoutMs, resolve = resolverFor(policy, timeoutMs) }: SenderOptions) {
		this.#policy = policy;
		this.#timeoutMs = timeoutMs;
		this.#resolve = resolve;
	}

	/** The fault of a webhook's address, as a message about the field `url`; undefined for none. */
	async findUrlFault(text: string): Promise<string | undefined> {
		const target = readTarget(text, this.#policy);
		if (typeof target === "string") return target;
		if (target.isAddress || this.#policy.allowPrivate) return undefined;
		const resolved = await within(
			this.#resolve(target.host).catch(() => []),
			this.#timeoutMs,
		);
		const addresses = (resolved?.value ?? []).map(({ address }) => address);
		return findAddressFault(target.host, addresses, this.#policy);
	}

	/** Resolves within the time of an attempt, whatever the socket does; rejects only when `signal` fires. */
	async send(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Outcome> {
		const started = performance.now();
		const outcome = (rest: Partial<Outcome>): Outcome => ({
			...{ delivered: false, status: null, start: null, error: null, ...rest },
			latencyMs: Math.round(performance.now() - started),
		});
		const target = readTarget(url, this.#policy);
		if (typeof target === "string") return outcome({ error: `the address ${target}` });
		const answer: Received = { status: null, start: Buffer.alloc(0) };
		const attempt = new AbortController();
		const post = this.#post(target.url, { headers, body }, answer, AbortSignal.any([signal, attempt.signal]));
		let error = `no answer in ${this.#timeoutMs} ms`;
		try {
			await within(post, this.#timeoutMs);
		} catch (cause) {
			error = describeError(cause);
		} finally {
			// Closes the socket, whatever state it is in.
			attempt.abort();
		}
		// A response whose body breaks off still has its status.
		if (answer.status !== null)
			return outcome({ status: answer.status, start: storableText(answer.start), ...judgeStatus(answer.status) });
		signal.throwIfAborted();
		return outcome({ error });
	}

	/** Writes what arrives to `answer`; settles when the exchange ends, and when `signal` fires. */
	#post(url: URL, { headers, body }: Sent, answer: Received, signal: AbortSignal): Promise<void> {
		const options: RequestOptions = {
			method: "POST",
			headers: {
				"content-type": "application/json",
				"content-length": Buffer.byteLength(body),
				"user-agent": "energy-infrastructure-data-service",
				...headers,
			},
			// A reused connection would go to an address that was checked long ago.
			agent: false,
			lookup: this.#lookup,
			signal,
		};
		return new Promise((resolve, reject) => {
			signal.addEventListener("abort", () => reject(signal.reason), { once: true });
			const request = url.protocol === "https:" ? requestHttps(url, options) : requestHttp(url, options);
			request
				.on("response", (response) => {
					answer.status = response.statusCode ?? 0;
					readStart(response, answer).then(resolve, reject);
				})
				// Without a listener Node.js destroys the socket of a 101, and emits no response and no error.
				.on("upgrade", ({ statusCode = 101 }, socket) => {
					answer.status = statusCode;
					socket.destroy();
				})
				.on("error", reject)
				.on("close", () => reject(new Error("the connection was closed before an answer came")))
				.end(body);
		});
	}

	/** The address that the socket connects to is resolved once, and checked. */
	readonly #lookup: LookupFunction = (host, options, callback) => {
		this.#resolve(host).then(
			(resolved) => {
				const fault = findAddressFault(
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

function judgeStatus(status: number): Pick<Outcome, "delivered" | "error"> {
	if (status >= 200 && status < 300) return { delivered: true, error: null };
	const redirects = status >= 300 && status < 400 ? ", a redirect, which is not followed" : "";
	return { delivered: false, error: `it answered ${status}${redirects}` };
}

async function readStart(response: IncomingMessage, answer: Received): Promise<void> {
	for await (const chunk of response as AsyncIterable<Buffer>) {
		answer.start = Buffer.concat([answer.start, chunk]).subarray(0, recordedBytes);
		if (answer.start.length >= recordedBytes) return;
	}
}

/** PostgreSQL stores no NUL. */
const storableText = (bytes: Buffer): string => bytes.toString("utf8").replaceAll("\u0000", "\ufffd");

function describeError(error: unknown): string {
	const { message, cause } = error as Error;
	const inner = error instanceof AggregateError ? error.errors[0] : (cause ?? error);
	const text = inner instanceof Error ? inner.message : message;
	return (text || codeOf(inner) || "the connection failed").slice(0, 300);
}

export interface Resolved {
	address: string;
	family: number;
}

export type Resolve = (host: string) => Promise<Resolved[]>;

/**
 * Sends DNS queries for public names, each with its own timeout: the system's `getaddrinfo` has four threads in a process, and four names
 * whose servers do not answer would block all other deliveries. Only the system knows private names (its files, its search domains), so it
 * resolves those.
 */
function resolverFor({ allowPrivate }: AddressPolicy, timeoutMs: number): Resolve {
	if (allowPrivate) return (host) => lookup(host, { all: true });
	return queryWith(new Resolver({ timeout: Math.ceil(timeoutMs / 4), tries: 2 }));
}

export function queryWith(resolver: Resolver): Resolve {
	return async (host) => {
		const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
		if (four.status === "rejected" && six.status === "rejected") throw four.reason;
		const found = (result: typeof four, family: number) =>
			result.status === "rejected" ? [] : result.value.map((address) => ({ address, family }));
		return [...found(four, 4), ...found(six, 6)];
	};
}
