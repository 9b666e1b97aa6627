/** Every operation of the service as a method; lists, the change feed and event streams also as async iterators. */
import type { Calls } from "./contract.ts";
import { isFinal } from "./errors.ts";
import { type ConnectionCallbacks, eventsOf, type ServerEvent } from "./events.ts";
import { routes } from "./operations.ts";
import type { Route } from "./route.ts";
import { pause, type Sent, Transport, type TransportOptions } from "./transport.ts";

export type OperationName = keyof Calls;
export type Params<N extends OperationName> = Calls[N]["params"];
export type Reply<N extends OperationName> = Calls[N]["reply"];

export interface CallOptions {
	signal?: AbortSignal;
}
/** With `everyMs`, the feed survives outages after its first response, as `events` does. */
export interface FollowOptions extends CallOptions, ConnectionCallbacks {
	/** Polls for more changes every `everyMs` at the end of the feed. */
	everyMs?: number;
}
export interface EventOptions extends CallOptions, ConnectionCallbacks {}

/** Operations with a list of rows. */
export type ListName = {
	[N in OperationName]: Reply<N> extends { data: readonly unknown[] } ? N : never;
}[OperationName];
/** A row of a list: `Row<"listProjects">`. */
export type Row<N extends ListName> = Reply<N> extends { data: readonly (infer R)[] } ? R : never;
type FeedRow = Extract<Reply<"listChanges">, { next: number }>["data"][number];

/** Arguments of a method. The parameters can be omitted if none of them is required. */
type Given<N extends OperationName, O> =
	Partial<Params<N>> extends Params<N> ? [params?: Params<N>, options?: O] : [params: Params<N>, options?: O];

export type Methods = {
	[N in OperationName]: (...given: Given<N, CallOptions>) => Promise<Reply<N>>;
};

export interface Client extends Methods {
	/** Cost of payments so far (USD). */
	readonly spentUsd: number;
	/** Yields every row of a list, which it requests page by page. */
	rows<N extends ListName>(name: N, ...given: Given<N, CallOptions>): AsyncGenerator<Row<N>, void>;
	/**
	 * Yields every change after the `seq` in `after` (0: all), in order. To continue later, pass the `seq` of the last row. Ends at the newest
	 * change unless `everyMs` is set.
	 */
	feed(params: Params<"listChanges"> & { after: number }, options?: FollowOptions): AsyncGenerator<FeedRow, void>;
	/** Yields events as they are published until the signal aborts. Reconnects when the connection is lost. */
	events<T = unknown>(
		name: Extract<OperationName, `stream${string}`>,
		params?: Params<OperationName>,
		options?: EventOptions,
	): AsyncGenerator<ServerEvent<T>, void>;
	/** Returns the response itself, so that exports can be streamed. `headers` can contain Range, for example. */
	response<N extends OperationName>(
		name: N,
		...given: Given<N, CallOptions & { headers?: Record<string, string> }>
	): Promise<Response>;
}

/** Rows of a page when a whole list is read. */
const rowsPerPage = 200;
const changesPerPage = 500;

export function createClient(options: TransportOptions): Client {
	const transport = new Transport(options);
	const response = (
		name: OperationName,
		params: object = {},
		{ signal, headers }: CallOptions & { headers?: Record<string, string> } = {},
	) => transport.send({ ...requestOf(routes[name], params, signal), ...(headers !== undefined && { headers }) });

	async function call<N extends OperationName>(
		name: N,
		params: Params<N> = {} as Params<N>,
		{ signal }: CallOptions = {},
	): Promise<Reply<N>> {
		return await transport.send(requestOf(routes[name], params, signal), async (response) => {
			const isJson = response.headers.get("content-type")?.includes("json") === true;
			return (await (isJson ? response.json() : response.text())) as Reply<N>;
		});
	}

	async function* rows(name: OperationName, params: object = {}, options?: CallOptions): AsyncGenerator<unknown, void> {
		if (routes[name].isList !== true) {
			yield* ((await call(name, params as never, options)) as { data: unknown[] }).data;
			return;
		}
		for (let cursor: string | null = "*"; cursor !== null; ) {
			const page = { per_page: rowsPerPage, ...params, cursor };
			const { data, meta, next_cursor } = (await call(name, page as never, options)) as ListPage;
			yield* data;
			cursor = meta?.next_cursor ?? next_cursor ?? null;
		}
	}

	const feed: Client["feed"] = async function* ({ after, ...params }, { signal, everyMs, onOpen, onLost } = {}) {
		const options = signal === undefined ? {} : { signal };
		let state: "new" | "open" | "lost" = "new";
		for (let from = after; ; ) {
			let page: FeedPage;
			try {
				page = (await call("listChanges", { per_page: changesPerPage, ...params, after: from }, options)) as FeedPage;
			} catch (error) {
				// If the service has never responded, its address is probably wrong.
				if (everyMs === undefined || state === "new" || isFinal(error)) throw error;
				signal?.throwIfAborted();
				onLost?.(error);
				state = "lost";
				await pause(everyMs, signal);
				continue;
			}
			if (state !== "open") onOpen?.();
			state = "open";
			yield* page.data;
			if (page.next !== from) from = page.next;
			else if (everyMs === undefined) return;
			else await pause(everyMs, signal);
		}
	};

	const helpers = {
		rows,
		feed,
		response,
		events: (name: OperationName, params: object = {}, { signal, ...callbacks }: EventOptions = {}) =>
			eventsOf(transport, requestOf(routes[name], params, signal), callbacks),
	};
	return new Proxy(helpers as unknown as Client, {
		get(target, name) {
			if (name === "spentUsd") return transport.spentUsd;
			if (name in target) return Reflect.get(target, name);
			// The proxy must not have a method `then`, which `await client` would call.
			if (typeof name !== "string" || !Object.hasOwn(routes, name)) return undefined;
			return (params?: never, options?: CallOptions) => call(name as OperationName, params, options);
		},
	});
}

interface ListPage {
	data: unknown[];
	meta?: { next_cursor?: string | null };
	next_cursor?: string | null;
}
interface FeedPage {
	data: FeedRow[];
	next: number;
}

/** Builds the request of a call. @throws TypeError if a path parameter is missing or empty */
function requestOf({ method, path, isRead }: Route, params: object, signal?: AbortSignal): Sent {
	const hasBody = method === "POST" || method === "PATCH";
	// In a body, null is a value: it clears the field.
	const isGiven = (value: unknown) => value !== undefined && (value !== null || hasBody);
	const rest = new Map(Object.entries(params).filter(([, value]) => isGiven(value)));
	const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = rest.get(name);
		if (value == null || value === "") throw new TypeError(`${name} is required`);
		rest.delete(name);
		return encodeURIComponent(String(value));
	});
	// An object becomes a query parameter for each of its members.
	const texts = [...(hasBody ? [] : rest)].flatMap(([name, value]): [string, string][] =>
		typeof value === "object" && !Array.isArray(value)
			? Object.entries(value).map(([own, each]): [string, string] => [own, String(each)])
			: [[name, String(value)]],
	);
	const query = new URLSearchParams(texts).toString();
	return {
		method,
		path: query === "" ? filledPath : `${filledPath}?${query}`,
		body: hasBody ? JSON.stringify(Object.fromEntries(rest)) : undefined,
		isRead: method === "GET" || isRead === true,
		signal,
	};
}
