import { test } from "vitest";
import { followThroughKills } from "./support/kills.ts";

test("through four kills of gateways, NATS and PostgreSQL clients and a webhook get each seq, in order", async () => {
	await followThroughKills(4);
}, 300_000);
