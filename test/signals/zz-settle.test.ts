import { it } from "vitest";
import { startWorld } from "../support/world.ts";

it("settles", async () => {
	const t = performance.now();
	await using world = await startWorld();
	console.log("started", Math.round(performance.now() - t));
	const timer = setInterval(async () => {
		console.log(
			Math.round(performance.now() - t),
			await world.signalsSql`select (select count(*) from projects) p, (select count(*) from developers) d, (select version from names) n, (select json_agg(m) from matching m) m, (select count(*) from outbox) o, (select count(*) from inbox) i`,
			await world.sql`select count(*) from outbox`,
		);
	}, 1000);
	await world.settled();
	clearInterval(timer);
	console.log("settled", Math.round(performance.now() - t));
}, 60_000);
