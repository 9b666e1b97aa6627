/**
 * Republishes the current payload of every key through the outbox, for a new consumer or after the stream was lost.
 *
 *   republish key.changed
 *
 * Versions do not change, so consumers ignore payloads that they already have. Event ids are new, so that no inbox drops them as duplicates.
 */
import { keyChanged } from "#libs/contract/events/billing.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { publishCurrent, republishOptions } from "#libs/postgres/events/outbox.ts";
import { runRepublish } from "#libs/service/program.ts";
import { schema } from "../migrate.ts";
import { keyPayloads } from "../tables/keys.ts";

/** @returns how many events were put in the outbox; undefined if this service cannot republish the event */
export async function republish(sql: Sql, name: string): Promise<number | undefined> {
	if (name !== keyChanged.name) return undefined;
	return await sql.begin((tx) => publishCurrent(tx, keyChanged, keyPayloads(tx, tx`true`), republishOptions()));
}

if (import.meta.main) await runRepublish({ schema, names: [keyChanged.name], republish });
