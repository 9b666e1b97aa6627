/**
 * Limits responses that clients have not read yet: their time, and their bytes for each caller and in total. Slow clients are tolerated until
 * another caller needs the memory; then the slowest client is disconnected.
 */
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply } from "fastify";
import { Counter } from "prom-client";
import { unavailable } from "#libs/contract/errors.ts";
import type { QueueCaller } from "#libs/service/fair-queue.ts";
import type { Config } from "../config.ts";
import { whenEnded } from "../http/answer.ts";
import { callerOfRequest, SharedPool } from "./held.ts";

/** Responses up to this size (bytes) fit into the buffers of the operating system. */
const systemBufferBytes = 16_384;

const cutResponses = new Counter({
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
	/** Whether the whole response is in memory until it is sent, which must happen within SEND_TIMEOUT_MS. Streams have no such limit. */
	isWhole: boolean;
	/** Time of the last check, and the bytes that the connection had sent by then. */
	lastCheck: { at: number; sent: number };
	/** Bytes a second between the last two checks; undefined before the second check, or if the client waited for the server. */
	rate?: number | undefined;
}

export interface Readers {
	/** Disconnects slow readers until the bytes in total are within the limit. @throws AppError 503 if that is not possible, or if this caller has too many unread bytes */
	makeRoom(caller: QueueCaller): void;
	/** Disconnects the slowest reader. @returns false if none is slow */
	cutSlowest(): boolean;
}

/** One timer checks all responses, because a timer for each would take 3 % of the time of a cached response. */
export function watchReaders(app: FastifyInstance, config: ReaderConfig): Readers {
	const { SLOW_READER_AFTER_MS: slowAfterMs, SEND_TIMEOUT_MS: sendWithinMs } = config;
	const readings = new Map<FastifyReply, Reading>();
	const unread = new SharedPool<FastifyReply>();

	const timer = setInterval(() => checkAll(performance.now()), Math.min(sendWithinMs / 4, slowAfterMs / 2, 1_000));
	timer.unref();
	app.addHook("onClose", async () => clearInterval(timer));
	app.addHook<string | Buffer | object | undefined>("onSend", (_request, reply, payload, done) => {
		const isWhole = typeof payload === "string" || payload instanceof Uint8Array;
		if (isWhole ? payload.length > systemBufferBytes : payload !== undefined && payload !== null)
			begin(reply, isWhole ? payload.length : 0);
		done(null, payload);
	});

	function begin(reply: FastifyReply, bytes: number): void {
		const now = performance.now();
		readings.set(reply, { since: now, isWhole: bytes > 0, lastCheck: { at: now, sent: bytesSent(reply.raw.socket) } });
		unread.add(reply, callerOfRequest(reply.request), bytes);
		whenEnded(reply, () => {
			readings.delete(reply);
			unread.delete(reply);
		});
	}

	function checkAll(now: number): void {
		for (const [reply, reading] of readings) {
			if (reading.isWhole && now - reading.since >= sendWithinMs) cutOff(reply);
			else if (now - reading.lastCheck.at >= slowAfterMs) {
				const sent = bytesSent(reply.raw.socket);
				const perSecond = ((sent - reading.lastCheck.sent) * 1_000) / (now - reading.lastCheck.at);
				reading.rate = bytesWaiting(reply.raw.socket) > 0 ? perSecond : undefined;
				reading.lastCheck = { at: now, sent };
			}
		}
	}

	function cutOff(reply: FastifyReply): void {
		readings.delete(reply);
		unread.delete(reply);
		reply.raw.destroy();
		cutResponses.inc();
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
				throw unavailable("too many bytes of your responses are unread: read them first", 2);
			while (unread.weight > config.SENDING_MAX_BYTES)
				if (!cutSlowest()) throw unavailable("too many bytes of responses are unread: try again soon", 2);
		},
		cutSlowest,
	};
}

/**
 * libuv's counters of a connection, which the idle timer of Node.js uses, too. Only they show whether a client reads slowly or not at all.
 */
type Handle = { bytesWritten?: number; writeQueueSize?: number } | null | undefined;
const handleOf = (socket: Socket | null): Handle => (socket as { _handle?: Handle } | null)?._handle;

/** Bytes that the operating system has accepted. */
function bytesSent(socket: Socket | null): number {
	const handle = handleOf(socket);
	return (handle?.bytesWritten ?? socket?.bytesWritten ?? 0) - (handle?.writeQueueSize ?? 0);
}

/** Bytes that wait for the client. If there are none, the client waits for the server. */
const bytesWaiting = (socket: Socket | null): number =>
	(socket?.writableLength ?? 0) + (handleOf(socket)?.writeQueueSize ?? 0);
