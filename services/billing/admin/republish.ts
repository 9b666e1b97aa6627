/**
 * Republishes the current payload of every key through the outbox, for a new consumer or after the stream was lost.
 *
 *   republish key.changed
 *
 * Versions do not change, so consumers ignore payloads that they already have. Event ids are new, so that consumers do not drop them as duplicates.
 */
import { keyChanged } from "#libs/contract/events/billing.ts";
import { publishCurrent } from "#libs/postgres/events/outbox.ts";
import { type Republishers, republishBy, runRepublish } from "#libs/service/program.ts";
import { schema } from "../migrate.ts";
import { keyPayloads } from "../tables/keys.ts";

const republishers: Republishers = {
	[keyChanged.name]: (tx, suffix) => publishCurrent(tx, keyChanged, keyPayloads(tx, tx`true`), { suffix }),
};

export const republish = republishBy(republishers);

if (import.meta.main) await runRepublish({ schema, republishers });
