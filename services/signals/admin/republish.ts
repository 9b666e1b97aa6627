/**
 * Republishes every current aggregate with its version unchanged. Needed after a new consumer is added, the system is rebuilt or a stream
 * is lost.
 *
 *   republish news.recorded | raise.recorded | filing.recorded | ownership.changed
 *
 * Consumers apply only events with a higher `version` than theirs. Each run uses new event ids, so that consumers do not drop the events as
 * duplicates.
 */
import { runRepublish } from "#libs/service/program.ts";
import { republishers } from "../ingest/republish.ts";
import { schema } from "../migrate.ts";

await runRepublish({ schema, republishers, extracts: "signals" });
