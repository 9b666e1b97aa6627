/** Whom what a request holds is counted under: its account, as soon as that is known, and its address. */
import type { FastifyRequest } from "fastify";
import type { QueueCaller } from "#libs/service/fair-queue.ts";
import { placeOfRequest } from "./addresses.ts";

const known = new WeakMap<FastifyRequest, QueueCaller>();

export const identified = (request: FastifyRequest, caller: QueueCaller): void => void known.set(request, caller);

export const whose = (request: FastifyRequest): QueueCaller => known.get(request) ?? placed(request);

/** From this machine everybody comes from one address, so that it says nothing. */
function placed(request: FastifyRequest): QueueCaller {
	const { address, loopback } = placeOfRequest(request);
	return loopback ? {} : { address };
}
