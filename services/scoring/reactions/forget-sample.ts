/** When the invented queues are gone, so is what was made of them here. */
import type { Reaction } from "#libs/bus/react.ts";
import { sampleLeft } from "#libs/contract/events/queue-ingest.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { lockScoring } from "../jobs/keep-scored.ts";
import { enqueueDevelopers, enqueuePeers, enqueueProjects, lockCopies } from "../jobs/recompute-queue.ts";

export const forgetSample: Reaction<typeof sampleLeft> = {
	service: "scoring",
	name: "forget-sample",
	event: sampleLeft,
	async handler(tx, events) {
		// What is being computed refers to what is deleted here.
		await lockScoring(tx);
		const projects = events.flatMap(({ project_ids }) => project_ids);
		const developers = events.flatMap(({ developer_ids }) => developer_ids);
		// What a later list said stays.
		const until = Math.max(...events.map(({ version }) => version));
		// Where no company left, installations alone did: what is said of the sample's requests still counts.
		if (developers.length > 0) await tx`update settings set sample_until = greatest(sample_until, ${until})`;
		await lockCopies(tx);
		const left = await tx<
			{ project_id: string; developer_id: number | null; region: string; twin_key: string | null }[]
		>`
			delete from projects where project_id = any(${projects}::text[]) and coalesce(snapshot_id, 0) < ${until}
			returning project_id, developer_id, region, twin_key`;
		const removed = left.map((row) => row.project_id);
		await tx`delete from score_versions where project_id = any(${removed}::text[])`;
		await tx`delete from developer_rating_versions where developer_id = any(${developers}::integer[])`;
		await tx`delete from published_scores where project_id = any(${removed}::text[])`;
		await tx`delete from project_recompute_queue where project_id = any(${removed}::text[])`;
		await tx`delete from developers where developer_id = any(${developers}::integer[])`;
		await tx`delete from developer_recompute_queue where developer_id = any(${developers}::integer[])`;
		// Twins of what is gone, and requests of developers that are.
		const others = await tx<{ project_id: string }[]>`
			select project_id from projects where twin_key = any(${left.flatMap(({ twin_key }) => twin_key ?? [])}::text[])
				or developer_id = any(${developers}::integer[])`;
		await enqueueProjects(
			tx,
			others.map((row) => row.project_id),
		);
		const gone = new Set(developers);
		await enqueueDevelopers(
			tx,
			left.map((row) => row.developer_id).filter((id) => id !== null && !gone.has(id)),
		);
		await enqueuePeers(
			tx,
			left.map((row) => row.region),
		);
		await raiseDataVersion(tx);
	},
};
