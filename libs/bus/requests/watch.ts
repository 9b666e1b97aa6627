/**
 * Notices that the instance which worked on a request has ended. NATS does not report it; so once a request has waited, the instances of
 * its owner are asked what they work on. Nothing is sent for requests that are answered soon. An instance that does not answer may be
 * busy or stopped: as long as there is one, the request waits on, until its own deadline.
 */
import { createInbox, type Msg, nuid } from "@nats-io/transport-node";
import { z } from "zod";
import type { AppError } from "#libs/contract/errors.ts";
import type { Owner } from "#libs/contract/index.ts";
import type { Bus } from "../connect.ts";
import { type InFlightAnswer, inFlightSubject } from "./in-flight.ts";
import { busUnavailable, isNoResponders } from "./wire.ts";

/** From one round of questions to the next, and the least that a request has waited before it is asked about (ms). */
const roundMs = 300;
/**
 * A request is lost after so many rounds in which no instance had it: one that loses its connection for half a second, and has the
 * request still, is waited for.
 */
const missesUntilLost = 3;
/** An owner of whom something is requested is asked for its instances this often (ms): all have to be known before one ends. */
const introduceMs = 5_000;
/** Instances of one owner that are kept in mind. */
const mostInstances = 64;
/** Longest answer of an instance (bytes); a longer one is none. */
const longestAnswer = 64 * 1024;

export interface Watched {
	readonly id: string;
	readonly owner: Owner;
	readonly since: number;
	misses: number;
	/** Without an error: the instance has ended, or answered in vain. */
	lost(error?: AppError): void;
}

interface Known {
	askedAt: number;
	/** Instances that answered once, until they end. Without any, the owner may be of a release that does not answer. */
	instances: Set<string>;
	answers: boolean;
}

/** The result of the last round of questions to one owner. */
interface Round {
	at: number;
	/** There was no instance at all. */
	noResponders: boolean;
	answered: Set<string>;
	ids: Set<string>;
}

const answerSchema = z.object({ instance: z.string(), ids: z.array(z.string()) });

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
	readonly #known = new Map<Owner, Known>();
	readonly #rounds = new Map<Owner, Round>();
	#count = 0;
	#tick = 0;
	#ticksAway = 0;
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

	/** To be called in the turn in which the request is sent. `lost` is called once at most, and not after `remove`. */
	add(owner: Owner, lost: Watched["lost"]): Watched {
		const since = performance.now();
		const watched = { id: this.#prefix + (++this.#count).toString(36), owner, since, misses: 0, lost };
		this.#watched.add(watched);
		this.#timer ??= setTimeout(() => this.#round(), roundMs);
		if (since - this.#knownOf(owner).askedAt > introduceMs) this.#question(owner, 0);
		return watched;
	}

	remove(watched: Watched): void {
		this.#watched.delete(watched);
	}

	#round(): void {
		this.#timer = undefined;
		if (this.#watched.size > 0 && !this.#bus.nats.isClosed()) {
			this.#timer = setTimeout(() => this.#round(), roundMs);
			this.#judge();
		}
		this.#rounds.clear();
		this.#tick++;
		if (this.#timer !== undefined) this.#ask();
	}

	/** By the answers to the last questions. An instance that answers them has read what was sent to it before. */
	#judge(): void {
		this.#ticksAway = this.#bus.connected ? 0 : this.#ticksAway + 1;
		const isAway = this.#ticksAway >= missesUntilLost;
		const settled = new Map([...this.#rounds].map(([owner, round]) => [owner, this.#isSettled(owner, round)]));
		for (const one of this.#watched) {
			const round = this.#rounds.get(one.owner);
			if (isAway) this.#lose(one, busUnavailable());
			else if (round !== undefined && one.since <= round.at) {
				one.misses = settled.get(one.owner) && !round.ids.has(one.id) ? one.misses + 1 : 0;
				if (one.misses >= missesUntilLost) this.#lose(one);
			}
		}
	}

	/** Whether every instance has answered, or has ended. */
	#isSettled(owner: Owner, { noResponders, answered }: Round): boolean {
		const { answers, instances } = this.#knownOf(owner);
		if (noResponders) return answers;
		return answered.size > 0 && [...instances].every((instance) => answered.has(instance));
	}

	#ask(): void {
		const at = performance.now();
		// In the order in which they were sent.
		for (const { owner, since } of this.#watched) {
			if (at - since < roundMs) break;
			if (this.#rounds.has(owner)) continue;
			this.#rounds.set(owner, { at, noResponders: false, answered: new Set(), ids: new Set() });
			this.#question(owner, this.#tick);
		}
	}

	/** To all, and to each that is known: who has ended is found out by name. */
	#question(owner: Owner, tick: number): void {
		// A connection that is being closed takes no more.
		if (!this.#bus.connected || this.#bus.nats.isClosed() || this.#bus.nats.isDraining()) return;
		const known = this.#knownOf(owner);
		known.askedAt = performance.now();
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
		// An answer of an earlier round may be from before the requests that this one is about.
		const round = Number(tick) === this.#tick ? this.#rounds.get(owner) : undefined;
		if (!isNoResponders(message)) this.#answered(owner, round, message);
		else if (instance !== undefined) this.#knownOf(owner).instances.delete(instance);
		else if (round !== undefined) round.noResponders = true;
	}

	#answered(owner: Owner, round: Round | undefined, message: Msg): void {
		const answer = readAnswer(message);
		if (answer === undefined) return;
		const known = this.#knownOf(owner);
		known.answers = true;
		if (known.instances.size < mostInstances) known.instances.add(answer.instance);
		round?.answered.add(answer.instance);
		for (const id of answer.ids) round?.ids.add(id);
	}

	#knownOf(owner: Owner): Known {
		let known = this.#known.get(owner);
		if (known === undefined) {
			known = { askedAt: Number.NEGATIVE_INFINITY, instances: new Set(), answers: false };
			this.#known.set(owner, known);
		}
		return known;
	}

	#lose(watched: Watched, error?: AppError): void {
		this.remove(watched);
		watched.lost(error);
	}
}

function readAnswer(message: Msg): InFlightAnswer | undefined {
	if (message.data.length > longestAnswer) return undefined;
	try {
		return answerSchema.parse(message.json());
	} catch {
		return undefined;
	}
}
