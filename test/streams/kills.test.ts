import { test } from "vitest";
import { followThroughKills } from "./support/kills.ts";

test("four kills of gateways, NATS and PostgreSQL: clients and a webhook get each seq, in order, none missing", async () => {
	await followThroughKills(4);
}, 300_000);
