/** Creates the mirror of a publisher's stream in the subscribers' account, and recreates it if it disappears. */
import { JetStreamApiError, type JetStreamManager, type StreamConfig, type StreamInfo } from "@nats-io/jetstream";
import { publicPublishers, streamOf } from "#libs/contract/events/event.ts";
import type { Owner } from "#libs/contract/index.ts";
import type { Bus, StreamLimits } from "../connect.ts";
import { storedConfig } from "../events/topology.ts";
import { incidentOf } from "../incident.ts";
import { differs, managerOf, unlessMissing } from "../jetstream.ts";
import { Wake } from "../wake.ts";
import { deliveryPrefix, mirrorApi, sourceApi, subscriberLimits } from "./mirror-wire.ts";

/** JetStream error code: the account has its maximum number of streams. */
const tooManyStreams = 10027;

/**
 * Creates the mirror if it is missing, and returns whether it was created. A mirror that does not match the stream is replaced: one that is
 * older than the stream, or ahead of it, would miss events whose numbers it has passed.
 */
async function ensureMirror(bus: Bus, publisher: Owner): Promise<boolean> {
	const name = streamOf(publisher);
	const mirrors = await managerOf(bus, { apiPrefix: mirrorApi });
	const existing = await unlessMissing(mirrors.streams.info(name));
	// The stream is read after the mirror, so that a matching mirror cannot appear to be ahead of it.
	const source = await (await managerOf(bus)).streams.info(name);
	const wanted = mirrorConfig(name, bus.streams);
	if (existing !== undefined && isMirrorOf(source, existing)) {
		if (differs(changeable(wanted), existing.config)) await mirrors.streams.update(name, changeable(wanted));
		return false;
	}
	if (existing !== undefined) await mirrors.streams.delete(name);
	await makeMirror(mirrors, wanted);
	return true;
}

function mirrorConfig(name: string, limits: StreamLimits) {
	return {
		...storedConfig(limits),
		name,
		mirror: { name, external: { api: sourceApi, deliver: deliveryPrefix(name) } },
		max_bytes: Math.min(limits.maxBytes ?? subscriberLimits.mirrorBytes, subscriberLimits.mirrorBytes),
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
		external.deliver === deliveryPrefix(name) &&
		Date.parse(created) >= Date.parse(source.created) &&
		state.last_seq <= source.state.last_seq
	);
}

async function makeMirror(mirrors: JetStreamManager, wanted: ReturnType<typeof mirrorConfig>): Promise<void> {
	try {
		await mirrors.streams.add(wanted);
	} catch (error) {
		if (!(error instanceof JetStreamApiError && error.code === tooManyStreams)) throw error;
		// A subscriber may have made JetStream create other streams, which leave no room for the mirror (DECISIONS.md).
		const mirrorNames = publicPublishers.map(streamOf);
		for await (const name of mirrors.streams.names())
			if (!mirrorNames.includes(name)) await mirrors.streams.delete(name);
		await mirrors.streams.add(wanted);
	}
}

export interface MirrorOptions {
	/** Time between two checks (ms, 5,000 when absent). It doubles each time that a check has to recreate the mirror. */
	everyMs?: number;
}

/** Maximum time between two checks (ms). */
const maxPauseMs = 300_000;

/** Checks the mirror until disposed. Failures are logged and retried: the service itself does not depend on the mirror. */
export function keepMirror(bus: Bus, publisher: Owner, { everyMs = 5_000 }: MirrorOptions = {}): AsyncDisposable {
	const message = "the subscribers' mirror could not be checked or created";
	const incident = incidentOf({
		log: bus.log,
		fields: { publisher },
		message,
		closed: "the subscribers' mirror exists again",
	});
	const wake = new Wake();
	let stopped = false;
	const running = (async () => {
		let hasChecked = false;
		let pauseMs = everyMs;
		while (!stopped) {
			try {
				const isCreated = await ensureMirror(bus, publisher);
				incident.close();
				const isRecreated = isCreated && hasChecked;
				hasChecked = true;
				if (isRecreated) bus.log.warn({ publisher }, "the subscribers' mirror was missing and has been recreated");
				// Each new mirror copies the whole stream: repeated deletions must not keep the server busy.
				pauseMs = isRecreated ? Math.min(maxPauseMs, pauseMs * 2) : Math.max(everyMs, pauseMs * 0.9);
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
