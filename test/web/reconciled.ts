import { expect } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import { reconcile } from "../../services/queue-ingest/quality/reconciliation/reconcile.ts";
import { loadLbnl } from "../../services/queue-ingest/queues/jobs/load-lbnl.ts";
import { csv } from "../support/file-formats.ts";
import { startWorld, type World } from "../support/world.ts";
import { read } from "./support.ts";

/** A world whose requests are compared with a list that has other statuses, and a request that is markup. */
export async function startReconciled(): Promise<World> {
	const world = await startWorld();
	const { data } = await read<Reply<"listProjects">>(`${world.url}/projects?region=CAISO&per_page=2`);
	const rows = data.map(({ queue_id, state }) => [
		queue_id,
		"withdrawn",
		"CAISO",
		"CAISO",
		state,
		"Solar",
		5,
		"2023-12-31",
	]);
	const bytes = csv([
		["q_id", "q_status", "entity", "region", "state", "type_clean", "mw1", "q_date"],
		...rows,
		["<img src=x onerror=alert(1)>\u202e9", "withdrawn", "CAISO", "CAISO", "CA", "Solar", 4_000, "2003-01-02"],
	]);
	const name = "queued_up_thru2023.csv";
	expect(await loadLbnl(world.sql, { name, path: name, bytes }, new Date())).toMatchObject({ outcome: "applied" });
	expect(await reconcile(world.sql, new Date())).toBe(true);
	return world;
}
