/** The mirror of a publisher's stream in the subscribers' account: made, kept right, and made again where it is gone. */
import {
	DiscardPolicy,
	JetStreamApiError,
	type JetStreamManager,
	jetstreamManager,
	RetentionPolicy,
	StorageType,
	type StreamConfig,
	type StreamInfo,
} from "@nats-io/jetstream";
import { nanos } from "@nats-io/transport-node";
import { openPublishers, streamOf } from "#libs/contract/events/event.ts";
import type { Owner } from "#libs/contract/index.ts";
import type { Bus, StreamLimits } from "./connect.ts";
import { incidentOf } from "./incident.ts";
import { deliveryTo, mirrorApi, sourceApi, subscriberLimits } from "./mirror-wire.ts";
import { differs, streamAgeHours, unlessMissing } from "./topology.ts";
import { Wake } from "./wake.ts";

/** JetStream's number for "the account has as many streams as it may". */
const noMoreStreams = 10027;

/**
 * Answers whether the mirror had to be made. One that cannot be of the stream as it is now (older than that, ahead of it, of something
 * else) is made anew: it would wait for numbers that never come, or lack what came under numbers that it had already.
 */
export async function ensureMirror(bus: Bus, publisher: Owner): Promise<boolean> {
	const name = streamOf(publisher);
	const mirrors = await jetstreamManager(bus.nats, { checkAPI: false, apiPrefix: mirrorApi });
	const found = await unlessMissing(mirrors.streams.info(name));
	// After its mirror, which cannot be ahead of it then.
	const source = await (await jetstreamManager(bus.nats, { checkAPI: false })).streams.info(name);
	const wanted = mirrorConfig(name, bus.streams);
	if (found !== undefined && isMirrorOf(source, found)) {
		if (differs(changeable(wanted), found.config)) await mirrors.streams.update(name, changeable(wanted));
		return false;
	}
	if (found !== undefined) await mirrors.streams.delete(name);
	await makeMirror(mirrors, wanted);
	return true;
}

function mirrorConfig(name: string, limits: StreamLimits) {
	return {
		name,
		mirror: { name, external: { api: sourceApi, deliver: deliveryTo(name) } },
		storage: StorageType.File,
		retention: RetentionPolicy.Limits,
		discard: DiscardPolicy.Old,
		max_age: nanos((limits.maxAgeHours ?? streamAgeHours) * 3_600_000),
		max_bytes: Math.min(limits.maxBytes ?? subscriberLimits.mirrorBytes, subscriberLimits.mirrorBytes),
		num_replicas: limits.replicas ?? 1,
		deny_delete: true,
		deny_purge: true,
	} satisfies Partial<StreamConfig>;
}

const changeable = ({ max_age, max_bytes, num_replicas }: ReturnType<typeof mirrorConfig>) => ({
	max_age,
	max_bytes,
	num_replicas,
});

function isMirrorOf(source: StreamInfo, { config, created, state }: StreamInfo): boolean {
	const { name, external } = config.mirror ?? {};
	return (
		name === source.config.name &&
		external?.api === sourceApi &&
		external.deliver === deliveryTo(name) &&
		Date.parse(created) >= Date.parse(source.created) &&
		state.last_seq <= source.state.last_seq
	);
}

async function makeMirror(mirrors: JetStreamManager, wanted: ReturnType<typeof mirrorConfig>): Promise<void> {
	try {
		await mirrors.streams.add(wanted);
	} catch (error) {
		if (!(error instanceof JetStreamApiError && error.code === noMoreStreams)) throw error;
		// A subscriber had JetStream make another in its place (DECISIONS.md).
		const known = openPublishers.map(streamOf);
		for await (const name of mirrors.streams.names()) if (!known.includes(name)) await mirrors.streams.delete(name);
		await mirrors.streams.add(wanted);
	}
}

export interface MirrorOptions {
	/** From one look to the next (ms, 5,000 when absent), and what it doubles to while the mirror is gone again and again (300,000). */
	everyMs?: number;
	mostMs?: number;
}

/** Looks after the mirror until disposed. What goes wrong is logged and tried again: nothing of the service depends on it. */
export function keepMirror(bus: Bus, publisher: Owner, options: MirrorOptions = {}): AsyncDisposable {
	const { everyMs = 5_000, mostMs = 300_000 } = options;
	const message = "the mirror for subscribers cannot be made";
	const incident = incidentOf({ log: bus.log, fields: { publisher }, message, closed: "the mirror is there again" });
	const wake = new Wake();
	let stopped = false;
	const running = (async () => {
		let looked = false;
		let pauseMs = everyMs;
		while (!stopped) {
			try {
				const made = await ensureMirror(bus, publisher);
				incident.close();
				const again = made && looked;
				looked = true;
				if (again) bus.log.warn({ publisher }, "the mirror for subscribers was gone: it is made again");
				// Each copies its whole stream: who deletes it again and again is not to keep the server at it.
				pauseMs = again ? Math.min(mostMs, pauseMs * 2) : Math.max(everyMs, pauseMs * 0.9);
			} catch (error) {
				if (!stopped) incident.open(error);
			}
			if (!stopped) await wake.sleep(pauseMs);
		}
	})();
	return {
		async [Symbol.asyncDispose]() {
			stopped = true;
			wake.call();
			await running;
		},
	};
}
