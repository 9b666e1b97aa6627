/** Records the changes of developer in lists, and judges a list once all of its changes have arrived. */
import type { z } from "zod";
import type { Reaction } from "#libs/bus/events/react.ts";
import { projectChanged, snapshotApplied } from "#libs/contract/events/queue-ingest.ts";
import { newsRecorded } from "#libs/contract/events/signals.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { judgeSnapshots, reweighDeals } from "./judge-transfers.ts";
import { lockMaEvents } from "./ma-events.ts";

type Changed = z.output<typeof projectChanged.payload>;

export const recordTransfers: Reaction<typeof projectChanged> = {
	service: "signals",
	name: "record-transfers",
	event: projectChanged,
	async handler(tx, events) {
		await lockMaEvents(tx);
		await copyFiledDevelopers(tx, events);
		await judgeSnapshots(tx, await storeCandidates(tx, events));
	},
};

/** Records how many rows and changes of developer a list has, and judges the list if all of the changes have arrived. */
export const judgeLists: Reaction<typeof snapshotApplied> = {
	service: "signals",
	name: "judge-transfers",
	event: snapshotApplied,
	async handler(tx, events) {
		await lockMaEvents(tx);
		const stored = await tx<{ snapshot_id: number }[]>`
			insert into transfer_snapshots (snapshot_id, region, as_of, rows, developer_changes)
			select distinct on (snapshot_id) snapshot_id, region, as_of, rows, developer_changes
			from jsonb_populate_recordset(null::transfer_snapshots, ${JSON.stringify(events)}::text::jsonb)
			on conflict do nothing
			returning snapshot_id`;
		await judgeSnapshots(
			tx,
			stored.map(({ snapshot_id }) => snapshot_id),
		);
	},
};

async function copyFiledDevelopers(tx: Transaction, events: Changed[]): Promise<void> {
	const rows = events.map(({ project, version }) => ({
		project_id: project.id,
		region: project.region,
		developer: project.missing_since === null ? project.developer : null,
		version,
	}));
	await tx`
		insert into queue_developers as t (project_id, region, developer, version)
		select distinct on (project_id) project_id, region, developer, version
		from json_to_recordset(${JSON.stringify(rows)}::text::json) as d (project_id text, region text, developer text, version bigint)
		order by project_id, version desc
		on conflict (project_id) do update set
			(region, developer, version) = (excluded.region, excluded.developer, excluded.version)
			where excluded.version > t.version`;
}

/** Returns the lists with a new change of developer. */
async function storeCandidates(tx: Transaction, events: Changed[]): Promise<number[]> {
	const rows = events.flatMap(({ project, version, as_of, snapshot_id, previous_developer, changes }) =>
		snapshot_id === null || previous_developer === null
			? []
			: [
					{
						snapshot_id,
						project_id: project.id,
						version,
						detected_at: as_of,
						from_name: previous_developer.filed,
						from_canonical: previous_developer.canonical,
						to_name: project.developer,
						to_canonical: project.developer_canonical,
						correction: changes.some(
							({ change_type, field_name }) => change_type === "correction" && field_name === "developer",
						),
						project,
					},
				],
	);
	if (rows.length === 0) return [];
	const stored = await tx<{ snapshot_id: number }[]>`
		with stored as (
			insert into transfer_candidates (snapshot_id, project_id, version, detected_at, from_name, from_canonical, to_name,
				to_canonical, correction, project)
			select distinct on (snapshot_id, project_id) *
			from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as c (snapshot_id bigint, project_id text, version bigint,
				detected_at timestamptz, from_name text, from_canonical text, to_name text, to_canonical text, correction boolean,
				project jsonb)
			on conflict do nothing
			returning snapshot_id)
		select distinct snapshot_id from stored`;
	return stored.map(({ snapshot_id }) => snapshot_id);
}

export const confirmDeals: Reaction<typeof newsRecorded> = {
	service: "signals",
	name: "confirm-deals",
	event: newsRecorded,
	async handler(tx, events) {
		const headlines = events.filter(({ event_type, developers }) => event_type === "ma" && developers.length > 1);
		if (headlines.length === 0) return;
		await lockMaEvents(tx);
		const names = headlines.flatMap(({ developers }) => developers.map((developer) => developer.developer_canonical));
		await reweighDeals(tx, [...new Set(names)]);
	},
};
