/** Whom what a request holds is counted under: its account, as soon as that is known, and its address. */
import type { FastifyRequest } from "fastify";
import type { QueueCaller } from "#libs/service/fair-queue.ts";
import { placeOfRequest } from "./addresses.ts";
import type { Caller } from "./caller.ts";

const known = new WeakMap<FastifyRequest, QueueCaller>();

export function identified(request: FastifyRequest, caller: Caller): QueueCaller {
	const account = caller.kind === "key" ? { account: String(caller.accountId) } : {};
	const found = { ...placed(request), ...account };
	known.set(request, found);
	return found;
}

export const whose = (request: FastifyRequest): QueueCaller => known.get(request) ?? placed(request);

/** From this machine everybody comes from one address, so that it says nothing. */
function placed(request: FastifyRequest): QueueCaller {
	const { address, loopback } = placeOfRequest(request);
	return loopback ? {} : { address };
}
