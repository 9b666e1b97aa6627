/** Keeps the changes of hands that developers took part in, on either side. */
import { newestOfEach } from "#libs/bus/newest.ts";
import type { Reaction } from "#libs/bus/react.ts";
import { ownershipChanged } from "#libs/contract/events/signals.ts";
import { enqueueDevelopers, lockCopies } from "../jobs/recompute-queue.ts";

export const recordTransfers: Reaction<typeof ownershipChanged> = {
	service: "scoring",
	name: "record-transfers",
	event: ownershipChanged,
	async handler(tx, events) {
		await lockCopies(tx);
		const transfers = newestOfEach(events, (event) => event.ma_event_id);
		const affected = await tx<{ developer_id: number }[]>`
			with incoming as (
				select * from jsonb_to_recordset(${JSON.stringify(transfers)}::text::jsonb) as e (ma_event_id bigint, event_type text,
					effective_date date, seller_canonical text, buyer_canonical text, confidence text, retracted boolean, version bigint)),
			before as materialized (select t.* from transfers t join incoming using (ma_event_id)),
			copied as (
				insert into transfers as t (ma_event_id, event_type, effective_on, seller_canonical, buyer_canonical, confidence,
					retracted, version)
				select ma_event_id, event_type, effective_date, seller_canonical, buyer_canonical, confidence, retracted, version
				from incoming order by ma_event_id
				on conflict (ma_event_id) do update set (event_type, effective_on, seller_canonical, buyer_canonical, confidence,
						retracted, version)
					= (excluded.event_type, excluded.effective_on, excluded.seller_canonical, excluded.buyer_canonical,
						excluded.confidence, excluded.retracted, excluded.version)
					where excluded.version > t.version
				returning *),
			sides as (
				select seller_canonical as name from copied union select buyer_canonical from copied
				union select b.seller_canonical from before b join copied using (ma_event_id)
				union select b.buyer_canonical from before b join copied using (ma_event_id))
			select d.developer_id from sides s join developers d on d.canonical_name = s.name`;
		await enqueueDevelopers(
			tx,
			affected.map((row) => row.developer_id),
		);
	},
};
