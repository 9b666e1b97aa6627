/** Queries for the events of all current aggregates, to republish or retract them. */
import type { EventShape } from "#libs/contract/events/event.ts";
import { filingRecorded, newsRecorded, ownershipChanged, raiseRecorded } from "#libs/contract/events/signals.ts";
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { publishCurrent } from "#libs/postgres/events/outbox.ts";
import { type Republishers, republishBy } from "#libs/service/program.ts";
import { selectMaEvents } from "../deals/ma-events.ts";
import { selectArticleEvents } from "../news/articles.ts";
import { selectRowEvents } from "../records/filing-rows.ts";

interface Aggregate {
	event: EventShape;
	events(tx: Transaction): Fragment;
	retracted?: Record<string, unknown>;
}

const aggregates: readonly Aggregate[] = [
	{
		event: newsRecorded,
		// An article without developers but with a version above 1 has been published with developers before.
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

export const republishers: Republishers = Object.fromEntries(
	aggregates.map(({ event, events }) => [
		event.name,
		(tx: Transaction, suffix: string) => publishCurrent(tx, event, events(tx), { suffix }),
	]),
);
export const republish = republishBy(republishers);

/** Retracts all headlines and filings, with their next versions. Used when the sample is removed, because its contents are invented. */
export async function retractAll(tx: Transaction): Promise<void> {
	for (const { event, events, retracted } of aggregates)
		if (retracted !== undefined)
			await publishCurrent(tx, event, events(tx), { versionOffset: 1, overrides: retracted });
}
