import { test } from "vitest";
import { followThroughKills } from "./support/kills.ts";

test("three kills of gateways, NATS and PostgreSQL: each seq once, in order, none missing", async () => {
	await followThroughKills(3);
}, 300_000);
