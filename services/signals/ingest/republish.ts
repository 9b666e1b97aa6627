/** The current aggregates as events, to publish or retract all of them again. */
import type { EventShape } from "#libs/contract/events/event.ts";
import { filingRecorded, newsRecorded, ownershipChanged, raiseRecorded } from "#libs/contract/events/signals.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { publishCurrent, republishOptions } from "#libs/postgres/events/outbox.ts";
import { maEvents } from "../deals/ma-events.ts";
import { articleEvents } from "../news/articles.ts";
import { rowEvents } from "../records/filing-rows.ts";

interface Republisher {
	event: EventShape;
	events(tx: Transaction): Fragment;
	retracted?: Record<string, unknown>;
}

export const republishers: readonly Republisher[] = [
	{
		event: newsRecorded,
		// An article that no longer names a developer has been published before.
		events: (tx) => articleEvents(tx, tx`matches <> '[]' or version > 1`),
		retracted: { developers: [] },
	},
	{
		event: raiseRecorded,
		events: (tx) => rowEvents(tx, "raises", tx`true`),
		retracted: { developer_id: null, developer_canonical: null, match_method: "none", is_latest: false },
	},
	{
		event: filingRecorded,
		events: (tx) => rowEvents(tx, "filings", tx`true`),
		retracted: { developer_id: null, developer_canonical: null },
	},
	{ event: ownershipChanged, events: (tx) => maEvents(tx, tx`true`) },
];

/** Returns how many events will be published, or undefined for an unknown name. */
export async function republish(sql: Sql, name: string): Promise<number | undefined> {
	const republisher = republishers.find(({ event }) => event.name === name);
	if (republisher === undefined) return undefined;
	return sql.begin((tx) => publishCurrent(tx, republisher.event, republisher.events(tx), republishOptions()));
}

/** Retracts all headlines and filings by their next versions: a sample that is removed was never true. */
export async function retractAll(tx: Transaction): Promise<void> {
	for (const { event, events, retracted } of republishers)
		if (retracted !== undefined) await publishCurrent(tx, event, events(tx), { later: 1, instead: retracted });
}
