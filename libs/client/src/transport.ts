/** Sends a request, retries it if the service is busy or unreachable, and pays for it. */
import { type ApiError, errorOf, SpendCapError } from "./errors.ts";

export interface Payment {
	/** Maximum cost of all calls together (USD). */
	maxUsd: number;
	/**
	 * Signs the payment that a 402 requires (x402: `problem.accepts` and the header PAYMENT-REQUIRED; MPP: WWW-Authenticate), and returns the
	 * headers to send (PAYMENT-SIGNATURE, or Authorization). Never called concurrently.
	 */
	sign(required: { problem: Readonly<Record<string, unknown>>; headers: Headers }): Promise<Record<string, string>>;
}

export interface TransportOptions {
	/** Address of the service, such as https://data.example.com */
	baseUrl: string;
	/** `pk_...` */
	key?: string | undefined;
	fetch?: typeof fetch;
	/** Attempts per call (4 when absent). */
	attempts?: number;
	/** Maximum wait before another attempt (ms, 60,000 when absent). A call with a longer Retry-After fails. */
	longestWaitMs?: number;
	payment?: Payment;
}

export interface Sent {
	method: string;
	/** Includes the query. */
	path: string;
	headers?: Record<string, string>;
	body?: string | undefined;
	/** Whether the request changes nothing, so that it may be sent again if its arrival is uncertain. */
	isRead: boolean;
	signal?: AbortSignal | undefined;
}

const firstWaitMs = 250;

export class Transport {
	readonly #options: TransportOptions;
	readonly #base: string;
	#spentUsd = 0;
	/** Payments run one at a time: two that were checked against the same remaining budget could exceed it. */
	#paying: Promise<unknown> = Promise.resolve();

	constructor(options: TransportOptions) {
		this.#options = options;
		this.#base = options.baseUrl.replace(/\/+$/, "");
	}

	/** Cost of payments so far (USD). */
	get spentUsd(): number {
		return this.#spentUsd;
	}

	/**
	 * Returns the result of `take` for a successful response; by default the response itself. A response that is interrupted while `take` reads
	 * it is requested again, unless it was paid for.
	 * @throws ApiError, SpendCapError, and what `fetch` throws
	 */
	async send<T = Response>(sent: Sent, take = async (response: Response) => response as T): Promise<T> {
		const { attempts = 4, payment } = this.#options;
		for (let attempt = 1; ; attempt++) {
			const outcome = await this.#fetchOnce(sent, {})
				.then(async (response) => (response.ok ? { taken: await take(response) } : { refusal: response }))
				.catch((error: unknown) => {
					if (attempt >= attempts || !sent.isRead || sent.signal?.aborted) throw error;
					return undefined;
				});
			if (outcome?.refusal !== undefined) {
				const { headers } = outcome.refusal;
				const error = await errorOf(outcome.refusal);
				if (error.status === 402 && payment !== undefined) return take(await this.#paid(sent, error, headers, payment));
				if (attempt >= attempts || !this.#isWorthRepeating(error)) throw error;
				await pause(waitMs(attempt, error), sent.signal);
			} else if (outcome !== undefined) return outcome.taken;
			else await pause(waitMs(attempt), sent.signal);
		}
	}

	#fetchOnce({ method, path, headers, body, signal }: Sent, paymentHeaders: Record<string, string>): Promise<Response> {
		const { fetch: send = fetch, key } = this.#options;
		return send(this.#base + path, {
			method,
			headers: {
				...(key !== undefined && { "x-api-key": key }),
				...(body !== undefined && { "content-type": "application/json" }),
				...headers,
				...paymentHeaders,
			},
			...(body !== undefined && { body }),
			// Redirects are not followed, because keys and payments must not reach another host. The mode `error` is indistinguishable from a lost
			// connection, and some edge runtimes do not support it.
			redirect: "manual",
			...(signal !== undefined && { signal }),
		});
	}

	/** Whether a retry may succeed: the service had too many requests, or a part of it was unavailable, so it did nothing for the call. */
	#isWorthRepeating({ status, code, retryAfterSeconds = 0 }: ApiError): boolean {
		const { longestWaitMs = 60_000 } = this.#options;
		if (status !== 429 && status !== 503) return false;
		return code !== "quota_used_up" && retryAfterSeconds * 1_000 <= longestWaitMs;
	}

	async #paid(sent: Sent, error: ApiError, headers: Headers, { maxUsd, sign }: Payment): Promise<Response> {
		const price = Number(error.problem.price_usd);
		if (!Number.isFinite(price)) throw error;
		const turn = this.#paying.then(async () => {
			if (this.#spentUsd + price > maxUsd + 1e-9) throw new SpendCapError(price, this.#spentUsd, maxUsd);
			const signed = await sign({ problem: error.problem, headers });
			// The payment may be charged from here on, even if the response is lost.
			this.#spentUsd += price;
			const response = await this.#fetchOnce(sent, signed);
			if (response.ok) return response;
			const refusal = await errorOf(response);
			if (isNotCharged(refusal)) this.#spentUsd -= price;
			throw refusal;
		});
		this.#paying = turn.catch(() => {});
		return await turn;
	}
}

/**
 * Whether a payment was certainly not charged. The service does not charge calls that it refuses, but if the payment is in use (409) or the call
 * failed (5xx, a redirect), it may still be charged.
 */
function isNotCharged({ status }: ApiError): boolean {
	return status >= 400 && status < 500 && status !== 408 && status !== 409;
}

/** Wait before the next attempt, with jitter: Retry-After, or else an exponential back-off. */
function waitMs(attempt: number, error?: ApiError): number {
	const after = error?.retryAfterSeconds;
	const backoffMs = firstWaitMs * 2 ** (attempt - 1);
	return (after !== undefined && after > 0 ? after * 1_000 : backoffMs) + Math.random() * firstWaitMs;
}

/** @throws the signal's reason */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		signal?.throwIfAborted();
		const end = () => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener("abort", end);
			resolve();
		}, ms);
		signal?.addEventListener("abort", end, { once: true });
	});
}
