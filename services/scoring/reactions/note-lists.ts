/** Keeps which lists the past is made of: as of a day dates are judged by the newest list of that day or before, whatever differed in it. */
import { newestOfEach } from "#libs/bus/newest.ts";
import type { Reaction } from "#libs/bus/react.ts";
import { listRecorded } from "#libs/contract/events/queue-ingest.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { lockPast, noteNewestChange } from "./copy-states.ts";

export const noteLists: Reaction<typeof listRecorded> = {
	service: "scoring",
	name: "note-lists",
	event: listRecorded,
	async handler(tx, events) {
		await lockPast(tx);
		await noteNewestChange(tx, events);
		const newest = newestOfEach(events, ({ feed, snapshot_id }) => `${snapshot_id} ${feed}`);
		const rows = newest.map(({ feed, snapshot_id, region, as_of, standing, version, ...place }) => ({
			...{ feed, snapshot_id, region, day: as_of.slice(0, 10), retracted: !standing, revision: version },
			...{ seq_from: place.seq_from ?? null, seq_to: place.seq_to ?? null },
		}));
		const noted = await tx`
			insert into lists as t (feed, snapshot_id, region, day, retracted, revision, seq_from, seq_to)
			select feed, snapshot_id, region, day, retracted, revision, seq_from, seq_to from json_to_recordset(${JSON.stringify(rows)}::text::json)
				as e (feed text, snapshot_id bigint, region text, day date, retracted boolean, revision bigint,
					seq_from bigint, seq_to bigint)
			-- What the bundled sample said may arrive after it was left.
			where snapshot_id >= (select sample_until from settings) order by feed, snapshot_id
			on conflict (feed, snapshot_id) do update set (retracted, revision, seq_from, seq_to)
				= (excluded.retracted, excluded.revision, excluded.seq_from, excluded.seq_to)
				where excluded.revision > t.revision`;
		if (noted.count > 0) await raiseDataVersion(tx);
	},
};
