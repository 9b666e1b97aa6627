/** When the invented queues are gone, so is what was made of them here: copies, changes of hands, and the sample of signals itself. */
import type { Reaction } from "#libs/bus/react.ts";
import { sampleLeft } from "#libs/contract/events/queue-ingest.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { removeSample } from "../jobs/leave-sample.ts";
import { raiseNames } from "../names.ts";
import { lockMaEvents, settleMaEvents } from "./ma-events.ts";

export const forgetSample: Reaction<typeof sampleLeft> = {
	service: "signals",
	name: "forget-sample",
	event: sampleLeft,
	async handler(tx, events) {
		await lockMaEvents(tx);
		// Where no company left, installations alone did: the requests are the sample's still, and so is what is said of them.
		if (events.some(({ developer_ids }) => developer_ids.length > 0)) await removeSample(tx);
		const projects = events.flatMap(({ project_ids }) => project_ids);
		const plants = events.flatMap(({ plant_ids }) => plant_ids);
		const developers = events.flatMap(({ developer_ids }) => developer_ids);
		await forgetTransfers(tx, projects, plants);
		await tx`delete from projects where project_id = any(${projects}::text[])`;
		// Whom something published was matched to stays: nothing is said of him that is invented.
		await tx`
			delete from developers d where developer_id = any(${developers}::int[])
				and not exists (select from article_matches m where m.developer_id = d.developer_id)
				and not exists (select from raises r where r.developer_id = d.developer_id)
				and not exists (select from filings f where f.developer_id = d.developer_id)`;
		await raiseNames(tx);
		await raiseDataVersion(tx);
	},
};

/** Subscribers to a change of hands get its retraction. */
async function forgetTransfers(tx: Transaction, projects: string[], plants: number[]): Promise<void> {
	const standing = await tx<{ key: string }[]>`
		select key from ma_events where not retracted
			and (project_id = any(${projects}::text[]) or plant_id = any(${plants}::int[]))`;
	await settleMaEvents(
		tx,
		[],
		standing.map(({ key }) => key),
	);
	await tx`delete from ma_reviews where project_ids && ${projects}::text[]`;
	await tx`delete from transfer_candidates where project_id = any(${projects}::text[])`;
	await tx`delete from queue_developers where project_id = any(${projects}::text[])`;
	await tx`delete from generator_ownership where plant_id = any(${plants}::int[])`;
}
