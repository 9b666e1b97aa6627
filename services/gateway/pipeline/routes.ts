/** The routes, derived from the registry: let in, parse, take the payment, ask, hand on the bytes. */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#libs/contract/errors.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { Authorization, Authorizer } from "../authorization/authorizer.ts";
import type { Usage } from "../authorization/usage.ts";
import { identified } from "../callers/whose.ts";
import { acceptsGzip, send } from "../http/answer.ts";
import { bodyReader, readBody } from "../http/body.ts";
import type { Readers } from "../http/readers.ts";
import { inSpan } from "../http/span.ts";
import { watchStream, whenSent } from "../http/stream.ts";
import type { AbuseThrottle } from "../limiter/abuse-throttle.ts";
import type { Payments } from "../payments/pay.ts";
import type { Paid, Purchase } from "../payments/settle.ts";
import type { Answered } from "../registry/answered.ts";
import { type HttpOperation, httpOperations } from "../registry/bindings.ts";
import { paramsReader } from "../registry/params.ts";
import { meterRequest } from "./metering.ts";
import { registerForm } from "./register-form.ts";
import { type RespondOptions, responder } from "./respond.ts";

export interface RouteOptions extends RespondOptions {
	authorizer: Authorizer;
	payments: Payments;
	abuseThrottle: AbuseThrottle;
	usage: Usage;
	readers: Readers;
	log: Logger;
}

export function addRoutes(app: FastifyInstance, options: RouteOptions): void {
	for (const declared of httpOperations()) {
		const { http } = declared;
		const url = http.path.replace(/\{(\w+)\}/g, ":$1");
		const answer = answering(declared, options);
		const handler = http.form ? registerForm(answer, options.form) : answer;
		const config = { operation: declared.name };
		// A body is read when the request is counted.
		const counted = http.method === "POST" && {
			onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
				void identified(request, await options.authorizer.arrive(request, reply, declared)),
		};
		app.route({ method: http.method, url, config, ...counted, handler: inSpan(http.method, http.path, handler) });
	}
}

function answering(declared: HttpOperation, options: RouteOptions) {
	const read = reader(declared);
	const respond = responder(declared, options);
	const isFile = declared.operation.streamed === true;
	return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
		const { params, fault } = attempt(() => read(request));
		const authorization = await options.authorizer.authorize(request, reply, declared, fault === undefined);
		const metered = meterRequest(request, reply, declared, authorization, options);
		if (params === undefined) throw fault;
		options.readers.makeRoom(identified(request, authorization.caller));
		if (authorization.payment === undefined) {
			const gzip = acceptsGzip(request.headers["accept-encoding"]);
			const answered = await respond(request, reply, params, authorization, gzip).catch((error: unknown) => {
				if (error instanceof AppError && error.counts === false) metered.isFree = true;
				throw error;
			});
			if (answered.body instanceof Readable) watchStream(request, reply, answered.body, options.log);
			return send(request, reply, authorization.caller.kind === "key" ? asOnes(answered) : answered);
		}
		const { payment, charge } = authorization.payment;
		const question = JSON.stringify(params);
		// What was paid for is stored as it is for a repetition of the request, perhaps by another client.
		const handle = async () => unlessGone(reply, await respond(request, reply, params, authorization, false));
		metered.paying = buy({ payment, charge, question, requestId: request.id, isFile, handle }, authorization, options);
		return sendPaid(request, reply, await metered.paying, options.log);
	};
}

/** With a key an answer carries what is left of its limits, and its address may carry the key: no shared cache may keep it. */
function asOnes(answered: Answered): Answered {
	const kept = answered.headers["cache-control"]?.replace(/^public/, "private") ?? "no-store";
	return { ...answered, headers: { ...answered.headers, "cache-control": kept } };
}

/** Who has gone by now is not charged. */
function unlessGone(reply: FastifyReply, answered: Answered): Answered {
	if (!reply.raw.closed) return answered;
	if (answered.body instanceof Readable) answered.body.destroy();
	throw new AppError(499, "the caller has gone");
}

/** A payment that pays for nothing counts against who sent it, whatever came of it: it cost us a check, perhaps an answer. */
async function buy(
	purchase: Purchase,
	{ caller }: Authorization,
	{ payments, abuseThrottle }: Pick<RouteOptions, "payments" | "abuseThrottle">,
): Promise<Paid> {
	const address = caller.kind === "anonymous" ? caller.address : "";
	abuseThrottle.check("failure", address);
	try {
		const paid = await payments.buy(purchase);
		if (paid.paidMicroUsd === 0) await abuseThrottle.count("payment", address).catch(() => {});
		return paid;
	} catch (error) {
		if (error instanceof AppError && error.counts === true)
			await abuseThrottle.count("failure", address).catch(() => {});
		if (error instanceof AppError && error.status < 500) {
			const counted = abuseThrottle.count("payment", address);
			await (error.status === 402 ? counted : counted.catch(() => {}));
		}
		throw error;
	}
}

/** Whole, whatever the caller says that it has: it was paid for. */
function sendPaid(request: FastifyRequest, reply: FastifyReply, paid: Paid, log: Logger): FastifyReply {
	whenSent(reply, paid.body, paid.sent);
	if (paid.body instanceof Readable) watchStream(request, reply, paid.body, log);
	return reply.headers(paid.headers).code(paid.status).send(paid.body);
}

/** Reads the parameters from where the declaration has them. Throws 400, 415, 422. */
function reader({ name, http }: HttpOperation): (request: FastifyRequest) => object {
	if (http.method === "GET") {
		const read = paramsReader(name);
		return (request) => read(...parts(request));
	}
	const read = bodyReader(name);
	return (request) => {
		const body = readBody(request.headers["content-type"], (request.body as Buffer | undefined) ?? "");
		return read(...parts(request), body);
	};
}

/** The path parameters, decoded, and the query as it was sent: `app.ts` has the router hand it on unread. */
const parts = (request: FastifyRequest): [Record<string, string>, string] => [
	request.params as Record<string, string>,
	(request.query as { text: string }).text,
];

function attempt(read: () => object): { params?: object; fault?: unknown } {
	try {
		return { params: read() };
	} catch (fault) {
		return { fault };
	}
}
