import { test } from "vitest";
import { followThroughKills } from "./support/kills.ts";

test("four kills of gateways, NATS and PostgreSQL: each seq once, in order, none missing", async () => {
	await followThroughKills(4);
}, 300_000);
