/**
 * Says again what was last said of every key, at its version, through the outbox: for a new consumer, a rebuild from zero or a lost
 * stream.
 *
 *   republish key.changed
 *
 * Consumers keep what is newer by `version`; each run uses fresh event ids, so that nobody takes it for a repetition.
 */
import { keyChanged } from "#libs/contract/events/billing.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { again, publishCurrent } from "#libs/postgres/republish.ts";
import { runRepublish } from "#libs/service/republish-program.ts";
import { sayable } from "./domain/keys.ts";
import { schema } from "./migrate.ts";

/** How many events are on their way; undefined for a name that is no event of this service that can be said again. */
export async function republish(sql: Sql, name: string): Promise<number | undefined> {
	if (name !== keyChanged.name) return undefined;
	return await sql.begin((tx) => publishCurrent(tx, keyChanged, sayable(tx, tx`true`), again()));
}

if (import.meta.main) await runRepublish({ schema, names: [keyChanged.name], republish });
