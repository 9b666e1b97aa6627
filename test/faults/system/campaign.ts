/** Faults one after the other on one system, and everything that was computed, computed anew. */
import { eventually } from "../../support/eventually.ts";
import { type Constellation, startConstellation } from "./constellation.ts";
import { type Lists, publishLists } from "./lists.ts";
import { type Fault, issueKeys, type Keys, type Result, type TrialOptions, tryFault } from "./trial.ts";

export interface Campaign extends AsyncDisposable {
	system: Constellation;
	lists: Lists;
	keys: Keys;
	try(fault: Fault): Promise<Result>;
	/** Computes all that scoring has computed again, from its copies. Nothing may be under way. */
	computeAgain(): Promise<Recomputed>;
}

export interface Recomputed {
	/** Scores, credits and ratings of developers: how many there were, or are. */
	rows: number;
	/** Names those that came, went, or became others. */
	wrong: string[];
}

/** Many faults, each tried on a system that is whole. */
export interface Series extends AsyncDisposable {
	/** Tries it and computes everything again afterwards: what was wrong is among the violations. Throws when the system does not get well. */
	try(fault: Fault): Promise<Result>;
}

export interface CampaignOptions extends Partial<Pick<TrialOptions, "holdMs" | "rate">> {
	/** See `ConstellationOptions`. */
	diskMb?: number;
	settings?: Record<string, string>;
	natsNodes?: number;
	/** Pause between two lists (ms). */
	everyMs?: number;
}

/** The system with a first list, which is a baseline: from then on each list has changes. */
export async function openCampaign(options: CampaignOptions = {}): Promise<Campaign> {
	const { holdMs = 5_000, rate = 45, diskMb, settings = {}, natsNodes = 1, everyMs = 700 } = options;
	await using stack = new AsyncDisposableStack();
	const system = stack.use(await startConstellation({ settings, natsNodes, ...(diskMb !== undefined && { diskMb }) }));
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

/** After a fault that a system did not get over, the rest is tried on a new one: what is lost or wrong there would be reported of each. */
export function openSeries(options: CampaignOptions = {}): Series {
	let campaign: Campaign | undefined;
	const close = async () => {
		const last = campaign;
		campaign = undefined;
		await last?.[Symbol.asyncDispose]();
	};
	return {
		async try(fault) {
			campaign ??= await openCampaign(options);
			let isWhole = false;
			try {
				const result = await campaign.try(fault);
				const { lost, doubled } = result.findings;
				const wrong = await wrongIn(campaign);
				isWhole = lost.length + doubled.length + wrong.length === 0;
				return { ...result, violations: [...result.violations, ...wrong] };
			} finally {
				if (!isWhole) await close();
			}
		},
		[Symbol.asyncDispose]: close,
	};
}

async function wrongIn(campaign: Campaign): Promise<string[]> {
	try {
		const { rows, wrong } = await campaign.computeAgain();
		return wrong.length === 0
			? []
			: [`${wrong.length} of ${rows} computed rows are others when computed again, such as ${wrong[0]}`];
	} catch (error) {
		return [`nothing could be computed again: ${error instanceof Error ? error.message : error}`];
	}
}

async function computeAgain(system: Constellation): Promise<Recomputed> {
	const before = await readComputed(system);
	const { code } = await system.run("scoring", "admin/rescore.ts", [], "direct").exited;
	if (code !== 0) throw new Error(`rescore ended with ${code}`);
	// The program marks; the running service computes.
	const isComputed = async () => {
		const left = await system.sql`
			select from (select from scoring.project_recompute_queue union all select from scoring.developer_recompute_queue) t limit 1`;
		return left.count === 0;
	};
	await eventually(isComputed, { withinMs: 60_000 });
	const after = await readComputed(system);
	const names = [...new Set([...before.keys(), ...after.keys()])];
	return { rows: names.length, wrong: names.filter((name) => before.get(name) !== after.get(name)) };
}

/** Computed values by name, without the time at which they were computed. */
async function readComputed({ sql }: Constellation): Promise<Map<string, string>> {
	const rows = await sql<{ name: string; said: string }[]>`
		select concat_ws(' ', 'score', project_id, score_version) as name, (to_jsonb(s) - 'scored_at')::text as said from scoring.scores s
		union all select concat_ws(' ', 'credit', project_id), to_jsonb(c)::text from scoring.credits c
		union all select concat_ws(' ', 'rating', developer_id), (to_jsonb(d) - 'version')::text from scoring.developer_ratings d`;
	return new Map(rows.map(({ name, said }) => [name, said]));
}
