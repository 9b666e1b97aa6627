/** A relay in a process of its own, for a test to kill: `relay-process.ts <NATS url> <database url>`. */
import { relay } from "#libs/bus/events/relay.ts";
import { busOf, schema, sqlOf } from "./parties.ts";

const [natsUrl = "", databaseUrl = ""] = process.argv.slice(2);
relay(await busOf(natsUrl, "queue-ingest"), sqlOf(databaseUrl), schema, { batch: 20 });
