/**
 * Limits responses that clients have not read yet: by time, by bytes of each caller and by bytes in total. A slow client is tolerated until
 * another caller needs the room; then the slowest one is disconnected.
 */
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply } from "fastify";
import { Counter } from "prom-client";
import { unavailable } from "#libs/contract/errors.ts";
import type { QueueCaller } from "#libs/service/fair-queue.ts";
import type { Config } from "../config.ts";
import { whenEnded } from "../http/answer.ts";
import { callerOfRequest, SharedPool } from "./held.ts";

/** Answers up to this size fit into the system's buffers (bytes). */
const heldByTheSystem = 16_384;

const cutAnswers = new Counter({
	name: "http_slow_readers_cut_total",
	help: "Answers that were cut off because their client was slow: others waited, or SEND_TIMEOUT_MS had passed.",
});

type ReaderConfig = Pick<
	Config,
	| "SEND_TIMEOUT_MS"
	| "SENDING_MAX_BYTES"
	| "SENDING_BYTES_PER_CALLER"
	| "SLOW_READER_BYTES_PER_SECOND"
	| "SLOW_READER_AFTER_MS"
>;

interface Reading {
	since: number;
	/** In memory until it is sent, which must happen within SEND_TIMEOUT_MS. Streams have no such limit. */
	isWhole: boolean;
	/** Time of the last check, and the bytes that the connection had sent by then. */
	seen: { at: number; taken: number };
	/** Bytes a second between the last two checks; undefined before the second, and if the client waited for the server. */
	rate?: number | undefined;
}

export interface Readers {
	/** @throws AppError 503 if the caller has too many unread bytes, or all callers together have and none is slow */
	makeRoom(caller: QueueCaller): void;
	cutSlowest(): boolean;
}

/** One timer serves all replies, because a timer each would take 3 % of the time of a cached response. */
export function watchReaders(app: FastifyInstance, config: ReaderConfig): Readers {
	const { SLOW_READER_AFTER_MS: slowAfterMs, SEND_TIMEOUT_MS: sendWithinMs } = config;
	const readings = new Map<FastifyReply, Reading>();
	const unread = new SharedPool<FastifyReply>();

	const look = setInterval(() => lookAtAll(performance.now()), Math.min(sendWithinMs / 4, slowAfterMs / 2, 1_000));
	look.unref();
	app.addHook("onClose", async () => clearInterval(look));
	app.addHook<string | Buffer | object | undefined>("onSend", (_request, reply, payload, done) => {
		const isWhole = typeof payload === "string" || payload instanceof Uint8Array;
		if (isWhole ? payload.length > heldByTheSystem : payload !== undefined && payload !== null)
			begin(reply, isWhole ? payload.length : 0);
		done(null, payload);
	});

	function begin(reply: FastifyReply, bytes: number): void {
		const now = performance.now();
		readings.set(reply, { since: now, isWhole: bytes > 0, seen: { at: now, taken: takenFrom(reply.raw.socket) } });
		unread.add(reply, callerOfRequest(reply.request), bytes);
		whenEnded(reply, () => {
			readings.delete(reply);
			unread.delete(reply);
		});
	}

	function lookAtAll(now: number): void {
		for (const [reply, reading] of readings) {
			if (reading.isWhole && now - reading.since >= sendWithinMs) cutOff(reply);
			else if (now - reading.seen.at >= slowAfterMs) {
				const taken = takenFrom(reply.raw.socket);
				const perSecond = ((taken - reading.seen.taken) * 1_000) / (now - reading.seen.at);
				reading.rate = waitingFor(reply.raw.socket) > 0 ? perSecond : undefined;
				reading.seen = { at: now, taken };
			}
		}
	}

	function cutOff(reply: FastifyReply): void {
		readings.delete(reply);
		unread.delete(reply);
		reply.raw.destroy();
		cutAnswers.inc();
	}

	function cutSlowest(): boolean {
		let slowest: FastifyReply | undefined;
		let least: number = config.SLOW_READER_BYTES_PER_SECOND;
		for (const [reply, { rate }] of readings) {
			if (rate === undefined || rate >= least) continue;
			least = rate;
			slowest = reply;
		}
		if (slowest === undefined) return false;
		cutOff(slowest);
		return true;
	}

	return {
		makeRoom(caller) {
			if (unread.size === 0) return;
			if (unread.weightOf(caller) > config.SENDING_BYTES_PER_CALLER)
				throw unavailable("too many of your answers are unread: read them first", 2);
			while (unread.weight > config.SENDING_MAX_BYTES)
				if (!cutSlowest()) throw unavailable("too many answers are unread: try again soon", 2);
		},
		cutSlowest,
	};
}

/**
 * libuv's counters of a connection, which Node.js' idle timer uses, too. Nothing else distinguishes a slow reader from one that has
 * stopped.
 */
type Handle = { bytesWritten?: number; writeQueueSize?: number } | null | undefined;
const handleOf = (socket: Socket | null): Handle => (socket as { _handle?: Handle } | null)?._handle;

/** Bytes that the system has accepted. */
function takenFrom(socket: Socket | null): number {
	const handle = handleOf(socket);
	return (handle?.bytesWritten ?? socket?.bytesWritten ?? 0) - (handle?.writeQueueSize ?? 0);
}

/** Bytes that wait for the client; with none, the client waits for the server. */
const waitingFor = (socket: Socket | null): number =>
	(socket?.writableLength ?? 0) + (handleOf(socket)?.writeQueueSize ?? 0);
