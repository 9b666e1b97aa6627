/** Keeps the copy of developers: their names and tiers. Portfolios are counted from the copies of their requests. */
import { newestOfEach } from "#libs/bus/newest.ts";
import type { Reaction } from "#libs/bus/react.ts";
import { developerChanged } from "#libs/contract/events/queue-ingest.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { enqueueDevelopers, lockCopies } from "../jobs/recompute-queue.ts";

export const copyDevelopers: Reaction<typeof developerChanged> = {
	service: "scoring",
	name: "copy-developers",
	event: developerChanged,
	async handler(tx, events) {
		await lockCopies(tx);
		const newest = newestOfEach(events, (event) => event.developer_id).map((event) => ({
			...event,
			aliases: event.aliases.map(({ alias }) => alias),
		}));
		const differing = await tx<{ developer_id: number }[]>`
			with incoming as (
				select * from jsonb_to_recordset(${JSON.stringify(newest)}::text::jsonb) as e (developer_id integer, canonical_name text,
					tier text, aliases text[], known boolean, version bigint)),
			before as materialized (select d.* from developers d join incoming using (developer_id)),
			copied as (
				insert into developers as t (developer_id, canonical_name, tier, aliases, known, version)
				select developer_id, canonical_name, tier, aliases, known, version from incoming order by developer_id
				on conflict (developer_id) do update set (canonical_name, tier, aliases, known, version)
					= (excluded.canonical_name, excluded.tier, excluded.aliases, excluded.known, excluded.version)
					where excluded.version > t.version
				returning *)
			select c.developer_id from copied c left join before b using (developer_id)
			where (b.canonical_name, b.tier, b.aliases, b.known) is distinct from (c.canonical_name, c.tier, c.aliases, c.known)`;
		await enqueueDevelopers(
			tx,
			differing.map((row) => row.developer_id),
		);
		if (differing.length > 0) await raiseDataVersion(tx);
	},
};
