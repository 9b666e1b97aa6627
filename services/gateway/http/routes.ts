/** The routes, derived from the registry: parse, ask, hand on the bytes. */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Bus } from "#libs/bus/connect.ts";
import type { PlainName, StreamedName } from "#libs/bus/request.ts";
import { requestStream } from "#libs/bus/stream.ts";
import type { Handlers, ParamsInput, RequestContext, Versioned } from "#libs/contract/index.ts";
import type { Logger } from "#libs/service/logger.ts";
import { type Answers, etagOf } from "../answers/answers.ts";
import { cacheControl, headersOf, sendAnswer, sendTagged } from "./answer.ts";
import { type HttpOperation, httpOperations } from "./bindings.ts";
import { paramsReader } from "./params.ts";
import { inSpan } from "./span.ts";
import { attachment, sendStream } from "./stream.ts";

export interface RouteOptions {
	bus: Bus;
	answers: Answers;
	/** What the gateway answers itself. */
	handlers: Handlers<"gateway">;
	/** Longest wait for an owner (ms). */
	requestTimeoutMs: number;
	log: Logger;
}

/** What is left of a route when its parameters are read. */
type Respond = (request: FastifyRequest, reply: FastifyReply, params: object) => Promise<FastifyReply>;

export function addRoutes(app: FastifyInstance, options: RouteOptions): void {
	for (const declared of httpOperations()) {
		const { name, http } = declared;
		if (http.method !== "GET") throw new Error(`${name}: only GET is read from a URL so far`);
		const read = paramsReader(name);
		const respond = responder(declared, options);
		app.get(
			http.path.replace(/\{(\w+)\}/g, ":$1"),
			inSpan(http.method, http.path, async (request, reply) => respond(request, reply, read(...parts(request)))),
		);
	}
}

/** The path parameters, decoded, and the query as it was sent: `app.ts` has the router hand it on unread. */
const parts = (request: FastifyRequest): [Record<string, string>, string] => [
	request.params as Record<string, string>,
	(request.query as { text: string }).text,
];

function responder(declared: HttpOperation, options: RouteOptions): Respond {
	if (declared.operation.owner === "gateway") return ownAnswer(declared, options);
	return declared.operation.streamed === true ? streamedAnswer(declared, options) : keptAnswer(declared, options);
}

function keptAnswer({ name, operation }: HttpOperation, { answers }: RouteOptions): Respond {
	const headers = headersOf(operation);
	const plain = name as PlainName;
	return async (request, reply, params) => {
		const answer = await answers.get(plain, params as ParamsInput<PlainName>);
		reply.headers(headers).header("cache-control", cacheControl(operation, performance.now() - answer.askedAt));
		return sendAnswer(request, reply, answer);
	};
}

function ownAnswer({ name, operation }: HttpOperation, { handlers, requestTimeoutMs }: RouteOptions): Respond {
	const headers = { ...headersOf(operation), "cache-control": cacheControl(operation, 0) };
	const handle = handlers[name as keyof Handlers<"gateway">] as (
		params: object,
		context: RequestContext,
	) => Promise<Versioned<unknown>>;
	return async (request, reply, params) => {
		const { json } = await handle(params, { signal: AbortSignal.timeout(requestTimeoutMs) });
		reply.headers(headers);
		return sendTagged(request, reply, Buffer.from(json), etagOf(json));
	};
}

function streamedAnswer({ name, operation, http }: HttpOperation, { bus, log }: RouteOptions): Respond {
	const headers = {
		...headersOf(operation),
		"cache-control": "no-store",
		"content-disposition": attachment(http, operation.mediaType ?? "application/json"),
	};
	const streamed = name as StreamedName;
	return async (request, reply, params) => {
		// Nothing is read to be thrown away. A stream, even an empty one, does not pretend to know its length.
		if (request.method === "HEAD") return reply.headers(headers).send(Readable.from([]));
		const open = (signal: AbortSignal) => requestStream(bus, streamed, params as ParamsInput<StreamedName>, { signal });
		return sendStream(request, reply, { open, headers, log });
	};
}
