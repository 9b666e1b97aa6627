/** Step: the operation is executed by its owner, or its answer is found in the response cache, and it is said how it goes out. */
import type { PlainName, RawReply } from "#libs/bus/request.ts";
import { AppError, invalid, keyNeeded } from "#libs/contract/errors.ts";
import type { Handlers, OperationName, ParamsInput, RequestContext, Versioned } from "#libs/contract/index.ts";
import { takesBody } from "#libs/contract/operation.ts";
import { placeOf } from "../callers/addresses.ts";
import type { KeyCaller } from "../callers/caller.ts";
import { type Call, goneOf } from "../calls/call.ts";
import type { Work } from "../calls/work.ts";
import { type EventStreams, eventAnswer } from "../event-streams/answer.ts";
import { type FileAnswerOptions, fileAnswer } from "../exports/answer.ts";
import { cacheControl, headersOf } from "../http/answer.ts";
import { pageLinks } from "../http/links.ts";
import { CodedBytes, type Coding, etagOfCoded, isCompressible, leastToCompress } from "../http/negotiation.ts";
import type { Answered, HttpOperation } from "../registry/bindings.ts";
import { etagOf, type ResponseCache } from "../response-cache/response-cache.ts";

export interface ExecuteOptions {
	answers: ResponseCache;
	/** Asks the owner of an operation about an account: cached nowhere. */
	askFor(name: PlainName, params: ParamsInput<PlainName>, account: KeyCaller): Promise<RawReply>;
	/** What the gateway answers itself. */
	handlers: Handlers<"gateway">;
	/** Longest wait for an owner (ms). */
	requestTimeoutMs: number;
	work: Work;
	files: FileAnswerOptions;
	eventStreams: EventStreams;
}

/** An answer that is there, in memory or as a file; compressed only where there is a `coding`. Throws AppError. */
export type Execute = (call: Call, coding: Coding | undefined) => Promise<Answered>;

export function executor(declared: HttpOperation, options: ExecuteOptions): Execute {
	if (declared.operation.eventStream !== undefined) return eventAnswer(declared, options.eventStreams);
	if (declared.operation.owner === "gateway") return ownAnswer(declared, options);
	if (declared.http.needsKey) return accountAnswer(declared, options);
	if (declared.operation.streamed === true) return fileAnswer(declared, options.files);
	const execute = cachedAnswer(declared, options);
	return takesBody(declared.http.method) ? (call, coding) => execute(call, coding).catch(inBody) : execute;
}

/** An owner does not know where a parameter stood. */
function inBody(error: unknown): never {
	if (!(error instanceof AppError) || error.errors === undefined) throw error;
	throw invalid(
		error.errors.map(({ loc, msg }) => ({ loc: loc.map((part) => (part === "query" ? "body" : part)), msg })),
	);
}

function cachedAnswer({ name, operation, http }: HttpOperation, { answers, work }: ExecuteOptions): Execute {
	const headers = headersOf(operation);
	const plain = name as PlainName;
	return async (call, coding) => {
		const params = call.params as ParamsInput<PlainName>;
		const kept = await answers.get(plain, params, () => work(call, params));
		const { bytes, coded, askedAt, dataVersion, etag } =
			coding === undefined ? kept : await answers.coded(plain, params, kept, coding);
		const compressed = coding && coded?.[coding];
		const { link } = http.method === "GET" ? pageLinks(call.transport.url, params, bytes) : {};
		// Of what will be gone there is one already.
		const links = [headers.link, link].filter((each) => each !== undefined);
		return {
			status: 200,
			headers: {
				...headers,
				"cache-control": cacheControl(operation, performance.now() - askedAt),
				"x-data-version": String(dataVersion),
				vary: "Accept-Encoding",
				etag: compressed ? etagOfCoded(etag, coding) : etag,
				...(links.length > 0 && { link: links.join(", ") }),
				...(compressed && { "content-encoding": coding }),
			},
			body: compressed ?? bytes,
		};
	};
}

/** Of an account's own things, by their owner: kept nowhere, as it is of use to that account alone. */
function accountAnswer({ name, operation }: HttpOperation, { askFor, work }: ExecuteOptions): Execute {
	const headers = { ...headersOf(operation), "cache-control": "no-store" };
	const plain = name as PlainName;
	return async (call) => {
		if (call.caller.kind !== "key") throw keyNeeded("this needs a key: send it as X-API-Key");
		const params = call.params as ParamsInput<PlainName>;
		using _slot = await work(call, params);
		const { bytes } = await askFor(plain, params, call.caller);
		return { status: 200, headers, body: Buffer.from(bytes) };
	};
}

/** The gateway answers these by asking services about what the caller names: each takes a turn, as the services' own operations do. */
const askingServices: ReadonlySet<OperationName> = new Set<OperationName>([
	"getScore",
	"getScoreHistory",
	"getProjectTaxCredit",
	"quote",
	"openDispute",
]);

function ownAnswer({ name, operation, http }: HttpOperation, options: ExecuteOptions): Execute {
	const { handlers, requestTimeoutMs, work } = options;
	// What is about one caller, or does something, is cached nowhere.
	const isShared = http.method === "GET" && !http.needsKey && http.credential === undefined;
	const headers = { ...headersOf(operation), "cache-control": isShared ? cacheControl(operation, 0) : "no-store" };
	const handle = handlers[name as keyof Handlers<"gateway">] as (
		params: object,
		context: RequestContext,
	) => Promise<Versioned<unknown>>;
	const compressed = compressing(isShared || http.readsByPost === true || http.price !== "free");
	return async (call, coding) => {
		const { transport, caller, params = {}, payment } = call;
		using _turn = askingServices.has(name) ? await work(call, params) : undefined;
		const loopback = caller.kind === "anonymous" && caller.loopback;
		const { address } = placeOf(transport.ip);
		const context: RequestContext = {
			signal: operation.untimed === true ? goneOf(transport) : AbortSignal.timeout(requestTimeoutMs),
			// Also with a key: registering with each key that was registered would know no limit.
			http: { headers: transport.headers, address, loopback, isPaid: payment !== undefined, site: transport.site },
			...(caller.kind === "key" && { caller }),
		};
		const { json, headers: more } = await handle(params, context);
		const body = Buffer.from(json);
		const answered = { status: 200, headers: { ...headers, ...(isShared && { etag: etagOf(body) }), ...more }, body };
		return compressed(answered, coding);
	};
}

/**
 * Of what the gateway answers itself, documents and results of statements are worth compressing. A document is compressed once a coding
 * while it stays the same; other answers are short, and some hold a secret, which its compressed length would say something of.
 */
function compressing(isWorthwhile: boolean) {
	let last: { etag: string; coded: CodedBytes } | undefined;
	return async (answered: Answered & { body: Buffer }, coding: Coding | undefined): Promise<Answered> => {
		const { headers, body } = answered;
		if (!isWorthwhile || !isCompressible(headers["content-type"] ?? "")) return answered;
		const vary = { vary: [headers.vary, "Accept-Encoding"].filter(Boolean).join(", ") };
		if (coding === undefined || body.length < leastToCompress) return { ...answered, headers: { ...headers, ...vary } };
		const { etag } = headers;
		const coded = etag !== undefined && last?.etag === etag ? last.coded : new CodedBytes(body);
		if (etag !== undefined) last = { etag, coded };
		const tag = etag !== undefined && { etag: etagOfCoded(etag, coding) };
		return {
			...answered,
			headers: { ...headers, ...vary, ...tag, "content-encoding": coding },
			body: await coded.in(coding),
		};
	};
}
