/** Queries for the events of all current aggregates, to republish or retract them. */
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
		// An article without developers whose version exceeds 1 was published with developers before.
		events: (tx) => selectArticleEvents(tx, tx`matches <> '[]' or version > 1`),
		retracted: { developers: [] },
	},
	{
		event: raiseRecorded,
		events: (tx) => selectRowEvents(tx, "raises", tx`true`),
		retracted: { developer_id: null, developer_canonical: null, match_method: "none", is_latest: false },
	},
	{
		event: filingRecorded,
		events: (tx) => selectRowEvents(tx, "filings", tx`true`),
		retracted: { developer_id: null, developer_canonical: null },
	},
	{ event: ownershipChanged, events: (tx) => selectMaEvents(tx, tx`true`) },
];

/** Returns how many events will be published, or undefined if the name is unknown. */
export async function republish(sql: Sql, name: string): Promise<number | undefined> {
	const republisher = republishers.find(({ event }) => event.name === name);
	if (republisher === undefined) return undefined;
	return sql.begin((tx) => publishCurrent(tx, republisher.event, republisher.events(tx), republishOptions()));
}

/** Retracts all headlines and filings with their next versions. Used to remove the sample, which was never true. */
export async function retractAll(tx: Transaction): Promise<void> {
	for (const { event, events, retracted } of republishers)
		if (retracted !== undefined) await publishCurrent(tx, event, events(tx), { later: 1, instead: retracted });
}
