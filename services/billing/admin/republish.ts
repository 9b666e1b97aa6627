/**
 * Publishes the last payload of every key again, at its version, through the outbox: for a new consumer, a rebuild from zero or a
 * lost stream.
 *
 *   republish key.changed
 *
 * Consumers keep the newer payload by `version`; each run uses fresh event ids, so that no inbox drops them as duplicates.
 */
import { keyChanged } from "#libs/contract/events/billing.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { again, publishCurrent } from "#libs/postgres/events/outbox.ts";
import { runRepublish } from "#libs/service/program.ts";
import { schema } from "../migrate.ts";
import { keyPayloads } from "../tables/keys.ts";

/** @returns how many events were put in the outbox; undefined for a name that this service cannot republish */
export async function republish(sql: Sql, name: string): Promise<number | undefined> {
	if (name !== keyChanged.name) return undefined;
	return await sql.begin((tx) => publishCurrent(tx, keyChanged, keyPayloads(tx, tx`true`), again()));
}

if (import.meta.main) await runRepublish({ schema, names: [keyChanged.name], republish });
