import { test } from "vitest";
import { followThroughKills } from "./support/kills.ts";

test("six kills of gateways, NATS and PostgreSQL: each seq once, in order, none missing", async () => {
	await followThroughKills(6);
}, 300_000);
