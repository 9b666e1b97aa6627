/** One listener for all that want to know when an answer has ended, however it did: several would cost a kept answer more than its lookup. */
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

/** Nothing was answered: the client disconnected first. */
export const disconnected = 499;

/** HTTP status of an answer that has ended. */
export const endedStatus = ({ raw, statusCode }: FastifyReply): number => (raw.headersSent ? statusCode : disconnected);

const waiting = Symbol("waiting");

type Watched = ServerResponse & { [waiting]?: (() => void)[] };

/** In the order of asking; never, if it has ended already. */
export function whenEnded(reply: FastifyReply, then: () => void): void {
	const raw: Watched = reply.raw;
	const others = raw[waiting];
	if (others !== undefined) {
		others.push(then);
		return;
	}
	const all = [then];
	raw[waiting] = all;
	raw.once("close", () => {
		for (const each of all) each();
	});
}
