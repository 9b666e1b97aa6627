/** Keeps the copy of projects, as far as texts are matched with their names. */
import type { z } from "zod";
import { newestOfEach } from "#libs/bus/newest.ts";
import type { Reaction } from "#libs/bus/react.ts";
import { projectChanged } from "#libs/contract/events/queue-ingest.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { declaredColumns } from "#libs/postgres/project-columns.ts";
import { lockWriters } from "../jobs/storing.ts";
import { raiseNames } from "../names.ts";

export const copyProjects: Reaction<typeof projectChanged> = {
	service: "signals",
	name: "copy-projects",
	event: projectChanged,
	async handler(tx, events) {
		await lockWriters(tx);
		const newest = newestOfEach(events, (event) => event.project.id).map(rowOf);
		const [done] = await tx.unsafe<{ copied: number; renamed: number }[]>(
			`with incoming as (
				select * from json_to_recordset($1::text::json) as p (project_id text, ${declaredColumns(copied)}, version bigint)),
			before as (select p.* from projects p join incoming using (project_id)),
			copied as (
				insert into projects as t (project_id, ${columns}) select project_id, ${columns} from incoming
				on conflict (project_id) do update set (${columns}) = (${columns.replaceAll(/\w+/g, "excluded.$&")})
					where excluded.version > t.version
				returning *)
			select count(*) as copied,
				count(*) filter (where (b.name, b.developer_id) is distinct from (c.name, c.developer_id)) as renamed
			from copied c left join before b using (project_id)`,
			[JSON.stringify(newest)],
		);
		if (done === undefined || done.copied === 0) return;
		if (done.renamed > 0) await raiseNames(tx);
		await raiseDataVersion(tx);
	},
};

const copied = [
	...([
		"queue_id",
		"name",
		"region",
		"state",
		"developer",
		"developer_canonical",
		"developer_id",
		"capacity_mw",
	] as const),
	...(["type_std", "status_std", "kind"] as const),
];
const columns = `${copied.join(", ")}, version`;

/** Only what is copied: what PostgreSQL is to read past costs it as much as what it keeps. */
const rowOf = ({ project, version }: z.output<typeof projectChanged.payload>) => ({
	project_id: project.id,
	...Object.fromEntries(copied.map((name) => [name, project[name]])),
	version,
});
