/** Keeps the past of requests: each state with the days on which it held, as queue-ingest knows them now. Of a state the newest event counts. */
import { newestOfEach } from "#libs/bus/newest.ts";
import type { Reaction } from "#libs/bus/react.ts";
import { stateRecorded } from "#libs/contract/events/queue-ingest.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { columns, incomingRows, rowOf } from "./incoming.ts";

type StateRecorded = Parameters<Reaction<typeof stateRecorded>["handler"]>[1][number];

export const copyStates: Reaction<typeof stateRecorded> = {
	service: "scoring",
	name: "copy-states",
	event: stateRecorded,
	async handler(tx, events) {
		await lockPast(tx);
		await noteNewestChange(tx, events);
		const ids = await copy(tx, newestOfEach(events, (event) => event.entry).map(stateOf));
		if (ids.length === 0) return;
		await noteMoves(tx, ids);
		await raiseDataVersion(tx);
	},
};

/** Two that copy states of one request would each miss what the other is about to commit. */
export async function lockPast(tx: Transaction): Promise<void> {
	await tx`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':past', 0))`;
}

/** The newest change of the feed, as far as these say: of what is behind it nothing is known yet. */
export async function noteNewestChange(tx: Transaction, events: readonly { newest_seq?: number | undefined }[]) {
	const seq = Math.max(...events.map(({ newest_seq = 0 }) => newest_seq));
	await tx`update newest_change set seq = ${seq} where seq < ${seq}`;
}

const stateOf = (event: StateRecorded) => ({
	...rowOf({ project: event.project, cod_changes: [], snapshot_id: event.snapshot_id, version: event.project.version }),
	entry: event.entry,
	revision: event.version,
	valid_from: event.valid_from.slice(0, 10),
	valid_to: event.valid_to?.slice(0, 10) ?? "infinity",
	believed: event.believed,
	derived: event.derived,
	backfilled: event.backfilled,
	dates_recoded: event.dates_recoded,
	seq_from: event.seq_from ?? null,
	seq_to: event.seq_to ?? null,
});

const ofHistory = "revision, valid_from, valid_to, believed, derived, backfilled, dates_recoded, seq_from, seq_to";
const typed =
	"entry bigint, revision bigint, valid_from date, valid_to date, believed boolean, derived boolean, backfilled boolean, dates_recoded boolean, seq_from bigint, seq_to bigint";
const excluded = `${columns}, snapshot_id, version, ${ofHistory}`.replaceAll(/\w+/g, "excluded.$&");

/** Answers the requests whose past is another. */
async function copy(tx: Transaction, states: readonly ReturnType<typeof stateOf>[]): Promise<string[]> {
	const copied = await tx.unsafe<{ project_id: string }[]>(
		`insert into project_states as t (entry, project_id, ${columns}, snapshot_id, version, ${ofHistory})
		select entry, project_id, ${columns.replace("developer_tier", "coalesce(developer_tier, 'unknown')")}, snapshot_id, version, ${ofHistory}
		from (${incomingRows(typed)}) e order by entry
		on conflict (entry) do update set (${columns}, snapshot_id, version, ${ofHistory}) = (${excluded}) where excluded.revision > t.revision
		returning project_id`,
		[JSON.stringify(states)],
	);
	return [...new Set(copied.map((row) => row.project_id))];
}

/** Every move of the projected date from one state to the next, up to each: a list that came late moved it between two others. */
async function noteMoves(tx: Transaction, ids: readonly string[]): Promise<void> {
	await tx`
		with states as (
			select entry, valid_from, cod, cod_changes, dates_recoded,
				lag(cod) over own as before, row_number() over own > 1 as follows, project_id
			from project_states where held and project_id = any(${[...ids]}::text[])
			window own as (partition by project_id order by valid_from)),
		moved as (
			select entry, cod_changes, coalesce(jsonb_agg(jsonb_build_object('on', valid_from, 'old', before, 'new', cod))
				filter (where follows and not dates_recoded and cod is distinct from before)
				over (partition by project_id order by valid_from), '[]') as moves
			from states)
		update project_states t set cod_changes = m.moves from moved m
		where t.entry = m.entry and m.cod_changes is distinct from m.moves`;
}
