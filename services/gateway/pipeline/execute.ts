/** The last step of a call: gets the response from the response cache or the operation's owner, and adds headers and encoding. */
import type { PlainName, RawReply } from "#libs/bus/requests/request.ts";
import { AppError, invalid, keyNeeded } from "#libs/contract/errors.ts";
import type { Handlers, OperationName, ParamsInput, RequestContext, SerializedReply } from "#libs/contract/index.ts";
import { takesBody } from "#libs/contract/operation.ts";
import { projectFilters } from "#libs/contract/operations/projects/project.ts";
import { clientAddress } from "../callers/addresses.ts";
import type { KeyCaller } from "../callers/caller.ts";
import { type Call, disconnectSignal } from "../calls/call.ts";
import type { AcquireCallSlot } from "../calls/call-slots.ts";
import { type EventStreams, eventStreamResponder } from "../event-streams/answer.ts";
import { type FileAnswerOptions, fileResponder } from "../exports/answer.ts";
import { cacheControl, headersOf } from "../http/answer.ts";
import { pageLinks } from "../http/links.ts";
import {
	CodedBytes,
	type ContentEncoding,
	encodedEtag,
	isCompressible,
	minBytesToCompress,
} from "../http/negotiation.ts";
import type { CallResponse, HttpOperation, Rendering } from "../registry/bindings.ts";
import { etagOf, type ResponseCache } from "../response-cache/response-cache.ts";

export interface ExecuteOptions {
	responseCache: ResponseCache;
	/** Requests an account's data from its owner. The reply is not cached. */
	requestForAccount(name: PlainName, params: ParamsInput<PlainName>, account: KeyCaller): Promise<RawReply>;
	handlers: Handlers<"gateway">;
	requestTimeoutMs: number;
	acquireSlot: AcquireCallSlot;
	files: FileAnswerOptions;
	eventStreams: EventStreams;
}

/** Executes a call. The response is compressed if an `encoding` is given. @throws AppError */
export type Execute = (call: Call, encoding: ContentEncoding | undefined) => Promise<CallResponse>;

export function executeStep(declared: HttpOperation, options: ExecuteOptions): Execute {
	const { rendering } = declared;
	const execute =
		rendering === undefined
			? uncheckedStep(declared, options)
			: renderedAnswer(uncheckedStep(declared, options), rendering);
	const check = filterCheck(declared, options);
	if (check === undefined) return execute;
	return async (call, encoding) => {
		await check(call.params ?? {});
		return execute(call, encoding);
	};
}

function uncheckedStep(declared: HttpOperation, options: ExecuteOptions): Execute {
	if (declared.operation.eventStream !== undefined) return eventStreamResponder(declared, options.eventStreams);
	if (declared.operation.owner === "gateway") return ownAnswer(declared, options);
	if (declared.http.needsKey) return accountAnswer(declared, options);
	if (declared.operation.streamed === true) return fileResponder(declared, options.files);
	const execute = cachedAnswer(declared, options);
	return takesBody(declared.http.method) ? (call, encoding) => execute(call, encoding).catch(rethrowInBody) : execute;
}

/** Renders the JSON of the operation in another format. A caller may store and revalidate the result even if it may not store the JSON. */
function renderedAnswer(execute: Execute, { mediaType, render }: Rendering): Execute {
	const compressResponse = responseCompressor(true);
	return async (call, encoding) => {
		const { headers, body } = await execute(call, undefined);
		const { url, site } = call.transport;
		const renderedBody = Buffer.from(render(JSON.parse(String(body)), { url, site }));
		const { link: _, vary: __, "cache-control": caching = "no-store", ...others } = headers;
		const newHeaders = {
			...others,
			"cache-control": caching === "no-store" ? "private, no-cache" : caching,
			"content-type": mediaType,
			etag: etagOf(renderedBody),
		};
		return compressResponse({ status: 200, headers: newHeaders, body: renderedBody }, encoding);
	};
}

/** Rethrows an owner's error with locations in the body, because owners always report locations in the query. */
function rethrowInBody(error: unknown): never {
	if (!(error instanceof AppError) || error.errors === undefined) throw error;
	throw invalid(
		error.errors.map(({ loc, msg }) => ({ loc: loc.map((part) => (part === "query" ? "body" : part)), msg })),
	);
}

/** Filters whose values `listProjects` refuses if no list has filed them, or if they are not places. */
const filedFilters = ["status", "study_phase", "ia_status", "county", "near"] as const;

/**
 * Makes a check of the filters of services other than queue-ingest, undefined if none is needed. Only queue-ingest has the filed values, so the
 * other services would respond to an unknown value as if no request matched it. The check calls `listProjects` with the filters.
 */
function filterCheck(
	{ operation, http }: HttpOperation,
	{ responseCache }: ExecuteOptions,
): ((params: { filters?: object }) => Promise<void>) | undefined {
	if (operation.owner === "queue-ingest") return undefined;
	const nested = operation.owner === "subscriptions" && "filters" in operation.params.shape;
	// Declarations are compared and not names, because `status` in /deals/itc is the status of a tax credit.
	const names = filedFilters.filter((name) => nested || operation.params.shape[name] === projectFilters[name]);
	if (names.length === 0) return undefined;
	const where = [takesBody(http.method) ? "body" : "query", ...(nested ? ["filters"] : [])];
	return async (params) => {
		const filters: Record<string, unknown> = { ...(nested ? params.filters : params) };
		const toCheck = names.filter((name) => filters[name] !== undefined).map((name) => [name, filters[name]]);
		if (toCheck.length === 0) return;
		const circle = filters.near === undefined ? {} : { radius_km: filters.radius_km as number };
		try {
			await responseCache.get("listProjects", {
				...Object.fromEntries(toCheck),
				...circle,
				per_page: 1,
				fields: ["id"],
			});
		} catch (error) {
			// Any other failure of the check is ignored, because the operation may succeed.
			if (error instanceof AppError && error.errors !== undefined)
				throw invalid(error.errors.map(({ loc, msg }) => ({ loc: [...where, ...loc.slice(1)], msg })));
		}
	};
}

