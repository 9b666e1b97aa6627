/** Rolling restarts of everything, three times over. */
import { expect, test } from "vitest";
import { services } from "../../deploy/local/services.ts";
import { startFleet } from "./support/fleet.ts";
import { oneRelayEach } from "./support/relay-locks.ts";

test("every replica of every service is restarted three times: no request fails, and every change reaches its copies", async () => {
	await using fleet = await startFleet(Object.fromEntries(services.map(({ name }) => [name, 2])));
	await using reading = fleet.readers();
	for (let round = 0; round < 3; round++)
		for (const { name } of services)
			for (const old of fleet.of(name)) {
				await fleet.replace(old, reading);
				await fleet.lists.withdrawNext();
			}
	await reading.more(50);
	expect(reading.refused).toEqual([]);
	await oneRelayEach(fleet.admin);
	await fleet.copiesAgree();
	console.log(`30 restarts: ${reading.answered} requests, none refused`);
});
