/** Delivers events to this service's reactions as the bus does: in batches, each event with effect once. */
import type { z } from "zod";
import type { Reaction } from "#libs/bus/events/react.ts";
import type { EventShape } from "#libs/contract/events/event.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { receive } from "#libs/postgres/events/inbox.ts";
import { copyDevelopers, copyProjects } from "../../../services/scoring/reactions/queue-ingest.ts";
import {
	recordFilings,
	recordNews,
	recordRaises,
	recordTransfers,
} from "../../../services/scoring/reactions/signals.ts";

/** One delivery: an event and the reaction that receives it. */
export interface Delivery {
	reaction: string;
	event: { id: string };
	/** `others`: what the same reaction receives in the same batch, after it. */
	deliver(sql: Sql, others?: readonly Delivery[]): Promise<void>;
	/** The same in a transaction of the caller's. */
	deliverIn(tx: Transaction, others?: readonly Delivery[]): Promise<void>;
	/** The same fact said once more: another event. */
	again(id: string): Delivery;
}

function deliveryOf<E extends EventShape>(reaction: Reaction<E>) {
	const delivery = (event: z.output<E["payload"]> & { id: string }): Delivery => {
		async function deliverIn(tx: Transaction, others: readonly Delivery[] = []): Promise<void> {
			const batch = [event, ...others.map((other) => other.event)];
			const fresh = await receive(
				tx,
				reaction.name,
				batch.map(({ id }) => id),
			);
			const first = new Map(batch.filter(({ id }) => fresh.has(id)).map((each) => [each.id, each]));
			const events = [...first.values()].map((each) => reaction.event.payload.parse(each) as z.output<E["payload"]>);
			if (events.length > 0) await reaction.handler(tx, events);
		}
		return {
			reaction: reaction.name,
			event,
			deliverIn,
			deliver: (sql, others) => sql.begin((tx) => deliverIn(tx, others)),
			again: (id) => delivery({ ...event, id }),
		};
	};
	return delivery;
}

/** Delivers to each reaction in one batch what it subscribes to. */
export async function deliverTogether(sql: Sql, deliveries: readonly Delivery[]): Promise<void> {
	for (const [first, ...others] of Map.groupBy(deliveries, ({ reaction }) => reaction).values())
		await first?.deliver(sql, others);
}

export const project = deliveryOf(copyProjects);
export const developer = deliveryOf(copyDevelopers);
export const news = deliveryOf(recordNews);
export const raise = deliveryOf(recordRaises);
export const filing = deliveryOf(recordFilings);
export const transfer = deliveryOf(recordTransfers);
