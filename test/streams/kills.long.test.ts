import { test } from "vitest";
import { followThroughKills } from "./support/kills.ts";

test("through a hundred kills of gateways, NATS and PostgreSQL clients and a webhook get each seq, in order", async () => {
	console.log(JSON.stringify(await followThroughKills(100)));
}, 3_600_000);
