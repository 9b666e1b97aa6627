/** Posts a delivery to an address that was checked when its name was resolved. Follows no redirects; limits time and response bytes. */
import { lookup, Resolver } from "node:dns/promises";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { type RequestOptions, request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { codeOf } from "#libs/contract/errors.ts";
import type { WebhookFormat } from "#libs/contract/vocabulary.ts";
import { within } from "#libs/contract/within.ts";
import { type AddressPolicy, findAddressFault, findHostFault, parseTarget } from "../domain/addresses.ts";

interface SenderOptions {
	policy: AddressPolicy;
	timeoutMs: number;
	resolve?: Resolve;
}

export interface Outcome {
	delivered: boolean;
	/** Whether there are no further attempts: the receiver wants no more deliveries, or the mail server refuses the address. */
	isFinal: boolean;
	/** HTTP or SMTP status; null without a response. */
	status: number | null;
	/** The first bytes of the response body; null without a response. */
	start: string | null;
	latencyMs: number;
	error: string | null;
}

/** Starts to time an attempt. The returned function creates its outcome; omitted fields are those of a failure without a response. */
export function startOutcome(): (rest: Partial<Outcome>) => Outcome {
	const started = performance.now();
	return (rest) => ({
		...{ delivered: false, isFinal: false, status: null, start: null, error: null, ...rest },
		latencyMs: Math.round(performance.now() - started),
	});
}

interface Post {
	headers: Record<string, string>;
	body: string;
}

interface ReceivedResponse {
	/** Null until there is a response. */
	status: number | null;
	start: Buffer;
}

const maxRecordedBytes = 1_000;

export class Sender {
	readonly #policy: AddressPolicy;
	readonly #timeoutMs: number;
	readonly #resolve: Resolve;

	constructor({ policy, timeoutMs, resolve = resolverFor(policy, timeoutMs) }: SenderOptions) {
		this.#policy = policy;
		this.#timeoutMs = timeoutMs;
		this.#resolve = resolve;
	}

	/** Checks the address of a webhook. @returns what is wrong with it, as a message about the field `url`; undefined if nothing is */
	async findUrlFault(text: string, format: WebhookFormat): Promise<string | undefined> {
		const target = parseTarget(text, this.#policy);
		if (typeof target === "string") return target;
		const fault = findHostFault(target.host, format, this.#policy);
		if (fault !== undefined) return fault;
		if (target.isIpAddress || this.#policy.allowPrivate) return undefined;
		const resolved = await within(
			this.#resolve(target.host).catch(() => []),
			this.#timeoutMs,
		);
		const addresses = (resolved?.value ?? []).map(({ address }) => address);
		return findAddressFault(target.host, addresses, this.#policy);
	}

	/** Returns the outcome within `timeoutMs`, even if the socket hangs. @throws only if `signal` fires */
	async send(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Outcome> {
		const outcome = startOutcome();
		const target = parseTarget(url, this.#policy);
		if (typeof target === "string") return outcome({ error: `the address ${target}` });
		const received: ReceivedResponse = { status: null, start: Buffer.alloc(0) };
		const attempt = new AbortController();
		const post = this.#post(target.url, { headers, body }, received, AbortSignal.any([signal, attempt.signal]));
		let error = `no response within ${this.#timeoutMs} ms`;
		try {
			await within(post, this.#timeoutMs);
		} catch (cause) {
			error = describeError(cause);
		} finally {
			// The socket is closed in every case.
			attempt.abort();
		}
		// The status of a response counts even if its body breaks off.
		if (received.status !== null)
			return outcome({ status: received.status, start: storableText(received.start), ...judgeStatus(received.status) });
		signal.throwIfAborted();
		return outcome({ error });
	}

	/** Fills `received` as the response arrives. Settles when the exchange ends or `signal` fires. */
	#post(url: URL, { headers, body }: Post, received: ReceivedResponse, signal: AbortSignal): Promise<void> {
		const options: RequestOptions = {
			method: "POST",
			headers: {
				"content-type": "application/json",
				"content-length": Buffer.byteLength(body),
				"user-agent": "energy-infrastructure-data-service",
				...headers,
			},
			// A reused connection might lead to an address that was checked long ago.
			agent: false,
			lookup: this.#lookup,
			signal,
		};
		return new Promise((resolve, reject) => {
			signal.addEventListener("abort", () => reject(signal.reason), { once: true });
			const request = url.protocol === "https:" ? requestHttps(url, options) : requestHttp(url, options);
			request
				.on("response", (response) => {
					received.status = response.statusCode ?? 0;
					readFirstBytes(response, received).then(resolve, reject);
				})
				// Without this listener, Node.js would destroy the socket after a 101 without emitting a response or an error.
				.on("upgrade", ({ statusCode = 101 }, socket) => {
					received.status = statusCode;
					socket.destroy();
				})
				.on("error", reject)
				.on("close", () => reject(new Error("the connection was closed before a response arrived")))
				.end(body);
		});
	}

	/** Resolves a name once for the check and for the connection, so that the socket connects to an address that was checked. */
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

/** In Standard Webhooks, 410 means that the receiver wants no more deliveries. */
function judgeStatus(status: number): Pick<Outcome, "delivered" | "isFinal" | "error"> {
	if (status >= 200 && status < 300) return { delivered: true, isFinal: false, error: null };
	const redirect = status >= 300 && status < 400 ? ", a redirect, which is not followed" : "";
	return { delivered: false, isFinal: status === 410, error: `the server responded with ${status}${redirect}` };
}

async function readFirstBytes(response: IncomingMessage, received: ReceivedResponse): Promise<void> {
	for await (const chunk of response as AsyncIterable<Buffer>) {
		received.start = Buffer.concat([received.start, chunk]).subarray(0, maxRecordedBytes);
		if (received.start.length >= maxRecordedBytes) return;
	}
}

/** Replaces NUL, which PostgreSQL cannot store in text. */
const storableText = (bytes: Buffer): string => bytes.toString("utf8").replaceAll("\u0000", "\ufffd");

function describeError(error: unknown): string {
	const { message, cause } = error as Error;
	const inner = error instanceof AggregateError ? error.errors[0] : (cause ?? error);
	const text = inner instanceof Error ? inner.message : message;
	return (text || codeOf(inner) || "the connection failed").slice(0, 300);
}

export interface ResolvedAddress {
	address: string;
	family: number;
}

export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

/**
 * Queries DNS directly for public names: the system's `getaddrinfo` has four threads in a process, so four names whose servers do not respond
 * would block all deliveries. If private addresses are allowed, `getaddrinfo` is used, because only it resolves private names.
 */
function resolverFor({ allowPrivate }: AddressPolicy, timeoutMs: number): Resolve {
	if (allowPrivate) return (host) => lookup(host, { all: true });
	return resolveWith(new Resolver({ timeout: Math.ceil(timeoutMs / 4), tries: 2 }));
}

export function resolveWith(resolver: Resolver): Resolve {
	return async (host) => {
		const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
		if (four.status === "rejected" && six.status === "rejected") throw four.reason;
		const addressesOf = (result: typeof four, family: number) =>
			result.status === "rejected" ? [] : result.value.map((address) => ({ address, family }));
		return [...addressesOf(four, 4), ...addressesOf(six, 6)];
	};
}
