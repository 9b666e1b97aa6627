/** Adds an HTTP route for each operation of the registry. The route makes a call from the request, and sends the pipeline's response. */
import { Readable } from "node:stream";
import type { DoneFuncWithErrOrRes, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound } from "#libs/contract/errors.ts";
import type { OperationName } from "#libs/contract/index.ts";
import type { Logger } from "#libs/service/logger.ts";
import { type Call, newCall, queueCallerOf } from "../calls/call.ts";
import { renderings } from "../feeds/index.ts";
import { send, watchStream, whenSent } from "../http/answer.ts";
import { chooseEncoding, wantsPage } from "../http/negotiation.ts";
import { type Handle, inSpan } from "../http/span.ts";
import { pageReads } from "../pages/page-reads.ts";
import { type Page, sendPage, subjectCheck } from "../pages/pages.ts";
import type { Paid } from "../payments/settle.ts";
import { isPricedRead } from "../pipeline/page-read.ts";
import { type Pipeline, type PipelineOptions, pipelineOf } from "../pipeline/pipeline.ts";
import { setCaller } from "../pools/held.ts";
import { type CallResponse, type HttpOperation, httpOperations } from "../registry/bindings.ts";
import { HttpTransport } from "./http-transport.ts";

export interface RouteOptions extends PipelineOptions {
	pages: ReadonlyMap<OperationName, Page>;
	publicUrl: string | undefined;
	log: Logger;
}

/** Calls that were authorized before their body was read. */
const authorizedCalls = new WeakMap<FastifyRequest, Call>();

export function addRoutes(app: FastifyInstance, options: RouteOptions): void {
	for (const operation of [...httpOperations(), ...pageReads(), ...renderings()]) {
		const { http } = operation;
		const isPlain = operation.pageRead === undefined && operation.rendering === undefined;
		const page = isPlain ? options.pages.get(operation.name) : undefined;
		const pipeline = pipelineOf(operation, options);
		const begin = async (request: FastifyRequest, reply: FastifyReply): Promise<Call> => {
			const call = newCall(operation, new HttpTransport(request, reply, options.publicUrl));
			await pipeline.authorize(call);
			setCaller(request, queueCallerOf(call));
			return call;
		};
		const answer = answerHandler(operation, pipeline, begin, options);
		const route = {
			method: http.method,
			url: http.path.replace(/\{(\w+)\}/g, ":$1"),
			config: { operation: operation.name },
			...(http.method !== "GET" && {
				onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
					void authorizedCalls.set(request, await begin(request, reply)),
			}),
			...(page !== undefined && { onSend: varyByAccept }),
			handler: inSpan(http.method, http.path, handlerOf(operation, answer, page, options)),
		};
		app.route(route);
		if (operation.operation.streamed === true && operation.operation.mediaTypes !== undefined) {
			const handler = byExtension(operation, route.handler, options);
			for (const url of new Set([route.url, shortUrl(route.url)]))
				app.route({ ...route, url: `${url}.:format`, handler });
		}
	}
}

/** `/projects.csv` for `/export/projects.csv`, because people type it into spreadsheets. */
const shortUrl = (url: string): string => url.replace(/^\/export(?=\/)/, "");

/** Handles an export's address with the format as its extension, for programs that can send neither parameters nor headers. */
function byExtension({ http, operation }: HttpOperation, handle: Handle, options: RouteOptions): Handle {
	const formats = Object.keys(operation.mediaTypes ?? {});
	return async (request, reply) => {
		const transport = new HttpTransport(request, reply, options.publicUrl);
		if (formats.includes(transport.path.format ?? "")) return handle(request, reply);
		await options.rates.free(transport);
		throw notFound(`no such format: ${http.path} is available as ${formats.map((one) => `.${one}`).join(", ")}`);
	};
}

function handlerOf(operation: HttpOperation, answer: Handle, page: Page | undefined, options: RouteOptions): Handle {
	if (page === undefined) return answer;
	const check = subjectCheck(operation, options);
	return async (request, reply) => {
		if (!wantsPage(request)) return answer(request, reply);
		const transport = new HttpTransport(request, reply, options.publicUrl);
		await options.rates.free(transport);
		const subject = await check(transport);
		return sendPage(request, reply, subject === undefined ? page : page.withText(subject), options.pageTokens);
	};
}

/** Adds `vary` to every response, also to errors, because caches must distinguish the page and the JSON of an address. */
function varyByAccept(
	_request: FastifyRequest,
	reply: FastifyReply,
	payload: unknown,
	done: DoneFuncWithErrOrRes,
): void {
	const vary = String(reply.getHeader("vary") ?? "");
	if (!/\baccept\b(?!-)/i.test(vary)) reply.header("vary", [vary, "Accept"].filter(Boolean).join(", "));
	done(null, payload);
}

function answerHandler(
	declared: HttpOperation,
	pipeline: Pipeline,
	begin: (request: FastifyRequest, reply: FastifyReply) => Promise<Call>,
	{ log }: RouteOptions,
) {
	const { operation } = declared;
	return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
		const call = authorizedCalls.get(request) ?? (await begin(request, reply));
		const response = await pipeline.answer(call, chooseEncoding(request.headers["accept-encoding"]));
		if (response.body instanceof Readable) watchStream(request, reply, response.body, log);
		if ("sent" in response) return sendPaid(reply, response, operation.eventStream !== undefined);
		const isForOne = call.caller.kind === "key" || isPricedRead(declared);
		return send(request, reply, isForOne ? forOneCaller(response) : response);
	};
}

/**
 * Keeps a response out of shared caches. A response to a call with a key shows the limits of the caller, and its URL may contain the key. A
 * response to a page's read is only for that page.
 */
function forOneCaller(response: CallResponse): CallResponse {
	const shared = response.headers["cache-control"]?.replace(/^public/, "private") ?? "no-store";
	return { ...response, headers: { ...response.headers, "cache-control": shared } };
}

/** Sends a paid response completely, even if the client has it in a cache. An endless stream counts as delivered when it begins. */
function sendPaid(reply: FastifyReply, paid: Paid, isEndless: boolean): FastifyReply {
	if (isEndless) paid.sent("delivered");
	else whenSent(reply, paid.body, paid.sent);
	return reply.headers(paid.headers).code(paid.status).send(paid.body);
}
