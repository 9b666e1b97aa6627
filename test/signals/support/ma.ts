/** The reactions and answers of changes of hands over a database of their own. */
import type { z } from "zod";
import type { Reaction } from "#libs/bus/events/react.ts";
import type { EventShape } from "#libs/contract/events/event.ts";
import { operations as contract, type Events, events, type ParamsInput, type Reply } from "#libs/contract/index.ts";
import { connect, type Sql, type Transaction } from "#libs/postgres/connect.ts";
import { receive } from "#libs/postgres/events/inbox.ts";
import { listMaEvents, listMaReviews, summariseMaEvents } from "../../../services/signals/deals/operations.ts";
import { schema } from "../../../services/signals/migrate.ts";
import { createDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { clearTables } from "./signals.ts";

export type Owned = z.output<Events["ownershipRecorded"]["payload"]>;
export type Changed = z.output<Events["projectChanged"]["payload"]>;
export type Applied = z.output<Events["snapshotApplied"]["payload"]>;
export type OwnershipChanged = z.output<Events["ownershipChanged"]["payload"]>;

type Asked = "listMaEvents" | "summariseMaEvents" | "listMaReviews";

export interface Deals extends AsyncDisposable {
	sql: Sql;
	adminUrl: string;
	/** Hands events to a reaction as the bus does: parsed, in one transaction, each id once. */
	deliver<E extends EventShape>(reaction: Reaction<E>, events: z.input<E["payload"]>[]): Promise<void>;
	/** Runs `second` while the transaction of `first` is still open, until it is done or waits for a lock. */
	meanwhile(first: (tx: Transaction) => Promise<void>, second: () => Promise<void>): Promise<void>;
	ask<N extends Asked>(name: N, params?: ParamsInput<N>): Promise<Reply<N>>;
	/** Events since the last call, in order, each parsed by its schema. */
	published(): Promise<OwnershipChanged[]>;
	dataVersion(): Promise<number>;
	/** Deletes everything, for the next test. */
	clear(): Promise<void>;
}

export async function openDeals(): Promise<Deals> {
	await using stack = new AsyncDisposableStack();
	const database = stack.use(await createDatabase("signals"));
	const sql = stack.use(connect(database.url, { schema, name: "test", max: 4, statementTimeoutMs: 0 }));
	const handlers = {
		listMaEvents: listMaEvents(sql),
		summariseMaEvents: summariseMaEvents(sql),
		listMaReviews: listMaReviews(sql),
	};
	let last = 0;
	const rest = stack.move();
	return {
		sql,
		adminUrl: database.adminUrl,
		async deliver(reaction, delivered) {
			const parsed = delivered.map((one) => reaction.event.payload.parse(one) as { id: string });
			await sql.begin(async (tx) => {
				const ids = new Map(parsed.map((one) => [one.id, one]));
				const fresh = await receive(tx, reaction.name, [...ids.keys()]);
				const unseen = [...ids.values()].filter(({ id }) => fresh.has(id));
				if (unseen.length > 0) await reaction.handler(tx, unseen as never);
			});
		},
		async meanwhile(first, second) {
			let other: Promise<void> | undefined;
			await sql.begin(async (tx) => {
				await first(tx);
				other = second();
				const waits = eventually(async () => {
					const waiting = await sql`
						select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
					return waiting.length > 0;
				});
				await Promise.race([other, waits]);
			});
			await other;
		},
		async ask(name, params) {
			const handler = handlers[name] as (params: unknown, of: object) => Promise<{ json: string | Uint8Array }>;
			const { json } = await handler(contract[name].params.parse(params ?? {}), {});
			return contract[name].reply.parse(JSON.parse(Buffer.from(json).toString())) as never;
		},
		async published() {
			const rows = await sql<{ id: number; payload: string }[]>`
				select id, payload from outbox where id > ${last} and subject like '%ownership.changed' order by id`;
			last = rows.at(-1)?.id ?? last;
			return rows.map((row) => events.ownershipChanged.payload.parse(JSON.parse(row.payload)));
		},
		async dataVersion() {
			const [row] = await sql<{ version: number }[]>`select version from data_version`;
			return row?.version ?? 0;
		},
		async clear() {
			last = 0;
			await clearTables(sql);
		},
		[Symbol.asyncDispose]: () => rest.disposeAsync(),
	};
}
