/** Request bodies that are being received, each in memory up to BODY_MAX_BYTES: limits for a caller and for all. */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { Counter } from "prom-client";
import { AppError, tooManyRequests, unavailable } from "#libs/contract/errors.ts";
import type { QueueCaller } from "#libs/service/fair-queue.ts";
import type { Config } from "../config.ts";
import { endConnection } from "../http/errors.ts";
import { callerOfRequest, SharedPool } from "./held.ts";

const cutBodies = new Counter({
	name: "http_bodies_cut_total",
	help: "Bodies that were cut off before their end to make room for another caller's.",
});

/** Refuses bodies before they are parsed. */
export function limitBodies(app: FastifyInstance, config: Pick<Config, "BODIES_MAX" | "BODIES_PER_CALLER">): void {
	const receiving = new SharedPool<IncomingMessage>();

	/** Cuts the oldest body of the caller that sends most. */
	function makeRoom(caller: QueueCaller): boolean {
		const most = receiving.ofMost({ named: false });
		const [oldest] = most;
		if (oldest === undefined || most.size <= receiving.of(caller).size + 1) return false;
		receiving.delete(oldest);
		endConnection(oldest.socket, "408 Request Timeout", "the body did not arrive in time");
		cutBodies.inc();
		return true;
	}

	app.addHook("preParsing", (request, reply, payload, done) => {
		const { raw, headers } = request;
		if ((headers["content-length"] ?? "0") === "0" && headers["transfer-encoding"] === undefined) return done();
		const encoding = headers["content-encoding"] ?? "identity";
		if (encoding.toLowerCase() !== "identity") {
			reply.headers({ connection: "close", "accept-encoding": "identity" });
			return done(new AppError(415, "send the body as it is, without Content-Encoding"));
		}
		const caller = callerOfRequest(request);
		const tooMany = receiving.weightOf(caller) >= config.BODIES_PER_CALLER;
		if (tooMany || (receiving.size >= config.BODIES_MAX && !makeRoom(caller))) {
			reply.header("connection", "close");
			return done(
				tooMany
					? tooManyRequests("you are sending too many bodies at once: send the next when one has arrived", 1)
					: unavailable("too many bodies are being received: try again soon", 2),
			);
		}
		receiving.add(raw, caller);
		const arrived = () => receiving.delete(raw);
		raw.once("end", arrived).once("close", arrived);
		done(null, payload);
	});
}
