/**
 * Detects that the instance that was processing a request has ended, which NATS does not report. Once a request has waited for a while, all
 * instances of its owner are queried for the requests that they are processing; a quick reply thus causes no query. An instance that does not
 * respond may be busy or suspended: as long as there is one, requests keep waiting until their deadlines.
 */
import { createInbox, type Msg, nuid } from "@nats-io/transport-node";
import { z } from "zod";
import type { AppError } from "#libs/contract/errors.ts";
import type { Owner } from "#libs/contract/index.ts";
import type { Bus } from "../connect.ts";
import { type InFlightResponse, inFlightSubject } from "./in-flight.ts";
import { busUnavailable, isNoResponders } from "./wire.ts";

/** Time between two rounds of queries, and before the first one for a request (ms). */
const roundMs = 300;
/**
 * A request counts as lost after this many rounds in which no instance listed it. An instance can thus lose its connection for half a second
 * without losing its requests.
 */
const missesUntilLost = 3;
/** How often an owner's instances are queried while it has requests (ms), because the end of an instance is noticed only if it was known. */
const discoveryMs = 5_000;
const maxInstances = 64;
/** Maximum size of an instance's response (bytes); a larger one is ignored. */
const maxResponseBytes = 64 * 1024;

export interface Watched {
	readonly id: string;
	readonly owner: Owner;
	readonly since: number;
	misses: number;
	/** Called when the request is lost. Without `error`, the instance has ended or its reply was lost. */
	onLost(error?: AppError): void;
}

interface KnownOwner {
	queriedAt: number;
	/** Instances that have responded and have not ended. */
	instances: Set<string>;
	/** Whether any instance has ever responded. If none has, the owner may run a release without these queries. */
	hasResponded: boolean;
}

/** The result of the last round of queries to one owner. */
interface Round {
	at: number;
	noResponders: boolean;
	responded: Set<string>;
	ids: Set<string>;
}

const responseSchema = z.object({ instance: z.string(), ids: z.array(z.string()) });

const watches = new WeakMap<Bus, Watch>();

export function watchOf(bus: Bus): Watch {
	let watch = watches.get(bus);
	if (watch === undefined) {
		watch = new Watch(bus);
		watches.set(bus, watch);
	}
	return watch;
}

class Watch {
	readonly #bus: Bus;
	readonly #prefix = nuid.next().slice(-10);
	readonly #inbox: string;
	readonly #watched = new Set<Watched>();
	readonly #known = new Map<Owner, KnownOwner>();
	readonly #rounds = new Map<Owner, Round>();
	#count = 0;
	#tick = 0;
	#roundsDisconnected = 0;
	#timer: NodeJS.Timeout | undefined;

	constructor(bus: Bus) {
		this.#bus = bus;
		this.#inbox = createInbox(`_INBOX.${bus.name}`);
		bus.nats.subscribe(`${this.#inbox}.>`, {
			callback: (error, message) => {
				if (error === null) this.#receive(message);
			},
		});
	}

