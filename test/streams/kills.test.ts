import { test } from "vitest";
import { followThroughKills } from "./support/kills.ts";

test("ten kills of gateways, NATS and PostgreSQL: each seq once, in order, none missing", async () => {
	await followThroughKills(10);
}, 300_000);
