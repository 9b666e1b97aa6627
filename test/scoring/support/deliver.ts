/** Gives events to this service's reactions as the bus does: in batches, each event with effect once. */
import type { z } from "zod";
import type { Reaction } from "#libs/bus/react.ts";
import type { EventShape } from "#libs/contract/event.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { receive } from "#libs/postgres/inbox.ts";
import { copyDevelopers } from "../../../services/scoring/reactions/copy-developers.ts";
import { copyProjects } from "../../../services/scoring/reactions/copy-projects.ts";
import { forgetSample } from "../../../services/scoring/reactions/forget-sample.ts";
import { recordFilings } from "../../../services/scoring/reactions/record-filings.ts";
import { recordNews } from "../../../services/scoring/reactions/record-news.ts";
import { recordRaises } from "../../../services/scoring/reactions/record-raises.ts";
import { recordTransfers } from "../../../services/scoring/reactions/record-transfers.ts";

/** One delivery: an event and what hears it. */
export interface Delivery {
	reaction: string;
	deliver(sql: Sql): Promise<void>;
}

function deliveryOf<E extends EventShape>(reaction: Reaction<E>) {
	return (event: z.output<E["payload"]> & { id: string }): Delivery => ({
		reaction: reaction.name,
		deliver: (sql) =>
			sql.begin(async (tx) => {
				const parsed = reaction.event.payload.parse(event) as z.output<E["payload"]>;
				if ((await receive(tx, reaction.name, [event.id])).size > 0) await reaction.handler(tx, [parsed]);
			}),
	});
}

export const project = deliveryOf(copyProjects);
export const developer = deliveryOf(copyDevelopers);
export const news = deliveryOf(recordNews);
export const raise = deliveryOf(recordRaises);
export const filing = deliveryOf(recordFilings);
export const transfer = deliveryOf(recordTransfers);
export const sampleGone = deliveryOf(forgetSample);
