/**
 * What pages ask the service for: the reads of its interface, free, under a limit of their own; and, with the visitor's key, the interface
 * itself. Types are the registry's.
 */
import type { OperationName, Reply } from "#libs/contract/index.ts";

/** Where the gateway serves reads to pages (services/gateway/web/page-reads.ts). */
const prefix = "/web/data";
const timeoutMs = 20_000;

/** An answer that is none, with what can be said of it to a reader. */
export class Failure extends Error {
	/** After how long to try again (s), where the answer says so. */
	readonly retryAfter: number | undefined;
	/** Asked again it would be the same. */
	readonly isFinal: boolean;
	/** Of the answer; 503 where none came. */
	readonly status: number;

	constructor(
		message: string,
		{ retryAfter, status = 503 }: { retryAfter?: number | undefined; status?: number } = {},
	) {
		super(message);
		this.status = status;
		this.retryAfter = retryAfter;
		this.isFinal = status < 500 && status !== 429;
	}
}

export type Query = Record<string, string | number | undefined>;

/** `path` is that of the operation, its parameters filled in. @throws Failure */
export function read<N extends OperationName>(
	_operation: N,
	path: string,
	query: Query = {},
	signal?: AbortSignal,
): Promise<Reply<N>> {
	return json(addressOf(path, query), {}, signal);
}

/** Where a page reads that. */
export function addressOf(path: string, query: Query): string {
	const set = Object.entries(query).filter(([, value]) => value !== undefined);
	const text = new URLSearchParams(Object.fromEntries(set) as Record<string, string>).toString();
	return `${prefix}${path}${text && "?"}${text}`;
}

/** The same of an operation whose parameters are a body. @throws Failure */
export const readByPost = <N extends OperationName>(
	_operation: N,
	path: string,
	params: Query,
	signal?: AbortSignal,
): Promise<Reply<N>> => json(addressOf(path, {}), { method: "POST", ...asJson(params) }, signal);

/** An answer of any shape, of an address with its query; of a body where there is one. @throws Failure */
export const readAt = (address: string, body: string | undefined, signal?: AbortSignal): Promise<unknown> =>
	json(
		`${prefix}${address}`,
		body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body },
		signal,
	);

export interface OwnCall {
	method?: string;
	/** Sent as JSON. */
	body?: object | undefined;
	/** The visitor's, where there is one. */
	key?: string | undefined;
	/** A token of prepaid credits, in its place. */
	credits?: string | undefined;
	signal?: AbortSignal | undefined;
}

/** A read of the account of a key: it takes nothing of its plan. @throws Failure */
export const readAs = <N extends OperationName>(
	_operation: N,
	path: string,
	key: string,
	signal?: AbortSignal,
): Promise<Reply<N>> => json(`${prefix}${path}`, initOf({ key }), signal);

/** An operation at its own address, on the visitor's account: what it costs and changes is the visitor's. @throws Failure */
export const callAs = <N extends OperationName>(_operation: N, path: string, options: OwnCall): Promise<Reply<N>> =>
	json(path, initOf(options), options.signal);

/** The same, for an answer that is to be read in another way. @throws Failure */
export const answerAs = (path: string, options: OwnCall): Promise<Response> =>
	answer(path, initOf(options), options.signal);

function initOf({ method = "GET", body, key, credits }: OwnCall): RequestInit {
	const { headers, ...rest } = body === undefined ? {} : asJson(body);
	const whose = {
		...(key !== undefined && { "x-api-key": key }),
		...(credits !== undefined && { authorization: `Bearer ${credits}` }),
	};
	return { method, ...rest, headers: { ...headers, ...whose } };
}

const asJson = (body: object) => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

const json = async <T>(address: string, init: RequestInit, signal: AbortSignal | undefined): Promise<T> =>
	(await answer(address, init, signal)).json() as Promise<T>;

async function answer(address: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
	const limits = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
	// What the browser has is asked for again by its ETag: a page that reads at an interval is to see what is new.
	const ask = () => fetch(address, { cache: "no-cache", ...init, signal: AbortSignal.any(limits) });
	let response: Response;
	try {
		response = await ask();
		if (response.status === 403 && address.startsWith(prefix) && !new Headers(init.headers).has("x-api-key")) {
			await renewToken();
			response = await ask();
		}
	} catch (error) {
		if (signal?.aborted) throw error;
		throw new Failure("The service does not answer.");
	}
	if (!response.ok) throw await failureOf(response);
	return response;
}

let renewing: Promise<unknown> | undefined;

/** A page that is open for longer than its token holds, or has moved to another network, gets a new one with any page. */
function renewToken(): Promise<unknown> {
	renewing ??= fetch("/", { headers: { accept: "text/html" } }).finally(() => {
		renewing = undefined;
	});
	return renewing;
}

async function failureOf(response: Response): Promise<Failure> {
	const after = Number(response.headers.get("retry-after") ?? Number.NaN);
	const { detail } = (await response.json().catch(() => ({}))) as { detail?: string };
	const { status } = response;
	return new Failure(detail ?? `The service answers with status ${status}.`, {
		retryAfter: after || undefined,
		status,
	});
}
