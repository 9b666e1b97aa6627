/** Requests to the service: free reads for pages, under `/web/data`, and calls of the public API with the visitor's key. */
import type { AppError } from "#libs/contract/errors.ts";
import type { OperationName, Reply } from "#libs/contract/index.ts";

/** Path of the reads for pages (services/gateway/pages/page-reads.ts). */
const prefix = "/web/data";
const timeoutMs = 20_000;

/** Thrown if a request failed. The message is for the visitor. */
export class Failure extends Error {
	/** Value of `Retry-After` (seconds). */
	readonly retryAfter: number | undefined;
	/** Whether a retry would fail in the same way. */
	readonly isFinal: boolean;
	/** HTTP status; 503 if there was no response. */
	readonly status: number;
	/** Messages by parameter, if the status is 422. */
	readonly fields: Readonly<Record<string, string>>;

	constructor(message: string, { retryAfter, status = 503, fields = {} }: FailureOptions = {}) {
		super(message);
		this.fields = fields;
		this.status = status;
		this.retryAfter = retryAfter;
		this.isFinal = status < 500 && status !== 429;
	}
}

interface FailureOptions {
	retryAfter?: number | undefined;
	status?: number;
	fields?: Record<string, string>;
}

export type Query = Record<string, string | number | undefined>;

/** Reads the response of an operation. `path` is the operation's path with its parameters filled in. @throws Failure */
export const read = <N extends OperationName>(
	_operation: N,
	path: string,
	query: Query = {},
	signal?: AbortSignal,
): Promise<Reply<N>> => requestJson(withQuery(path, query), {}, signal);

export function withQuery(path: string, query: Query): string {
	const set = Object.entries(query).filter(([, value]) => value !== undefined);
	const text = new URLSearchParams(Object.fromEntries(set) as Record<string, string>).toString();
	return `${prefix}${path}${text && "?"}${text}`;
}

/** Reads a URL path with its query; sends a POST if there is a body. @throws Failure */
export const readAt = <T>(address: string, body: string | undefined, signal?: AbortSignal): Promise<T> =>
	requestJson(`${prefix}${address}`, body === undefined ? {} : { method: "POST", headers: jsonBody, body }, signal);

const jsonBody = { "content-type": "application/json" };

export interface OwnCall {
	method?: string;
	body?: object | undefined;
	key?: string | undefined;
	/** A token of prepaid credits, used instead of a key. */
	credits?: string | undefined;
	signal?: AbortSignal | undefined;
}

/** Reads data of the key's account, free of charge. @throws Failure */
export const readAs = <N extends OperationName>(
	_operation: N,
	path: string,
	key: string,
	signal?: AbortSignal,
): Promise<Reply<N>> => requestJson(`${prefix}${path}`, requestInit({ key }), signal);

/** Calls the public API with the visitor's key or credits, which pay for the call. @throws Failure */
export const callAs = <N extends OperationName>(_operation: N, path: string, call: OwnCall): Promise<Reply<N>> =>
	requestJson(path, requestInit(call), call.signal);

/** Like `callAs`, but returns the response unread. @throws Failure */
export const fetchAs = (path: string, call: OwnCall): Promise<Response> =>
	request(path, requestInit(call), call.signal);

function requestInit({ method = "GET", body, key, credits }: OwnCall): RequestInit {
	const headers = {
		...(body !== undefined && jsonBody),
		...(key !== undefined && { "x-api-key": key }),
		...(credits !== undefined && { authorization: `Bearer ${credits}` }),
	};
	return { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
}

const requestJson = async <T>(address: string, init: RequestInit, signal: AbortSignal | undefined): Promise<T> =>
	(await request(address, init, signal)).json() as Promise<T>;

async function request(address: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
	const limits = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
	// With `no-cache`, the browser revalidates its copy by ETag, so that a page that polls sees changes before `max-age` has passed.
	const send = () => fetch(address, { cache: "no-cache", ...init, signal: AbortSignal.any(limits) });
	let response: Response;
	try {
		response = await send();
		if (response.status === 403 && address.startsWith(prefix) && !new Headers(init.headers).has("x-api-key")) {
			await renewToken();
			response = await send();
		}
	} catch (error) {
		if (signal?.aborted) throw error;
		throw new Failure("The service does not respond.");
	}
	if (!response.ok) throw await failureOf(response);
	return response;
}

let renewal: Promise<unknown> | undefined;

/** Renews the page token, which every page sets. Needed when it has expired or the visitor has moved to a different network. */
function renewToken(): Promise<unknown> {
	renewal ??= fetch("/", { headers: { accept: "text/html" } }).finally(() => {
		renewal = undefined;
	});
	return renewal;
}

async function failureOf(response: Response): Promise<Failure> {
	const { status, headers } = response;
	const { detail, errors = [] } = (await response.json().catch(() => ({}))) as Partial<ReturnType<AppError["toJSON"]>>;
	return new Failure(detail ?? `The service responds with status ${status}.`, {
		retryAfter: Number(headers.get("retry-after")) || undefined,
		status,
		fields: Object.fromEntries(errors.map(({ loc, msg }) => [loc[1] ?? "", msg])),
	});
}
