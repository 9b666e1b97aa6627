/** A headline that names both sides of a deal makes it certain, whichever comes first: the headline or the list. */
import type { z } from "zod";
import type { Reaction } from "#libs/bus/react.ts";
import { newsRecorded } from "#libs/contract/events/signals.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { toldByNews } from "../domain/ma/queue-transfers.ts";
import { lockMaEvents, type MaEvent, settleMaEvents } from "./ma-events.ts";

type News = z.output<typeof newsRecorded.payload>;

export const confirmDeals: Reaction<typeof newsRecorded> = {
	service: "signals",
	name: "confirm-deals",
	event: newsRecorded,
	async handler(tx, events) {
		const headlines = events.filter(({ event_type, developers }) => event_type === "ma" && developers.length > 1);
		if (headlines.length === 0) return;
		await lockMaEvents(tx);
		const deals = await dealsBetween(tx, headlines);
		await settleMaEvents(
			tx,
			deals.map((deal) => ({ ...deal, ...toldByNews })),
			[],
		);
	},
};

/** Deals in a queue that wait for a headline, both sides of which one of these names, within 180 days. */
async function dealsBetween(tx: Transaction, headlines: News[]): Promise<MaEvent[]> {
	const named = headlines.map(({ published_at, developers }) => ({
		published_at,
		names: developers.map(({ developer_canonical }) => developer_canonical),
	}));
	return tx<MaEvent[]>`
		select distinct on (e.key) e.*, e.effective_on::text as effective_date, e.plant_id as plant_id_eia
		from jsonb_to_recordset(${JSON.stringify(named)}::text::jsonb) as n (published_at timestamptz, names text[])
		join ma_events e on e.seller_canonical = any(n.names) and e.buyer_canonical = any(n.names)
			and e.effective_on between (n.published_at - interval '180 days')::date and (n.published_at + interval '180 days')::date
		where e.event_type = 'queue_developer_change' and e.confidence = 'medium' and not e.retracted
		order by e.key`;
}