	/** Call this in the event-loop turn in which the request is sent. `onLost` is called at most once, and not after `remove`. */
	add(owner: Owner, onLost: Watched["onLost"]): Watched {
		const since = performance.now();
		const watched = { id: this.#prefix + (++this.#count).toString(36), owner, since, misses: 0, onLost };
		this.#watched.add(watched);
		this.#timer ??= setTimeout(() => this.#round(), roundMs);
		if (since - this.#knownOf(owner).queriedAt > discoveryMs) this.#query(owner, 0);
		return watched;
	}

	remove(watched: Watched): void {
		this.#watched.delete(watched);
	}

	#round(): void {
		this.#timer = undefined;
		if (this.#watched.size > 0 && !this.#bus.nats.isClosed()) {
			this.#timer = setTimeout(() => this.#round(), roundMs);
			this.#countMisses();
		}
		this.#rounds.clear();
		this.#tick++;
		if (this.#timer !== undefined) this.#startRound();
	}

	/**
	 * Counts a miss for each request that no instance listed in the last round. An instance that responded has already read every request sent
	 * to it earlier.
	 */
	#countMisses(): void {
		this.#roundsDisconnected = this.#bus.connected ? 0 : this.#roundsDisconnected + 1;
		const isDisconnected = this.#roundsDisconnected >= missesUntilLost;
		const settled = new Map([...this.#rounds].map(([owner, round]) => [owner, this.#isSettled(owner, round)]));
		for (const watched of this.#watched) {
			const round = this.#rounds.get(watched.owner);
			if (isDisconnected) this.#lose(watched, busUnavailable());
			else if (round !== undefined && watched.since <= round.at) {
				watched.misses = settled.get(watched.owner) && !round.ids.has(watched.id) ? watched.misses + 1 : 0;
				if (watched.misses >= missesUntilLost) this.#lose(watched);
			}
		}
	}

	/** Whether every instance has responded or has ended. */
	#isSettled(owner: Owner, { noResponders, responded }: Round): boolean {
		const { hasResponded, instances } = this.#knownOf(owner);
		if (noResponders) return hasResponded;
		return responded.size > 0 && [...instances].every((instance) => responded.has(instance));
	}

	#startRound(): void {
		const at = performance.now();
		// The set is in the order in which the requests were sent.
		for (const { owner, since } of this.#watched) {
			if (at - since < roundMs) break;
			if (this.#rounds.has(owner)) continue;
			this.#rounds.set(owner, { at, noResponders: false, responded: new Set(), ids: new Set() });
			this.#query(owner, this.#tick);
		}
	}

	/** Queries all instances together, and each known one by name, so that NATS reports those that have ended. */
	#query(owner: Owner, tick: number): void {
		if (!this.#bus.connected || this.#bus.nats.isClosed() || this.#bus.nats.isDraining()) return;
		const known = this.#knownOf(owner);
		known.queriedAt = performance.now();
		const reply = `${this.#inbox}.${tick}.${owner}`;
		this.#bus.nats.publish(inFlightSubject(owner), "", { reply });
		for (const instance of known.instances)
			this.#bus.nats.publish(inFlightSubject(owner, instance), "", { reply: `${reply}.${instance}` });
	}

	#receive(message: Msg): void {
		const [tick, owner, instance] = message.subject.slice(this.#inbox.length + 1).split(".") as [
			string,
			Owner,
			string?,
		];
		// A response to an earlier round is ignored: it may have been sent before this round's requests arrived.
		const round = Number(tick) === this.#tick ? this.#rounds.get(owner) : undefined;
		if (!isNoResponders(message)) this.#recordResponse(owner, round, message);
		else if (instance !== undefined) this.#knownOf(owner).instances.delete(instance);
		else if (round !== undefined) round.noResponders = true;
	}

	#recordResponse(owner: Owner, round: Round | undefined, message: Msg): void {
		const response = readResponse(message);
		if (response === undefined) return;
		const known = this.#knownOf(owner);
		known.hasResponded = true;
		if (known.instances.size < maxInstances) known.instances.add(response.instance);
		round?.responded.add(response.instance);
		for (const id of response.ids) round?.ids.add(id);
	}

	#knownOf(owner: Owner): KnownOwner {
		let known = this.#known.get(owner);
		if (known === undefined) {
			known = { queriedAt: Number.NEGATIVE_INFINITY, instances: new Set(), hasResponded: false };
			this.#known.set(owner, known);
		}
		return known;
	}

	#lose(watched: Watched, error?: AppError): void {
		this.remove(watched);
		watched.onLost(error);
	}
}

function readResponse(message: Msg): InFlightResponse | undefined {
	if (message.data.length > maxResponseBytes) return undefined;
	try {
		return responseSchema.parse(message.json());
	} catch {
		return undefined;
	}
}
