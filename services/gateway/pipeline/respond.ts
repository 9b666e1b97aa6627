/** What is left of a request when it is let in and its parameters are read: ask, and say how the answer goes out. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { PlainName } from "#libs/bus/request.ts";
import type { Handlers, ParamsInput, RequestContext, Versioned } from "#libs/contract/index.ts";
import type { FairQueue } from "#libs/service/fair-queue.ts";
import type { Authorization } from "../authorization/authorizer.ts";
import { placeOf } from "../callers/addresses.ts";
import { whose } from "../callers/whose.ts";
import { type FileAnswerOptions, fileAnswer } from "../exports/answer.ts";
import { cacheControl, etagOfGzip, headersOf } from "../http/answer.ts";
import { goneOf } from "../http/ended.ts";
import { prefersPage } from "../http/prefers-page.ts";
import type { Answered } from "../registry/answered.ts";
import type { HttpOperation } from "../registry/bindings.ts";
import { etagOf, type ResponseCache } from "../response-cache/response-cache.ts";
import { issuedAsPage, type RegisterFormOptions } from "./register-form.ts";

export interface RespondOptions {
	answers: ResponseCache;
	/** What the gateway answers itself. */
	handlers: Handlers<"gateway">;
	/** Longest wait for an owner (ms). */
	requestTimeoutMs: number;
	/** What services work on at once. */
	work: FairQueue;
	files: FileAnswerOptions;
	/** What the pages around the form of `register` need. */
	form: RegisterFormOptions;
}

/** An answer that is there, in memory or as a file; compressed only where `gzip` allows it. Throws AppError. */
export type Respond = (
	request: FastifyRequest,
	reply: FastifyReply,
	params: object,
	authorization: Authorization,
	gzip: boolean,
) => Promise<Answered>;

export function responder(declared: HttpOperation, options: RespondOptions): Respond {
	if (declared.operation.owner === "gateway") return ownAnswer(declared, options);
	return declared.operation.streamed === true ? fileAnswer(declared, options.files) : keptAnswer(declared, options);
}

function keptAnswer({ name, operation }: HttpOperation, { answers, work }: RespondOptions): Respond {
	const headers = headersOf(operation);
	const plain = name as PlainName;
	return async (request, reply, given, _admission, gzip) => {
		const params = given as ParamsInput<PlainName>;
		const kept = await answers.get(plain, params, () => turnOf(request, reply, params, work));
		const { bytes, gzipped, askedAt, dataVersion, etag } = gzip ? await answers.gzipped(plain, params, kept) : kept;
		const compressed = gzip && gzipped !== undefined;
		return {
			status: 200,
			headers: {
				...headers,
				"cache-control": cacheControl(operation, performance.now() - askedAt),
				"x-data-version": String(dataVersion),
				vary: "Accept-Encoding",
				etag: compressed ? etagOfGzip(etag) : etag,
				...(compressed && { "content-encoding": "gzip" }),
			},
			body: compressed ? gzipped : bytes,
		};
	};
}

/** Who leaves while it waits gives its place up. */
const turnOf = (request: FastifyRequest, reply: FastifyReply, params: object, work: FairQueue): Promise<Disposable> =>
	work.acquire(whose(request), goneOf(reply), slotsOf(params));

/** Rows of an answer that are as much work as one request: a page of 500 takes eight times as long as one of 50. */
const rowsOfSlot = 100;

const slotsOf = (params: { per_page?: number; limit?: number }): number =>
	Math.max(1, Math.ceil((params.per_page ?? params.limit ?? 1) / rowsOfSlot));

function ownAnswer({ name, operation, http }: HttpOperation, options: RespondOptions): Respond {
	const { handlers, requestTimeoutMs, form } = options;
	// What is about one caller, or does something, is cached nowhere.
	const isShared = http.method === "GET" && !http.needsKey && http.credential === undefined;
	const headers = { ...headersOf(operation), "cache-control": isShared ? cacheControl(operation, 0) : "no-store" };
	const handle = handlers[name as keyof Handlers<"gateway">] as (
		params: object,
		context: RequestContext,
	) => Promise<Versioned<unknown>>;
	return async (request, reply, params, { caller }) => {
		const loopback = caller.kind === "anonymous" && caller.loopback;
		const context: RequestContext = {
			signal: operation.untimed === true ? goneOf(reply) : AbortSignal.timeout(requestTimeoutMs),
			// Also with a key: registering with each key that was registered would know no limit.
			http: { headers: request.headers, address: placeOf(request.ip).address, loopback },
			...(caller.kind === "key" && { caller }),
		};
		const { json, headers: more } = await handle(params, context);
		const body = Buffer.from(json);
		if (http.form && prefersPage(request.headers)) return issuedAsPage(request, body, form.publicUrl);
		return { status: 200, headers: { ...headers, ...(isShared && { etag: etagOf(body) }), ...more }, body };
	};
}
