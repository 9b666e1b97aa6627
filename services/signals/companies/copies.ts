/** Copies developers and projects from queue-ingest. Stored records are matched with new names later, in batches. */
import type { z } from "zod";
import type { Reaction } from "#libs/bus/events/react.ts";
import { developerChanged, projectChanged } from "#libs/contract/events/queue-ingest.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { copyRows } from "#libs/postgres/events/copies.ts";
import { newestOfEach } from "#libs/postgres/events/inbox.ts";
import { currentTraceparent } from "#libs/postgres/trace.ts";
import { reweighDeals } from "../deals/judge-transfers.ts";
import { lockMaEvents } from "../deals/ma-events.ts";
import { lockWriters } from "../records/storing.ts";

const developerColumns =
	"developer_id, canonical_name, ambiguous, tier, headquarters_state, parent_company, known, aliases, prefixes, version";

export const copyDevelopers: Reaction<typeof developerChanged> = {
	service: "signals",
	name: "copy-developers",
	event: developerChanged,
	async handler(tx, events) {
		await lockMaEvents(tx);
		await lockWriters(tx);
		const newest = newestOfEach(events, (event) => event.developer_id);
		const [counts] = await tx<{ copied: number; renamed: number; reclassified: string[] }[]>`
			${copyRows(tx, "developers", developerColumns, newest)}
			select count(*) as copied, coalesce(array_agg(c.canonical_name) filter (where b.developer_id is null
				or (b.canonical_name, b.parent_company, b.known) is distinct from (c.canonical_name, c.parent_company, c.known)), '{}')
				as reclassified,
				count(*) filter (where b.developer_id is null
				or (b.canonical_name, b.ambiguous, b.headquarters_state, b.known, b.aliases, b.prefixes)
					is distinct from (c.canonical_name, c.ambiguous, c.headquarters_state, c.known, c.aliases, c.prefixes)) as renamed
			from copied c left join before b using (developer_id)`;
		if (counts === undefined || counts.copied === 0) return;
		if (counts.renamed > 0) await raiseNamesVersion(tx);
		if (counts.reclassified.length > 0) await reweighDeals(tx, counts.reclassified);
		await raiseDataVersion(tx);
	},
};

export const copyProjects: Reaction<typeof projectChanged> = {
	service: "signals",
	name: "copy-projects",
	event: projectChanged,
	async handler(tx, events) {
		await lockWriters(tx);
		const newest = newestOfEach(events, (event) => event.project.id).map(rowOf);
		const [counts] = await tx<{ copied: number; renamed: number }[]>`
			${copyRows(tx, "projects", "project_id, name, developer_id, kind, version", newest)}
			select count(*) as copied,
				count(*) filter (where (b.name, b.developer_id) is distinct from (c.name, c.developer_id)) as renamed
			from copied c left join before b using (project_id)`;
		if (counts === undefined || counts.copied === 0) return;
		if (counts.renamed > 0) await raiseNamesVersion(tx);
		await raiseDataVersion(tx);
	},
};

/** Only the stored columns: the others would be sent to the database and ignored there. */
const rowOf = ({ project, version }: z.output<typeof projectChanged.payload>) => ({
	project_id: project.id,
	name: project.name,
	developer_id: project.developer_id,
	kind: project.kind,
	version,
});

/** PostgreSQL channel that starts the matching of stored records. */
export const namesChannel = (schema: string): string => `${schema}_names`;

/** Call this when a name is new or has changed. */
export async function raiseNamesVersion(tx: Transaction): Promise<void> {
	await tx`update names set version = version + 1`;
	await tx`select pg_notify(current_schema() || '_names', ${currentTraceparent() ?? ""})`;
}
