/** Faults one after the other on one system, and at the end everything that was computed, computed anew. */
import { eventually } from "../../support/eventually.ts";
import { type Constellation, startConstellation } from "./constellation.ts";
import { type Lists, publishLists } from "./lists.ts";
import { type Fault, issueKeys, type Keys, type Result, type TrialOptions, tryFault } from "./trial.ts";

export interface Campaign extends AsyncDisposable {
	system: Constellation;
	lists: Lists;
	keys: Keys;
	try(fault: Fault): Promise<Result>;
	/** Computes every score again and answers how many there are, and how many were not what they should have been. */
	computeAgain(): Promise<{ scores: number; wrong: number }>;
}

export interface CampaignOptions extends Partial<Pick<TrialOptions, "holdMs" | "rate">> {
	/** See `ConstellationOptions`. */
	diskMb?: number;
	settings?: Record<string, string>;
	/** From the end of one list to the next (ms). */
	everyMs?: number;
}

/** The system with a first list, which is a baseline: from then on each list has changes. */
export async function openCampaign(options: CampaignOptions = {}): Promise<Campaign> {
	const { holdMs = 5_000, rate = 45, diskMb, settings = {}, everyMs = 700 } = options;
	await using stack = new AsyncDisposableStack();
	const system = stack.use(await startConstellation({ settings, ...(diskMb !== undefined && { diskMb }) }));
	const lists = publishLists(system, { everyMs });
	await lists.takeOne();
	const keys = await issueKeys(system);
	const owned = stack.move();
	return {
		system,
		lists,
		keys,
		try: (fault) => tryFault(system, fault, { lists, keys, holdMs, rate }),
		computeAgain: () => computeAgain(system),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function computeAgain(system: Constellation): Promise<{ scores: number; wrong: number }> {
	const read = async () =>
		(
			await system.sql<{ row: string }[]>`
			select (to_jsonb(s) - 'scored_at')::text as row from scoring.scores s order by project_id, score_version`
		).map(({ row }) => row);
	const before = new Set(await read());
	const { code } = await system.run("scoring", "rescore.ts", [], "direct").exited;
	if (code !== 0) throw new Error(`rescore ended with ${code}`);
	// The program marks; the running service computes.
	await eventually(async () => (await system.sql`select from scoring.touched_projects limit 1`).count === 0, {
		withinMs: 60_000,
	});
	const after = await read();
	return { scores: after.length, wrong: after.filter((row) => !before.has(row)).length };
}
