/** A rolling upgrade across a change of the schema: the old code serves while tables change under it, and the new replaces it one by one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Fleet, startFleet } from "./support/fleet.ts";
import { makeNewerTree } from "./support/newer-tree.ts";

/** Runs a program of the new tree while the old one runs, as before each release. @returns its exit code */
async function migrate(tree: string, service: string, fleet: Fleet): Promise<number> {
	const env = { ...process.env, POSTGRES_URL: fleet.database.urlOf(service) };
	const child = spawn(process.execPath, [join(tree, "services", service, "migrate.ts")], { env, stdio: "ignore" });
	const [code] = await once(child, "exit");
	return code;
}

test("tables change and every replica is replaced under readers and an ingest: no request fails, no event is lost", async () => {
	using tree = makeNewerTree();
	await using fleet = await startFleet({ "queue-ingest": 2, signals: 1, gateway: 1 });
	await using reading = fleet.readers();
	const noteOf = async (id: string | undefined) =>
		((await (await fleet.get(`/projects/${id}`)).json()) as { note?: string }).note;
	await reading.more(20);
	for (const service of ["queue-ingest", "signals"])
		expect([service, await migrate(tree.path, service, fleet)]).toEqual([service, 0]);

	// The old code goes on with the new tables.
	await reading.more(40);
	await fleet.lists.withdrawNext();
	await fleet.lists.addOne();
	await fleet.copiesAgree();
	expect(await noteOf(fleet.lists.ids[0])).toBeUndefined();

	for (const service of ["queue-ingest", "signals", "gateway"])
		for (const old of fleet.of(service)) {
			await fleet.replace(old, reading, { tree: tree.path });
			await fleet.lists.withdrawNext();
		}
	await reading.more(20);
	expect(reading.refused).toEqual([]);
	expect(await noteOf(fleet.lists.ids[0])).toBe("none yet");
	await fleet.copiesAgree();
}, 300_000);
