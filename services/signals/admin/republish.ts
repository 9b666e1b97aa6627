/**
 * Republishes every current aggregate with its version unchanged: for a new consumer, a rebuild from nothing or a lost stream.
 *
 *   republish news.recorded | raise.recorded | filing.recorded | ownership.changed
 *
 * Consumers apply only events with a higher `version` than theirs. Each run uses new event ids, so that no inbox drops the events.
 */
import { runRepublish } from "#libs/service/program.ts";
import { republishers } from "../ingest/republish.ts";
import { schema } from "../migrate.ts";

await runRepublish({ schema, republishers, extracts: "signals" });
