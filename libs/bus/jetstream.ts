/** Requests to JetStream's management interface, and what their errors mean. */
import { setTimeout as pause } from "node:timers/promises";
import {
	JetStreamApiError,
	type JetStreamManager,
	type JetStreamManagerOptions,
	jetstreamManager,
} from "@nats-io/jetstream";
import { connect, NoRespondersError, RequestError, TimeoutError } from "@nats-io/transport-node";
import type { Bus } from "./connect.ts";

export const managerOf = ({ nats }: Bus, options?: JetStreamManagerOptions): Promise<JetStreamManager> =>
	jetstreamManager(nats, { checkAPI: false, ...options });

/** Compares only the keys of `wanted`, because the server adds its own defaults. */
export function differs(wanted: object, actualConfig: object): boolean {
	const actual = new Map(Object.entries(actualConfig));
	return Object.entries(wanted).some(([key, value]) => JSON.stringify(actual.get(key)) !== JSON.stringify(value));
}

/** Returns the result of a request, or undefined if JetStream has no such stream, consumer or message. */
export async function unlessMissing<T>(result: Promise<T | null>): Promise<T | undefined> {
	try {
		return (await result) ?? undefined;
	} catch (error) {
		if (error instanceof JetStreamApiError && error.status === 404) return undefined;
		throw error;
	}
}

/** How long a starting service waits for a cluster without a leader, and how often it tries (ms). */
const electionMs = 30_000;
const retryMs = 250;
/** JetStream error code: too few nodes have joined the cluster to hold the stream's replicas. */
const noSuitablePeers = 10005;
/** JetStream error code: the node does not know the stream, perhaps because the cluster's leader has just created it. */
const streamNotFound = 10059;

/** Repeats `work` while a cluster refuses requests or does not respond, because its nodes are still connecting or electing a leader. */
export async function retryUntilReady<T>(work: () => Promise<T>): Promise<T> {
	const until = performance.now() + electionMs;
	for (;;) {
		try {
			return await work();
		} catch (error) {
			if (!isNotReady(error) || performance.now() > until) throw error;
			await pause(retryMs);
		}
	}
}

function isNotReady(error: unknown): boolean {
	if (error instanceof JetStreamApiError)
		return error.status === 503 || error.code === noSuitablePeers || error.code === streamNotFound;
	return error instanceof TimeoutError || error instanceof RequestError || error instanceof NoRespondersError;
}

interface CheckStreamsOptions {
	url: string;
	/** A user that may list streams: `operator`. */
	user: string;
	password: string;
	/** Time limit of the connection, and of the response (ms, 5,000 when absent). */
	withinMs?: number;
}

/**
 * Checks that each stream in JetStream responds: a stream can hang although its server responds to pings. Uses a separate connection, because
 * the server stops reading from a connection on which a hanging stream was requested. Never throws.
 */
export async function streamsRespond({ url, user, password, withinMs = 5_000 }: CheckStreamsOptions): Promise<boolean> {
	const options = { servers: url, user, pass: password, name: user, inboxPrefix: `_INBOX.${user}` };
	try {
		const nats = await connect({ ...options, reconnect: false, timeout: withinMs });
		try {
			const manager = await jetstreamManager(nats, { checkAPI: false, timeout: withinMs });
			// To list the streams, the server reads the state of each.
			for await (const _ of manager.streams.list());
			return true;
		} finally {
			await nats.close();
		}
	} catch {
		return false;
	}
}
