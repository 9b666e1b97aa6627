/** A server with the accounts of production, the streams of all publishers, and what open publishers do for subscribers. */
import { type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { PermissionViolationError } from "@nats-io/transport-node";
import { type Bus, connectBus } from "#libs/bus/connect.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import { mirrorApi } from "#libs/bus/mirror/mirror-wire.ts";
import { serveSubscribers } from "#libs/bus/mirror/subscribers.ts";
import { publicPublishers, streamOf } from "#libs/contract/events/event.ts";
import { type Owner, owners } from "#libs/contract/operation.ts";
import { services } from "../../../deploy/local/services.ts";
import { eventually } from "../../support/eventually.ts";
import { startNats } from "../../support/servers.ts";
import { silent } from "../../support/silent.ts";

export interface World extends AsyncDisposable {
	busOf(user: string): Bus;
	/** The operator's view of the services' streams and of the mirrors. */
	streams: JetStreamManager;
	mirrors: JetStreamManager;
	/** Publishes this many events of a kilobyte, distinguished by their number, and waits until the mirror has them. */
	publish(owner: Owner, count: number): Promise<void>;
	/** Messages in each stream of the services. */
	counts(): Promise<Record<string, number>>;
	mirrored(owner: Owner): Promise<number>;
}

export async function openWorld(everyMs = 100): Promise<World> {
	await using stack = new AsyncDisposableStack();
	const nats = stack.use(await startNats());
	const buses = new Map<string, Bus>();
	for (const name of ["operator", "subscriber", ...services.map((service) => service.name)])
		buses.set(name, stack.use(await connectBus({ url: nats.url, name, log: silent, ...nats.login(name) })));
	const busOf = (user: string): Bus => {
		const bus = buses.get(user);
		if (bus === undefined) throw new Error(`there is no user ${user}`);
		return bus;
	};
	for (const owner of owners) await ensureStream(busOf(owner), owner, { maxAgeHours: 1 });
	for (const owner of publicPublishers) stack.use(await serveSubscribers(busOf(owner), owner, { everyMs }));
	const operator = busOf("operator").nats;
	const streams = await jetstreamManager(operator);
	const mirrors = await jetstreamManager(operator, { checkAPI: false, apiPrefix: mirrorApi });
	const messages = async (manager: JetStreamManager, owner: Owner) =>
		(await manager.streams.info(streamOf(owner))).state.messages;
	for (const owner of publicPublishers) await eventually(async () => (await messages(mirrors, owner)) >= 0);
	const owned = stack.move();
	return {
		busOf,
		streams,
		mirrors,
		async publish(owner, count) {
			const js = jetstream(busOf(owner).nats);
			const sending = Array.from({ length: count }, (_, i) =>
				js.publish(`event.${owner}.thing.happened`, JSON.stringify({ i, text: "x".repeat(1_000) })),
			);
			await Promise.all(sending);
			const wanted = await messages(streams, owner);
			await eventually(async () => (await messages(mirrors, owner)) === wanted);
		},
		counts: async () =>
			Object.fromEntries(
				await Promise.all(owners.map(async (owner) => [streamOf(owner), await messages(streams, owner)] as const)),
			),
		mirrored: (owner) => messages(mirrors, owner),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** The subject to which the server maps that of a subscriber before it checks permissions. */
export const mapped = (subject: string): string =>
	subject.startsWith(`${mirrorApi}.`)
		? subject.replace(mirrorApi, "$JS.API")
		: subject.replace(/^\$JS\.API\.CONSUMER\.CREATE\.(QUEUE_INGEST|SIGNALS|SCORING)\./, "subscribe.$1.");

/** The subjects that the server lets a subscriber publish to. */
export async function allowed({ nats }: Bus, subjects: readonly string[]): Promise<string[]> {
	const refused = new Set<string>();
	const statuses = nats.status();
	const end = "refused.at.the.end";
	const listening = (async () => {
		for await (const status of statuses) {
			if (status.type !== "error" || !(status.error instanceof PermissionViolationError)) continue;
			if (status.error.subject === end) return;
			refused.add(status.error.subject);
		}
	})();
	for (const subject of [...subjects, end]) nats.publish(subject, "{}");
	await nats.flush();
	await listening;
	return [...new Set(subjects.filter((subject) => !refused.has(mapped(subject))))].sort();
}
