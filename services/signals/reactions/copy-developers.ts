/** Keeps the copy of developers and their names. Names that are new or others are matched with what is stored, later and in batches. */
import { newestOfEach } from "#libs/bus/newest.ts";
import type { Reaction } from "#libs/bus/react.ts";
import { developerChanged } from "#libs/contract/events/queue-ingest.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { lockWriters } from "../jobs/storing.ts";
import { raiseNames } from "../names.ts";
import { weighAgain } from "./judge-transfers.ts";
import { lockMaEvents } from "./ma-events.ts";

export const copyDevelopers: Reaction<typeof developerChanged> = {
	service: "signals",
	name: "copy-developers",
	event: developerChanged,
	async handler(tx, events) {
		await lockMaEvents(tx);
		await lockWriters(tx);
		const newest = newestOfEach(events, (event) => event.developer_id);
		const [done] = await tx<{ copied: number; renamed: number; known_otherwise: string[] }[]>`
			with incoming as (
				select * from jsonb_to_recordset(${JSON.stringify(newest)}::text::jsonb) as e (developer_id integer, canonical_name text,
					ambiguous boolean, tier text, headquarters_state text, parent_company text, known boolean, aliases jsonb,
					prefixes text[], version bigint)),
			before as (select d.* from developers d join incoming using (developer_id)),
			copied as (
				insert into developers as t (developer_id, canonical_name, ambiguous, tier, headquarters_state, parent_company, known,
					aliases, prefixes, version)
				select developer_id, canonical_name, ambiguous, tier, headquarters_state, parent_company, known, aliases, prefixes, version
				from incoming
				on conflict (developer_id) do update set (canonical_name, ambiguous, tier, headquarters_state, parent_company, known,
						aliases, prefixes, version)
					= (excluded.canonical_name, excluded.ambiguous, excluded.tier, excluded.headquarters_state,
						excluded.parent_company, excluded.known, excluded.aliases, excluded.prefixes, excluded.version)
					where excluded.version > t.version
				returning *)
			select count(*) as copied, coalesce(array_agg(c.canonical_name) filter (where b.developer_id is null
				or (b.canonical_name, b.parent_company, b.known) is distinct from (c.canonical_name, c.parent_company, c.known)), '{}')
				as known_otherwise,
				count(*) filter (where b.developer_id is null
				or (b.canonical_name, b.ambiguous, b.headquarters_state, b.known, b.aliases, b.prefixes)
					is distinct from (c.canonical_name, c.ambiguous, c.headquarters_state, c.known, c.aliases, c.prefixes)) as renamed
			from copied c left join before b using (developer_id)`;
		if (done === undefined || done.copied === 0) return;
		if (done.renamed > 0) await raiseNames(tx);
		if (done.known_otherwise.length > 0) await weighAgain(tx, done.known_otherwise);
		await raiseDataVersion(tx);
	},
};
