import { test } from "vitest";
import { followThroughKills } from "./support/kills.ts";

test("a hundred kills of gateways, NATS and PostgreSQL: each seq once, in order, none missing", async () => {
	console.log(JSON.stringify(await followThroughKills(100)));
}, 3_600_000);