function cachedAnswer(
	{ name, operation, http }: HttpOperation,
	{ responseCache, acquireSlot }: ExecuteOptions,
): Execute {
	const headers = headersOf(operation);
	const plain = name as PlainName;
	return async (call, encoding) => {
		const params = call.params as ParamsInput<PlainName>;
		const cached = await responseCache.get(plain, params, () => acquireSlot(call, params));
		const { bytes, coded, requestedAt, dataVersion, etag } =
			encoding === undefined ? cached : await responseCache.encoded(plain, params, cached, encoding);
		const compressed = encoding && coded?.[encoding];
		const { link } = http.method === "GET" ? pageLinks(call.transport.url, params, bytes) : {};
		// The headers of a deprecated operation already contain a link.
		const links = [headers.link, link].filter((each) => each !== undefined);
		return {
			status: 200,
			headers: {
				...headers,
				"cache-control": cacheControl(operation, performance.now() - requestedAt),
				"x-data-version": String(dataVersion),
				vary: "Accept-Encoding",
				etag: compressed ? encodedEtag(etag, encoding) : etag,
				...(links.length > 0 && { link: links.join(", ") }),
				...(compressed && { "content-encoding": encoding }),
			},
			body: compressed ?? bytes,
		};
	};
}

/** Requests data of one account. The response is not cached. */
function accountAnswer(
	{ name, operation }: HttpOperation,
	{ requestForAccount, acquireSlot }: ExecuteOptions,
): Execute {
	const headers = { ...headersOf(operation), "cache-control": "no-store" };
	const plain = name as PlainName;
	return async (call) => {
		if (call.caller.kind !== "key") throw keyNeeded("this endpoint requires an API key: send it as X-API-Key");
		const params = call.params as ParamsInput<PlainName>;
		using _slot = await acquireSlot(call, params);
		const { bytes } = await requestForAccount(plain, params, call.caller);
		return { status: 200, headers, body: Buffer.from(bytes) };
	};
}

/** Operations of the gateway that send requests to services. They acquire a slot, like operations of services. */
const callingServices: ReadonlySet<OperationName> = new Set<OperationName>([
	...(["getScore", "getScoreHistory", "getProjectTaxCredit", "quote", "openDispute"] as const),
	...(["getUsage", "getReceipt", "getCredits", "changeCredits"] as const),
	// These contain an example of each operation.
	...(["getOpenapi", "getLlmsFull"] as const),
]);

function ownAnswer({ name, operation, http }: HttpOperation, options: ExecuteOptions): Execute {
	const { handlers, requestTimeoutMs, acquireSlot } = options;
	// A response about one caller, or to an action, is not cached.
	const isShared = http.method === "GET" && !http.needsKey && http.credential === undefined;
	const headers = { ...headersOf(operation), "cache-control": isShared ? cacheControl(operation, 0) : "no-store" };
	const handle = handlers[name as keyof Handlers<"gateway">] as (
		params: object,
		context: RequestContext,
	) => Promise<SerializedReply<unknown>>;
	const compressResponse = responseCompressor(isShared || http.readsByPost === true || http.price !== "free");
	return async (call, encoding) => {
		const { transport, caller, params = {}, payment } = call;
		using _slot = callingServices.has(name) ? await acquireSlot(call, params) : undefined;
		const loopback = caller.kind === "anonymous" && caller.loopback;
		const { address } = clientAddress(transport.ip);
		const context: RequestContext = {
			signal: operation.untimed === true ? disconnectSignal(transport) : AbortSignal.timeout(requestTimeoutMs),
			// The address is set even with a key, because a caller could otherwise register without a limit by using a new key each time.
			http: { headers: transport.headers, address, loopback, isPaid: payment !== undefined, site: transport.site },
			...(caller.kind === "key" && { caller }),
		};
		const { json, headers: more } = await handle(params, context);
		const body = Buffer.from(json);
		const answered = { status: 200, headers: { ...headers, ...(isShared && { etag: etagOf(body) }), ...more }, body };
		return compressResponse(answered, encoding);
	};
}

/**
 * @returns a function that compresses a response if that is worthwhile. An unchanged document is compressed only once for each encoding.
 * Responses about one account are not compressed: they are short, and the compressed length would reveal something about a secret in them
 */
function responseCompressor(isWorthwhile: boolean) {
	let last: { etag: string; coded: CodedBytes } | undefined;
	return async (
		answered: CallResponse & { body: Buffer },
		encoding: ContentEncoding | undefined,
	): Promise<CallResponse> => {
		const { headers, body } = answered;
		if (!isWorthwhile || !isCompressible(headers["content-type"] ?? "")) return answered;
		const vary = { vary: [headers.vary, "Accept-Encoding"].filter(Boolean).join(", ") };
		if (encoding === undefined || body.length < minBytesToCompress)
			return { ...answered, headers: { ...headers, ...vary } };
		const { etag } = headers;
		const coded = etag !== undefined && last?.etag === etag ? last.coded : new CodedBytes(body);
		if (etag !== undefined) last = { etag, coded };
		const tag = etag !== undefined && { etag: encodedEtag(etag, encoding) };
		return {
			...answered,
			headers: { ...headers, ...vary, ...tag, "content-encoding": encoding },
			body: await coded.in(encoding),
		};
	};
}
